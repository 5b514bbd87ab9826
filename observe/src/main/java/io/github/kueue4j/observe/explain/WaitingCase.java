// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.lifecycle.LifecycleSettings;
import io.github.kueue4j.core.status.Health;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Explains phases Backoff and Held: Requeued is False, or a check is in Retry. */
final class WaitingCase {
  private WaitingCase() {}

  /** A Retry with the end of its delay. */
  private record DelayingCheck(AdmissionCheckState entry, AskedDelay delay) {
    Instant until() {
      return delay.until();
    }

    /**
     * Tells whether this is the earliest delay of alternatives, which counts: requeueAt is no bound
     * on the others'.
     */
    boolean isFirstOfAlternatives(WorkloadView workloadView) {
      return workloadView.answers(entry.name()).stream()
          .filter(other -> other.is(CheckState.RETRY))
          .noneMatch(other -> asked(other).isBefore(asked(entry)));
    }

    private static Instant asked(AdmissionCheckState entry) {
      return AskedDelay.of(entry, LifecycleSettings.DEFAULT_MAXIMUM_RETRY_DELAY).until();
    }

    String words(WorkloadView workloadView) {
      return '"'
          + entry.name()
          + "\" until "
          + until()
          + " ("
          + workloadView.relative(until())
          + (delay.cut().isEmpty() ? "" : ", cut to " + delay.cut())
          + (entry.message().isEmpty() ? "" : "; it says: " + entry.message())
          + ")";
    }
  }

  static Explanation backoff(WorkloadView workloadView) {
    List<DelayingCheck> delays =
        workloadView.entries(CheckState.RETRY).stream()
            .map(entry -> new DelayingCheck(entry, workloadView.asked(entry)))
            .filter(delay -> delay.isFirstOfAlternatives(workloadView))
            .sorted(Comparator.comparing(DelayingCheck::until).reversed())
            .toList();
    boolean podsReady = workloadView.conditions().heldForPodsReady();
    Instant latest = delays.isEmpty() ? null : delays.getFirst().until();
    Instant wake = later(latest, workloadView.requeueAt());
    List<Evidence> evidence = new ArrayList<>();
    evidence.add(
        workloadView.seen(
            "status.requeueState.requeueAt", String.valueOf(workloadView.requeueAt())));
    delays.forEach(delayingCheck -> evidence.add(workloadView.seen(delayingCheck.entry())));
    evidence.add(workloadView.seen(WorkloadConditions.REQUEUED));
    List<AdmissionCheck> inactive = inactive(workloadView);
    inactive.forEach(
        check ->
            evidence.add(ReservedCase.active(workloadView, ObjectKey.of(check).name(), check)));
    if (wake == null || !wake.isAfter(workloadView.now())) {
      return CoreSteps.due(
          workloadView, wake, "puts it back into its queue, because its delay is over", evidence);
    }
    if (podsReady && !wake.equals(latest)) {
      String why = "why the pods did not get ready (events of the Job and its pods).";
      return workloadView
          .finding(
              Reason.PODS_READY_BACKOFF,
              "Its pods did not get ready in time; the next attempt is "
                  + workloadView.relative(wake)
                  + retries(workloadView))
          .seen(evidence)
          .wakes(wake)
          .by(
              inactive.isEmpty() ? Actor.WORKLOAD_OWNER : Actor.CHECK_OPERATOR,
              inactive.isEmpty()
                  ? "Find out " + why + " It queues again by itself."
                  : quotaNeeds(inactive)
                      + ". Then it queues again by itself. The owner of the Job may find out "
                      + why);
    }
    return workloadView
        .finding(Reason.RETRY_DELAYED, summary(workloadView, delays, wake))
        .seen(evidence)
        .wakes(wake)
        .by(
            inactive.isEmpty()
                ? delays.isEmpty() ? Actor.NONE : Actor.CHECK_CONTROLLER
                : Actor.CHECK_OPERATOR,
            (inactive.isEmpty()
                    ? "It queues again by itself when the last delay is over"
                    : quotaNeeds(inactive) + ". Then it queues again when the last delay is over")
                + (delays.isEmpty()
                    ? ""
                    : ", or earlier if a check ends its delay" + controllers(workloadView, delays))
                + ". Its quota is free meanwhile.");
  }

  /** The required checks for which the queue reserves no quota: they aren't active. */
  private static List<AdmissionCheck> inactive(WorkloadView workloadView) {
    return workloadView.required().stream()
        .sorted()
        .map(workloadView::check)
        .filter(Objects::nonNull)
        .filter(check -> Health.obstacle(check).isPresent())
        .toList();
  }

  private static String quotaNeeds(List<AdmissionCheck> inactive) {
    return "It gets no quota before these are active: AdmissionCheck "
        + inactive.stream()
            .map(check -> ObjectKey.of(check).name())
            .collect(Collectors.joining(", "));
  }

  /** The names of the delaying checks' controllers; empty if the checks can't be read. */
  private static String controllers(WorkloadView workloadView, List<DelayingCheck> delays) {
    String names =
        delays.stream()
            .map(delay -> workloadView.check(delay.entry().name()))
            .filter(Objects::nonNull)
            .map(check -> check.spec().controllerName())
            .distinct()
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? "" : " (" + names + ")";
  }

  private static String summary(
      WorkloadView workloadView, List<DelayingCheck> delays, Instant wake) {
    if (delays.isEmpty()) {
      return "An admission check asked for another try later: " + workloadView.relative(wake) + ".";
    }
    String first = delays.getFirst().words(workloadView);
    return delays.size() == 1
        ? "The admission check asks for another try later: " + first + "."
        : delays.size()
            + " admission checks ask for another try later, the last one counts: "
            + first
            + "; also "
            + delays.stream()
                .skip(1)
                .map(delayingCheck -> delayingCheck.words(workloadView))
                .collect(Collectors.joining(", "))
            + ".";
  }

  private static String retries(WorkloadView workloadView) {
    var state = workloadView.workload().status().requeueState();
    return state == null || state.count() == null ? "." : " (requeue " + state.count() + ").";
  }

  static Explanation held(WorkloadView workloadView) {
    if (!workloadView.conditions().heldForStoppedQueue()) {
      return CoreSteps.due(
          workloadView, null, "puts it back into its queue", evidence(workloadView));
    }
    return QueueProblems.obstacle(workloadView)
        .map(found -> found.and(evidence(workloadView)))
        .orElseGet(
            () ->
                CoreSteps.due(
                    workloadView,
                    null,
                    "puts it back into its queue, which runs again",
                    evidence(workloadView)));
  }

  private static List<Evidence> evidence(WorkloadView workloadView) {
    Evidence requeued = workloadView.seen(WorkloadConditions.REQUEUED);
    return workloadView.conditions().evicted()
        ? List.of(requeued, workloadView.seen(WorkloadConditions.EVICTED))
        : List.of(requeued);
  }

  private static @Nullable Instant later(@Nullable Instant a, @Nullable Instant b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return a.isAfter(b) ? a : b;
  }
}
