// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.runtime.client.EventRecorder;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.kubernetes.client.common.KubernetesObject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of Jobs that run on although the core has suspended them: their controller is of a version
 * that doesn't heed the field, or the API server drops it; and of Jobs whose stop it refuses.
 */
final class UnheededStops {
  private static final Logger log = LoggerFactory.getLogger(UnheededStops.class);

  /** Longer than controllers and pods usually need to end. */
  static final Duration TOLD_AFTER = Duration.ofMinutes(5);

  /** A refused stop is tried again after this, and told if it is refused then. */
  static final Duration TRIED_AGAIN_AFTER = Duration.ofMinutes(1);

  /** What isn't looked at for so long has been deleted. */
  private static final Duration FORGOTTEN_AFTER = Duration.ofHours(1);

  private final EventRecorder events;
  private final JobListener listener;
  private final InstantSource clock;
  private final Map<String, Stop> stops = new ConcurrentHashMap<>();

  private volatile Instant swept = Instant.EPOCH;

  /**
   * The knowledge about a stop.
   *
   * @param refused whether the API server refuses it, so that it hasn't begun or can't go on
   * @param since when it came to that
   */
  private record Stop(boolean refused, Instant since, Instant lastSeen, @Nullable Told told) {}

  /**
   * The news that was told of a Job.
   *
   * @param reason of the condition
   * @param note about the Job, with its name before what its event says
   */
  private record Told(String reason, String note) {}

  UnheededStops(EventRecorder events, JobListener listener, InstantSource clock) {
    this.events = events;
    this.listener = listener;
    this.clock = clock;
  }

  /** Forgets a stop: nothing of the Job runs any more, or it may run on the quota that it has. */
  void forget(KubernetesObject job) {
    stops.remove(Uids.of(job));
  }

  /** The API server has accepted its stop, though it may run on. */
  void accepted(KubernetesObject job) {
    stops.computeIfPresent(Uids.of(job), (uid, stop) -> stop.refused() ? null : stop);
  }

  /** It is suspended, and its pods haven't ended. */
  void runs(JobKind<?> kind, KubernetesObject job) {
    Instant now = clock.instant();
    Stop stop = seen(job, false, now);
    if (stop.told() == null && !now.isBefore(stop.since().plus(TOLD_AFTER))) {
      tell(
          kind,
          job,
          "PodsRunOn",
          "Its controller has not ended its pods in the "
              + TOLD_AFTER.toMinutes()
              + " minutes since it was suspended: they run on without quota, or keep it from others;"
              + " look whether the installed version of the controller heeds "
              + field(kind));
    }
  }

  /** The API server has stored it without its suspension. */
  void dropped(JobKind<?> kind, KubernetesObject job) {
    if (seen(job, false, clock.instant()).told() == null) {
      tell(
          kind,
          job,
          "SuspensionDropped",
          "It runs without quota, since the API server stores it without "
              + field(kind)
              + ": install a version of "
              + kind.type().plural()
              + "."
              + kind.type().group()
              + " that has the field, or take "
              + kind.framework()
              + " out of integrations.frameworks");
    }
  }

  /** The API server refuses a write that stops it, or a read without which that can't go on. */
  void refused(JobKind<?> kind, KubernetesObject job, KubernetesApiException why) {
    Instant now = clock.instant();
    Stop stop = seen(job, true, now);
    if (stop.told() == null && !now.isBefore(stop.since().plus(TRIED_AGAIN_AFTER))) {
      tell(
          kind,
          job,
          Jobs.STOP_REFUSED,
          "The API server refuses its stop, until when its quota isn't free: "
              + Refusal.withRemedy(why)
              + "; it is tried again every minute");
    }
  }

  private Stop seen(KubernetesObject job, boolean refused, Instant now) {
    if (swept.plus(TOLD_AFTER).isBefore(now)) {
      swept = now;
      stops.values().removeIf(stop -> stop.lastSeen().plus(FORGOTTEN_AFTER).isBefore(now));
    }
    return stops.compute(
        Uids.of(job),
        (uid, known) ->
            known == null || known.refused() != refused
                ? new Stop(refused, now, now, null)
                : new Stop(refused, known.since(), now, known.told()));
  }

  private static String field(JobKind<?> kind) {
    return kind.suspendField().map(Object::toString).orElse("");
  }

  private void tell(JobKind<?> kind, KubernetesObject job, String reason, String note) {
    Told told = new Told(reason, kind.type().kind() + ' ' + ObjectKey.of(job).name() + ": " + note);
    stops.computeIfPresent(
        Uids.of(job), (uid, stop) -> new Stop(stop.refused(), stop.since(), stop.lastSeen(), told));
    log.atWarn()
        .addKeyValue("kind", kind.type().kind())
        .addKeyValue("job", ObjectKey.of(job))
        .log(
            reason.equals(Jobs.STOP_REFUSED)
                ? "The API server refuses the stop of a Job"
                : "A Job runs on although it was suspended");
    events.warning(job, "SuspensionUnheeded", "Stopping", note);
    listener.suspensionUnheeded(kind.framework());
  }

  /**
   * The Workload with the condition that its Job runs on, or without it when nothing of that does;
   * empty if it says so already.
   *
   * @param job after its stop was last tried: what an earlier core has told stays until it is known
   *     whether it is still so
   */
  Optional<Workload> told(Workload workload, Optional<? extends KubernetesObject> job) {
    Stop stop = job.map(found -> stops.get(Uids.of(found))).orElse(null);
    if (stop == null) {
      return none(workload);
    }
    Told told = stop.told();
    if (told == null) {
      boolean refusedBefore =
          workload
              .conditions()
              .findTrue(WorkloadConditions.SUSPENSION_UNHEEDED)
              .filter(condition -> Jobs.STOP_REFUSED.equals(condition.reason()))
              .isPresent();
      return refusedBefore && !stop.refused() ? none(workload) : Optional.empty();
    }
    Optional<Workload> changed =
        changed(
            workload,
            Conditions.set(
                workload.status().conditions(),
                Condition.isTrue(
                    WorkloadConditions.SUSPENSION_UNHEEDED,
                    told.reason(),
                    told.note(),
                    clock.instant())));
    changed.ifPresent(
        any -> events.warning(workload, "SuspensionUnheeded", "Stopping", told.note()));
    return changed;
  }

  /** The Workload without the condition; empty if it hasn't got it. */
  static Optional<Workload> none(Workload workload) {
    return changed(
        workload,
        Conditions.remove(workload.status().conditions(), WorkloadConditions.SUSPENSION_UNHEEDED));
  }

  private static Optional<Workload> changed(Workload workload, List<Condition> after) {
    return after.equals(workload.status().conditions())
        ? Optional.empty()
        : Optional.of(workload.withStatus(workload.status().withConditions(after)));
  }

  /** When to look at it again if it doesn't change before; empty if that isn't needed. */
  Optional<Instant> nextLook(KubernetesObject job) {
    return Optional.ofNullable(stops.get(Uids.of(job)))
        .filter(stop -> stop.refused() || stop.told() == null)
        .map(
            stop ->
                stop.refused()
                    ? stop.lastSeen().plus(TRIED_AGAIN_AFTER)
                    : stop.since().plus(TOLD_AFTER))
        .filter(clock.instant()::isBefore);
  }
}
