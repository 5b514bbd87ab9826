/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.explain;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.WorkloadConditions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Backoff and Held: Requeued is False, or a check in Retry keeps it out of the queue. */
final class Waiting {
  private Waiting() {}

  /** A Retry with its end. */
  private record Delay(AdmissionCheckState entry, Instant until) {
    static Delay of(AdmissionCheckState entry) {
      Integer seconds = entry.requeueAfterSeconds();
      return new Delay(
          entry,
          entry.lastTransitionTime().plusSeconds(seconds == null ? 0 : Math.max(0, seconds)));
    }

    String words(Look look) {
      return '"'
          + entry.name()
          + "\" until "
          + until
          + " ("
          + look.relative(until)
          + (entry.message().isEmpty() ? "" : "; it says: " + entry.message())
          + ")";
    }
  }

  static Explanation backoff(Look look) {
    List<Delay> delays =
        look.entries(CheckState.RETRY).stream()
            .map(Delay::of)
            .sorted(Comparator.comparing(Delay::until).reversed())
            .toList();
    boolean podsReady =
        look.reasonOf(WorkloadConditions.REQUEUED, Condition.FALSE).equals("PodsReadyTimeout");
    Instant latest = delays.isEmpty() ? null : delays.getFirst().until();
    Instant wake = later(latest, look.requeueAt());
    List<Evidence> evidence = new ArrayList<>();
    evidence.add(look.seen("status.requeueState.requeueAt", String.valueOf(look.requeueAt())));
    delays.forEach(delay -> evidence.add(look.seen(delay.entry())));
    evidence.add(look.seen(WorkloadConditions.REQUEUED));
    if (wake == null || !wake.isAfter(look.now())) {
      return CoreSteps.due(look, wake, "puts it back into its queue, its delay is over", evidence);
    }
    if (podsReady && !wake.equals(latest)) {
      return look.finding(
              Reason.PODS_READY_BACKOFF,
              "Its pods did not get ready in time; the next try is "
                  + look.relative(wake)
                  + retries(look))
          .seen(evidence)
          .wakes(wake)
          .by(
              Party.WORKLOAD_OWNER,
              "Find out why the pods did not get ready (events of the Job and its pods). It queues"
                  + " again by itself.");
    }
    return look.finding(Reason.RETRY_DELAYED, summary(look, delays))
        .seen(evidence)
        .wakes(wake)
        .by(
            Party.NOBODY,
            "It queues again by itself when the last delay is over; a check can end its own delay"
                + " earlier. Its quota is free meanwhile.");
  }

  private static String summary(Look look, List<Delay> delays) {
    String first = delays.getFirst().words(look);
    return delays.size() == 1
        ? "The admission check asks for another try later: " + first + "."
        : delays.size()
            + " admission checks ask for another try later, the last one counts: "
            + first
            + "; also "
            + delays.stream()
                .skip(1)
                .map(delay -> delay.words(look))
                .collect(Collectors.joining(", "))
            + ".";
  }

  private static String retries(Look look) {
    var state = look.workload().status().requeueState();
    return state == null || state.count() == null ? "." : " (requeue " + state.count() + ").";
  }

  static Explanation held(Look look) {
    String why = look.reasonOf(WorkloadConditions.REQUEUED, Condition.FALSE);
    return switch (why) {
      case "LocalQueueStopped", "ClusterQueueStopped" ->
          Queues.obstacle(look)
              .map(found -> found.and(evidence(look)))
              .orElseGet(
                  () ->
                      CoreSteps.due(
                          look,
                          null,
                          "puts it back into its queue, which runs again",
                          evidence(look)));
      default -> CoreSteps.due(look, null, "puts it back into its queue", evidence(look));
    };
  }

  private static List<Evidence> evidence(Look look) {
    Evidence requeued = look.seen(WorkloadConditions.REQUEUED);
    return look.isTrue(WorkloadConditions.EVICTED)
        ? List.of(requeued, look.seen(WorkloadConditions.EVICTED))
        : List.of(requeued);
  }

  private static @Nullable Instant later(@Nullable Instant a, @Nullable Instant b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return a.isAfter(b) ? a : b;
  }
}
