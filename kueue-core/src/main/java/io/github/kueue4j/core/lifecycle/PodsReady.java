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
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.RequeueState;
import io.github.kueue4j.api.WorkloadConditions;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The pods of an admitted Workload: the condition that says whether they are ready, and what
 * happens if they aren't in time (KEP-1282).
 */
final class PodsReady {
  private PodsReady() {}

  /**
   * Admitted: the condition follows what the owner says. What was ready once and isn't any more
   * waits for its recovery, everything else for its start.
   */
  static @Nullable Decision observe(View view) {
    if (view.phase() != Phase.ADMITTED || !view.situation().readiness().observed()) {
      return null;
    }
    Condition known = view.reading().condition(WorkloadConditions.PODS_READY).orElse(null);
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
      draft.fact(
          new Fact.PodsReady(
              view.reading().clusterQueue(),
              Stamps.between(view.reading().admittedSince(), view.now())));
    }
    return draft.as(Rule.PODS_READY);
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

  /** Evicted with a delay that grows with the count, or deactivated at a limit. */
  static @Nullable Decision timeout(View view) {
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
    Duration delay = policy.delay(count, Jitter.draw(view.situation(), "pods-ready", count));
    Instant requeueAt = Stamps.ceil(view.now().plus(delay));
    Duration longest = policy.backoffLimitTimeout();
    Instant end = end(view, policy);
    if (longest != null && end != null && !requeueAt.isBefore(end)) {
      // Another attempt would begin when none may run any more.
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
                Reasons.PODS_READY_TIMEOUT,
                recovering ? Reasons.WAIT_FOR_RECOVERY : Reasons.WAIT_FOR_START,
                message));
    return draft == null
        ? null
        : draft
            .hold(Reasons.PODS_READY_TIMEOUT, message)
            .requeueState(count, Stamps.later(requeueAt, view.reading().requeueAt()))
            .releaseUnlessAdmitted()
            .settleRequeueAt()
            .as(Rule.PODS_READY_TIMEOUT);
  }

  /** When the Workload will have waited for too long; null if it doesn't wait, or may for ever. */
  static @Nullable Instant due(View view) {
    PodsReadiness readiness = view.situation().readiness();
    PodsReadyPolicy policy = readiness.policy();
    Condition known = condition(view);
    if (policy == null
        || view.phase() != Phase.ADMITTED
        || (known != null && known.isTrue())
        // In the last moment, and not written yet.
        || readiness.pods() == PodsReadiness.Pods.READY
        // Somebody without an owner that we know, who doesn't tell either.
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
      Instant since = view.reading().admittedSince();
      timeout = since == null ? null : since.plus(policy.timeout());
    }
    return Stamps.earlierOrNull(timeout, end(view, policy));
  }

  /**
   * When the Workload will have been without ready pods for longer than it may be at all. The
   * condition's date says since when: it stays while one attempt follows the other.
   */
  private static @Nullable Instant end(View view, PodsReadyPolicy policy) {
    Condition known = condition(view);
    Instant since = known == null ? view.reading().admittedSince() : known.lastTransitionTime();
    return policy.backoffLimitTimeout() == null || since == null
        ? null
        : since.plus(policy.backoffLimitTimeout());
  }

  private static @Nullable Condition condition(View view) {
    return view.reading().condition(WorkloadConditions.PODS_READY).orElse(null);
  }
}
