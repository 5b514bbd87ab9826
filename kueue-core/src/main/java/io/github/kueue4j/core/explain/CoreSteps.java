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

import io.github.kueue4j.api.ObjectKey;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the core is about to do, and whether there is a core at all. */
final class CoreSteps {
  private static final String RESTORE =
      "See that a core is running: its Deployment, its log, its /readyz.";

  private CoreSteps() {}

  /**
   * The core's next step is due.
   *
   * @param since since when; null if nobody can tell
   * @param what what the core will do, as a clause after "the core"
   */
  static Explanation due(Look look, @Nullable Instant since, String what, List<Evidence> evidence) {
    return since != null && since.plus(Look.PATIENCE).isBefore(look.now())
        ? look.finding(
                Reason.CORE_NOT_RUNNING,
                "The core should have acted "
                    + look.relative(since)
                    + " and has not: it "
                    + what
                    + ".")
            .seen(evidence)
            .seen(lease(look.around()))
            .by(Party.CORE_OPERATOR, RESTORE)
        : look.finding(Reason.CORE_ABOUT_TO_ACT, "Nothing is in the way: the core " + what + ".")
            .seen(evidence)
            .wakes(look.now())
            .by(Party.NOBODY, "Ask again in a few seconds.");
  }

  /** The same explanation, unless it waits for a core that isn't there. */
  static Explanation unlessDead(Explanation found, Surroundings around, Instant now) {
    Optional<String> dead = dead(around.coreLease(), now);
    if (dead.isEmpty() || !needsCore(found.reason())) {
      return found;
    }
    Finding finding =
        new Finding(
                found.subject(),
                Reason.CORE_NOT_RUNNING,
                dead.get() + ", so nothing moves. Apart from that: " + found.summary())
            .seen(lease(around))
            .seen(found.evidence());
    return finding.by(Party.CORE_OPERATOR, RESTORE);
  }

  /** Whether the core has a part in what has to happen next. */
  private static boolean needsCore(Reason reason) {
    return switch (reason) {
      case FINISHED,
          RUNNING,
          JOB_NOT_MANAGED,
          PREBUILT_WORKLOAD_MISSING,
          WORKLOAD_OF_ANOTHER,
          REJECTED,
          DEACTIVATED_BY_USER,
          DEACTIVATED_BY_LIMIT,
          PODS_NOT_CREATED,
          PODS_NOT_READY,
          CORE_NOT_RUNNING ->
          false;
      default -> true;
    };
  }

  private static Optional<String> dead(@Nullable V1Lease lease, Instant now) {
    V1LeaseSpec spec = lease == null ? null : lease.getSpec();
    if (spec == null || spec.getRenewTime() == null) {
      return Optional.empty(); // no leader election, or not for our eyes
    }
    Instant renewed = spec.getRenewTime().toInstant();
    String holder = Objects.requireNonNullElse(spec.getHolderIdentity(), "");
    int seconds = Objects.requireNonNullElse(spec.getLeaseDurationSeconds(), 15);
    if (holder.isEmpty()) {
      return Optional.of("No core is running: its last leader has left");
    }
    return renewed.plusSeconds(seconds).plus(Look.PATIENCE).isBefore(now)
        ? Optional.of(
            "No core is running: "
                + holder
                + " renewed its lease "
                + Spans.words(Duration.between(renewed, now))
                + " ago for the last time")
        : Optional.empty();
  }

  private static Evidence lease(Surroundings around) {
    V1Lease lease = around.coreLease();
    V1LeaseSpec spec = lease == null ? null : lease.getSpec();
    return lease == null || spec == null
        ? new Evidence("Lease", "of the core", "none is readable, so this says nothing")
        : Evidence.of(
            "Lease",
            ObjectKey.of(lease),
            "spec",
            "holder "
                + Objects.requireNonNullElse(spec.getHolderIdentity(), "none")
                + ", renewed at "
                + spec.getRenewTime());
  }
}
