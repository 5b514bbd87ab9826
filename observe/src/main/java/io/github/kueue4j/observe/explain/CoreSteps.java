// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import io.github.kueue4j.api.ObjectKey;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Explains Workloads whose next step is the core's, and detects that no core is running. */
final class CoreSteps {
  private static final String RESTORE =
      "Check that a core is running: its Deployment, its log, its /readyz.";

  private CoreSteps() {}

  /**
   * Explains that the core's next step is due.
   *
   * @param since since when it is due; null if unknown
   * @param what what the core will do, as a clause after "the core"
   */
  static Explanation due(
      WorkloadView workloadView, @Nullable Instant since, String what, List<Evidence> evidence) {
    return since != null && since.plus(WorkloadView.PATIENCE).isBefore(workloadView.now())
        ? workloadView
            .finding(
                Reason.CORE_NOT_RUNNING,
                "The core should have acted %s and has not: it %s."
                    .formatted(workloadView.relative(since), what))
            .seen(evidence)
            .seen(lease(workloadView.around()))
            .by(Actor.CORE_OPERATOR, RESTORE)
        : workloadView
            .finding(Reason.CORE_ABOUT_TO_ACT, "No obstacle: the core " + what + ".")
            .seen(evidence)
            .wakes(workloadView.now())
            .by(Actor.NONE, "Ask again in a few seconds.");
  }

  /** The given explanation, unless it waits for the core and no core is running. */
  static Explanation unlessDead(Explanation found, ExplainInput around, Instant now) {
    Optional<String> coreNotRunning = coreNotRunning(around.coreLease(), now);
    if (coreNotRunning.isEmpty() || !needsCore(found.reason())) {
      return found;
    }
    Finding finding =
        new Finding(
                found.subject(),
                Reason.CORE_NOT_RUNNING,
                coreNotRunning.get() + ", so nothing proceeds. Apart from that: " + found.summary())
            .seen(lease(around))
            .seen(found.evidence());
    return finding.by(Actor.CORE_OPERATOR, RESTORE);
  }

  /** Whether the core takes part in the next step. */
  private static boolean needsCore(Reason reason) {
    return switch (reason) {
      case FINISHED,
          RUNNING,
          JOB_NOT_MANAGED,
          KIND_NOT_MANAGED,
          PODS_QUEUED,
          PREBUILT_WORKLOAD_MISSING,
          WORKLOAD_OF_ANOTHER,
          REJECTED,
          DEACTIVATED_BY_USER,
          DEACTIVATED_BY_LIMIT,
          PODS_NOT_CREATED,
          PODS_NOT_READY,
          JOB_NOT_FINISHED,
          CORE_NOT_RUNNING ->
          false;
      default -> true;
    };
  }

  static Optional<String> coreNotRunning(@Nullable V1Lease lease, Instant now) {
    V1LeaseSpec spec = lease == null ? null : lease.getSpec();
    if (spec == null || spec.getRenewTime() == null) {
      return Optional.empty(); // no leader election, or no permission to read the lease
    }
    Instant renewed = spec.getRenewTime().toInstant();
    String holder = Objects.requireNonNullElse(spec.getHolderIdentity(), "");
    int seconds = Objects.requireNonNullElse(spec.getLeaseDurationSeconds(), 15);
    if (holder.isEmpty()) {
      return Optional.of("No core is running: its last leader has left");
    }
    return renewed.plusSeconds(seconds).plus(WorkloadView.PATIENCE).isBefore(now)
        ? Optional.of(
            "No core is running: %s renewed its lease %s ago for the last time"
                .formatted(holder, DurationText.words(Duration.between(renewed, now))))
        : Optional.empty();
  }

  private static Evidence lease(ExplainInput around) {
    V1Lease lease = around.coreLease();
    V1LeaseSpec spec = lease == null ? null : lease.getSpec();
    return lease == null || spec == null
        ? new Evidence(
            "Lease", "of the core", "none can be read, so it is unknown whether a core is running")
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
