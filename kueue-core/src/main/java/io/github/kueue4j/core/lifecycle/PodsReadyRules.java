// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.EvictionReasons;
import io.github.kueue4j.api.RequeueState;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.WorkloadStatus;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The rules about the pods of an admitted Workload: the condition PodsReady, and the eviction or
 * deactivation if they aren't ready in time (KEP-1282).
 */
final class PodsReadyRules {
  private PodsReadyRules() {}

  /**
   * Makes the condition of an Admitted Workload follow its owner. Pods that were ready before wait
   * for their recovery, all others for their start.
   */
  static @Nullable ProposedWrite observe(SituationView view) {
    if (view.phase() != Phase.ADMITTED || !view.situation().readiness().observed()) {
      return null;
    }
    Condition known = view.conditions().find(WorkloadConditions.PODS_READY).orElse(null);
    boolean ready = view.situation().readiness().pods() == PodsReadiness.Pods.READY;
    String reason = ready ? readyAs(known) : waitsFor(known);
    if (known != null && known.isTrue() == ready && known.reason().equals(reason)) {
      return null;
    }
    String message =
        ready
            ? Messages.PODS_READY
            : reason.equals(Reasons.WAIT_FOR_RECOVERY)
                ? Messages.PODS_RECOVERING
                : Messages.PODS_NOT_READY;
    StatusDraft draft =
        new StatusDraft(view).condition(WorkloadConditions.PODS_READY, ready, reason, message);
    if (reason.equals(Reasons.STARTED) && (known == null || !known.isTrue())) {
      draft.metric(
          new LifecycleMetric.PodsReady(
              view.clusterQueue(), ApiSeconds.between(view.admittedSince(), view.now())));
    }
    return draft.toWrite(Rule.PODS_READY);
  }

  private static String readyAs(@Nullable Condition known) {
    return known != null
            && (known.reason().equals(Reasons.WAIT_FOR_RECOVERY)
                || known.reason().equals(Reasons.RECOVERED))
        ? Reasons.RECOVERED
        : Reasons.STARTED;
  }

  private static String waitsFor(@Nullable Condition known) {
    return recovering(known) || (known != null && known.isTrue())
        ? Reasons.WAIT_FOR_RECOVERY
        : Reasons.WAIT_FOR_START;
  }

  private static boolean recovering(@Nullable Condition known) {
    return known != null && known.isFalse() && known.reason().equals(Reasons.WAIT_FOR_RECOVERY);
  }

  /** Evicts with a delay that grows with the requeue count, or deactivates at a limit. */
  static @Nullable ProposedWrite timeout(SituationView view) {
    Instant due = due(view);
    PodsReadyPolicy policy = view.situation().readiness().policy();
    if (due == null || policy == null || view.now().isBefore(due)) {
      return null;
    }
    RequeueState state = view.workload().status().requeueState();
    Integer known = state == null ? null : state.count();
    int count = (known == null ? 0 : Math.max(0, known)) + 1;
    Integer limit = policy.backoffLimitCount();
    if (limit != null && count > limit) {
      return Deactivation.exceedLimit(view, ExceededLimit.requeuing());
    }
    Duration delay = policy.delay(count, Jitter.fraction(view.situation(), "pods-ready", count));
    Instant requeueAt = ApiSeconds.ceil(view.now().plus(delay));
    Duration longest = policy.backoffLimitTimeout();
    Instant end = end(view, policy);
    if (longest != null && end != null && !requeueAt.isBefore(end)) {
      // Another attempt would begin only after the end of backoffLimitTimeout.
      return Deactivation.exceedLimit(view, ExceededLimit.withoutReadyPods(longest));
    }
    boolean recovering = recovering(condition(view));
    String message =
        Messages.podsNotReady(
            view.workload(), recovering ? policy.recoveryTimeout() : policy.timeout(), requeueAt);
    StatusDraft draft =
        Evict.start(
            view,
            Eviction.of(
                EvictionReasons.PODS_READY_TIMEOUT,
                recovering ? Reasons.WAIT_FOR_RECOVERY : Reasons.WAIT_FOR_START,
                message));
    return draft == null
        ? null
        : draft
            .hold(EvictionReasons.PODS_READY_TIMEOUT, message)
            .requeueState(count, ApiSeconds.later(requeueAt, view.requeueAt()))
            .releaseUnlessRunning()
            .updateRequeueAt()
            .toWrite(Rule.PODS_READY_TIMEOUT);
  }

  /** When the timeout elapses; null if the Workload doesn't wait for pods or has no timeout. */
  static @Nullable Instant due(SituationView view) {
    PodsReadiness readiness = view.situation().readiness();
    PodsReadyPolicy policy = readiness.policy();
    Condition known = condition(view);
    if (policy == null
        || view.phase() != Phase.ADMITTED
        || (known != null && known.isTrue())
        // The pods are ready, and the condition isn't written yet.
        || readiness.pods() == PodsReadiness.Pods.READY
        // The core doesn't observe the pods, and no other controller has written the condition.
        || (known == null && !readiness.observed())) {
      return null;
    }
    Instant timeout;
    if (known != null && recovering(known)) {
      timeout =
          policy.recoveryTimeout().isZero()
              ? null
              : known.lastTransitionTime().plus(policy.recoveryTimeout());
    } else {
      Instant since = view.admittedSince();
      timeout = since == null ? null : since.plus(policy.timeout());
    }
    return ApiSeconds.earlierOrNull(timeout, end(view, policy));
  }

  /**
   * When {@code backoffLimitTimeout} elapses; null without one. It counts from the condition's
   * date, which stays the same over consecutive attempts.
   */
  private static @Nullable Instant end(SituationView view, PodsReadyPolicy policy) {
    Condition known = condition(view);
    Instant since = known == null ? view.admittedSince() : known.lastTransitionTime();
    return policy.backoffLimitTimeout() == null || since == null
        ? null
        : since.plus(policy.backoffLimitTimeout());
  }

  /** Whether the condition stays without a reservation: from one attempt in vain to the next. */
  static boolean betweenAttempts(WorkloadStatus status, boolean active) {
    RequeueState state = status.requeueState();
    return active
        && Conditions.isFalse(status.conditions(), WorkloadConditions.PODS_READY)
        && state != null
        && state.count() != null
        && state.count() > 0;
  }

  /**
   * Whether the core's own condition has been left behind by a reservation that was taken away by
   * hand; each rule that ends one resets it.
   */
  static boolean leftBehind(SituationView view) {
    return view.phase().waits()
        && view.situation().readiness().observed()
        && condition(view) != null
        && !betweenAttempts(view.workload().status(), view.active());
  }

  private static @Nullable Condition condition(SituationView view) {
    return view.conditions().find(WorkloadConditions.PODS_READY).orElse(null);
  }
}
