// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.runtime.controller.Reconciler;
import io.github.kueue4j.runtime.controller.Requeue;
import io.github.kueue4j.runtime.informer.Informer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reconciles one workload: has given up what its checks no longer need to hold, and then has each
 * check of this controller evaluated that is due. The checks don't wait for each other: a failure
 * of one is thrown only after the others have had their turn.
 */
final class WorkloadReconciler<P> implements Reconciler {

  private final Informer<Workload> workloads;
  private final OwnChecks<P> checks;
  private final Cleanups cleanups;
  private final Evaluator<P> evaluator;
  private final EvaluationMemory memory;
  private final InstantSource time;

  WorkloadReconciler(
      Informer<Workload> workloads,
      OwnChecks<P> checks,
      Cleanups cleanups,
      Evaluator<P> evaluator,
      EvaluationMemory memory,
      InstantSource time) {
    this.workloads = workloads;
    this.checks = checks;
    this.cleanups = cleanups;
    this.evaluator = evaluator;
    this.memory = memory;
    this.time = time;
  }

  @Override
  public Requeue reconcile(ObjectKey key) throws Exception {
    Optional<Workload> workload = workloads.get(key);
    Set<String> own = new HashSet<>();
    Cleanups.CleanupResult orphans = cleanups.giveUpOrphans(key, workload);
    @Nullable Instant next = orphans.kept() ? time.instant().plus(Evaluator.SOON) : null;
    @Nullable Exception failure = orphans.failure();
    if (workload.isPresent()) {
      for (AdmissionCheckState entry : workload.get().status().admissionChecks()) {
        Optional<AdmissionCheck> check = checks.find(entry.name());
        if (check.isPresent()) {
          own.add(entry.name());
          try {
            next = earlier(next, cleanUpOrEvaluate(workload.get(), entry, check.get()));
          } catch (InterruptedException e) {
            throw e;
          } catch (Exception e) {
            failure = first(failure, e);
          }
        }
      }
    }
    memory.keepOnly(key, own);
    if (failure != null) {
      throw failure;
    }
    return next == null ? Requeue.never() : Requeue.at(next);
  }

  /** Returns when to look at the entry again; null: when something changes. */
  private @Nullable Instant cleanUpOrEvaluate(
      Workload workload, AdmissionCheckState state, AdmissionCheck check) throws Exception {
    OwnEntry<P> entry =
        OwnEntry.of(
            workload,
            state,
            check,
            () -> checks.parameters(check),
            memory.of(workload.key(), state.name()),
            time.instant());
    Cleanups.CleanupResult cleanup = cleanups.giveUpIfOver(entry);
    if (cleanup.failure() != null) {
      throw cleanup.failure();
    }
    return cleanup.kept() ? entry.seen().plus(Evaluator.SOON) : evaluator.evaluateIfDue(entry);
  }

  private static Exception first(@Nullable Exception before, Exception now) {
    if (before == null) {
      return now;
    }
    before.addSuppressed(now);
    return before;
  }

  private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.isBefore(other) ? one : other;
  }
}
