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
package io.github.kueue4j.core.workload;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.cache.Copies;
import io.github.kueue4j.core.cache.FreshCache;
import io.github.kueue4j.core.cache.Uids;
import io.github.kueue4j.core.job.Keys;
import io.github.kueue4j.core.lifecycle.Plan;
import io.github.kueue4j.core.lifecycle.Rule;
import io.github.kueue4j.core.lifecycle.Sightings;
import io.github.kueue4j.core.owner.Jobs;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.state.Outbox;
import io.github.kueue4j.core.state.PreemptionOrder;
import io.github.kueue4j.core.state.StateLoop;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.runtime.DeleteOptions;
import io.github.kueue4j.runtime.GuardedPatch;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.runtime.KubernetesApiException;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes what was decided about Workloads, and tells everybody who counts on the outcome: the
 * State, people, meters. Remembers what was seen of each Workload, since the lifecycle keeps
 * nothing.
 */
final class WorkloadWriter {
  private static final Duration RESERVATION_RETRY = Duration.ofSeconds(5);

  private final KubernetesApi api;
  private final FreshCache<Workload> workloads;
  private final Jobs jobs;
  private final Outbox outbox;
  private final StateLoop state;
  private final PlanAftermath aftermath;
  private final InstantSource clock;
  private final Map<ObjectKey, Seen> seen = new ConcurrentHashMap<>();

  /** What was seen of the Workload with this uid. */
  private record Seen(String uid, Sightings sightings) {}

  WorkloadWriter(
      KubernetesApi api,
      FreshCache<Workload> workloads,
      Jobs jobs,
      Outbox outbox,
      StateLoop state,
      PlanAftermath aftermath,
      InstantSource clock) {
    this.api = api;
    this.workloads = workloads;
    this.jobs = jobs;
    this.outbox = outbox;
    this.state = state;
    this.aftermath = aftermath;
    this.clock = clock;
  }

  /** Changes something other than the status. */
  Workload patch(GuardedPatch<Workload> patch) {
    return workloads.saw(api.patch(KueueTypes.WORKLOAD, patch));
  }

  /** Changes what of the status is not the lifecycle's. */
  Workload patchStatus(GuardedPatch<Workload> patch) {
    return workloads.saw(api.patchStatus(KueueTypes.WORKLOAD, patch));
  }

  /**
   * Changes what a waiting Workload asks for.
   *
   * @param reservation what was found for what it asked for before
   */
  Workload writeDemand(
      ObjectKey key, Workload before, Workload after, Decision.@Nullable Reserve reservation) {
    Workload written;
    try {
      written = patchStatus(GuardedPatch.ofStatus(before, after));
    } catch (KubernetesApiException.Invalid
        | KubernetesApiException.BadRequest
        | KubernetesApiException.Forbidden e) {
      // It can't come to the reservation before this is taken; others may use the quota meanwhile.
      if (reservation != null) {
        giveUp(key, reservation, RESERVATION_RETRY);
      }
      throw e;
    }
    state.post(current -> current.written(written, clock.instant()));
    abandon(key, reservation);
    return written;
  }

  /** Deletes this very Workload. */
  void delete(Workload workload) {
    api.delete(
        KueueTypes.WORKLOAD,
        ObjectKey.of(workload),
        DeleteOptions.background().withUid(Uids.of(workload)));
  }

  /**
   * Carries out a plan.
   *
   * @param reservation what the plan writes; null if it reserves nothing
   */
  Workload write(ObjectKey key, Plan.PatchStatus plan, Decision.@Nullable Reserve reservation) {
    GuardedPatch<Workload> patch = GuardedPatch.ofStatus(plan.before(), plan.after());
    Workload written;
    try {
      written = workloads.saw(api.patchStatus(KueueTypes.WORKLOAD, patch));
    } catch (KubernetesApiException.Invalid
        | KubernetesApiException.BadRequest
        | KubernetesApiException.Forbidden e) {
      // Refused for good. After any other failure the patch may have arrived: the quota stays
      // taken until the next try has read the Workload.
      if (reservation != null) {
        giveUp(key, reservation, RESERVATION_RETRY);
      }
      throw e;
    }
    remember(key, written, plan.applied());
    if (reservation != null) {
      outbox.settle(key, reservation);
      state.post(current -> current.reservationWritten(key, reservation, written, clock.instant()));
    } else {
      state.post(current -> current.written(written, clock.instant()));
    }
    aftermath.carriedOut(plan, written);
    if (plan.rule() == Rule.RELEASE) {
      jobs.tellStopped(written, evictionMessage(written));
    }
    return written;
  }

  void dropFinalizer(Workload workload) {
    List<String> finalizers =
        Objects.requireNonNullElse(workload.metadata().getFinalizers(), List.<String>of());
    if (!finalizers.contains(Keys.FINALIZER)) {
      return;
    }
    V1ObjectMeta metadata = Copies.of(workload.metadata(), V1ObjectMeta.class);
    List<String> others =
        finalizers.stream().filter(finalizer -> !finalizer.equals(Keys.FINALIZER)).toList();
    metadata.setFinalizers(others.isEmpty() ? null : others);
    patch(GuardedPatch.between(workload, workload.withMetadata(metadata)));
    if (Health.terminating(workload)) {
      workloads.forget(ObjectKey.of(workload));
    }
  }

  /** The reservation can't be made any more: its quota is free for others at once. */
  void abandon(ObjectKey key, Decision.@Nullable Reserve reservation) {
    if (reservation != null) {
      giveUp(key, reservation, Duration.ZERO);
    }
  }

  /** The reservation can't be made now, and is not to be tried again for a while. */
  void giveUp(ObjectKey key, Decision.Reserve reservation, Duration pause) {
    outbox.settle(key, reservation);
    Instant now = clock.instant();
    state.post(current -> current.reservationFailed(key, reservation, now.plus(pause), now));
  }

  /** There is nothing to preempt; if the State thinks that there is, it may think again. */
  void pointless(ObjectKey key, PreemptionOrder order, Duration pause) {
    outbox.settle(key, order);
    Instant now = clock.instant();
    state.post(current -> current.preemptionFailed(order, now.plus(pause), now));
  }

  Sightings sightings(ObjectKey key, Workload workload) {
    Seen before = seen.get(key);
    return before == null || !before.uid().equals(Uids.of(workload))
        ? Sightings.none()
        : before.sightings();
  }

  void remember(ObjectKey key, Workload workload, Sightings sightings) {
    seen.put(key, new Seen(Uids.of(workload), sightings));
  }

  void forget(ObjectKey key) {
    seen.remove(key);
  }

  private static String evictionMessage(Workload workload) {
    return Conditions.find(workload.status().conditions(), WorkloadConditions.EVICTED)
        .map(Condition::message)
        .orElse("Not admitted by cluster queue");
  }
}
