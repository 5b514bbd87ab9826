// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.controller.Reconciler;
import io.github.kueue4j.runtime.controller.Requeue;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells workloads that an AdmissionCheck or its parameters have changed. It has a worker of its own
 * and asks no other process: a probe that hangs, or a status that can't be written, must not delay
 * the news, since evaluations use the new parameters at once.
 */
final class CheckChanges<P> implements Reconciler {

  private final OwnChecks<P> checks;
  private final WakeUps wakeUps;
  private final BackendReach reach;
  private final AppliedParameters applied;

  /** The last usable parameters of each AdmissionCheck, by its name. */
  private final Map<String, Resolution.Found<P>> known = new ConcurrentHashMap<>();

  CheckChanges(OwnChecks<P> checks, WakeUps wakeUps, CheckConditions conditions) {
    this.checks = checks;
    this.wakeUps = wakeUps;
    this.reach = conditions.reach();
    this.applied = conditions.applied();
  }

  @Override
  public Requeue reconcile(ObjectKey key) {
    Optional<AdmissionCheck> found =
        checks.find(key.name()).filter(one -> one.metadata().getDeletionTimestamp() == null);
    if (found.isPresent()) {
      // Workloads may wait for this very object.
      wakeUps.reconcileWorkloadsOf(key.name());
      wakeIfParametersChanged(found.get());
    } else {
      known.remove(key.name());
      reach.forget(key.name());
      applied.forget(key.name());
    }
    return Requeue.never();
  }

  /**
   * An object that reads the same is no change, though it has another version. What happened before
   * this controller looked for the first time shows in the delays that are older than what applies.
   */
  private void wakeIfParametersChanged(AdmissionCheck check) {
    if (checks.parameters(check) instanceof Resolution.Found<P> found) {
      String name = check.key().name();
      Optional<Instant> since = applied.see(check, found);
      Resolution.@Nullable Found<P> before = known.put(name, found);
      if (before == null) {
        since.ifPresent(changed -> wakeUps.parametersChangedBefore(name, found, changed));
      } else if (!before.readsAs(found)) {
        // They may name another backend.
        reach.forget(name);
        wakeUps.parametersChanged(name, found);
      }
    }
  }
}
