// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.forecast;

import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.WorkloadStatus;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.lifecycle.Lifecycle;
import io.github.kueue4j.core.lifecycle.Plan;
import io.github.kueue4j.core.lifecycle.RequiredChecks;
import io.github.kueue4j.core.lifecycle.Situation;
import io.github.kueue4j.jobs.FinishedOwner;
import io.github.kueue4j.observe.dryrun.ReadObjects;
import io.github.kueue4j.observe.dryrun.TrialState;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The scheduler, run ahead of time: Workloads give their quota back one after the other, and it
 * gives it to those that wait, and to others that come. A preempted Workload stops at once and
 * waits again; checks let through, and pods get ready at once. What a check delays is taken to
 * compete when its delay ends, and to be let through then; the check may end that early or extend
 * it.
 */
final class Replay {
  /** Further ahead nothing is foreseen. */
  private static final Duration HORIZON = Duration.ofDays(30);

  /** More take too long; what would come after them isn't foreseen. */
  private static final int EVENTS = 20_000;

  /** More preemptions in a row are going round in circles. */
  private static final int ROUNDS = 100;

  /** For how long a Workload holds quota. */
  @FunctionalInterface
  interface StayLength {
    /**
     * The time from the reservation to the end.
     *
     * @param clusterQueue whose quota it holds
     * @param reserved the time since the reservation
     * @param held the same, or for how long it had held quota when it was preempted, if that was
     *     longer
     * @return empty if unknown: it stays for ever
     */
    Optional<Duration> of(Workload workload, String clusterQueue, Duration reserved, Duration held);
  }

  /**
   * The outcome of a run.
   *
   * @param reserved when the Workload got quota; empty if it got none
   * @param waited for how long it got none; the horizon if nothing happened any more
   * @param gaveUp whether the run was given up
   */
  record Outcome(Optional<Duration> reserved, Duration waited, boolean gaveUp) {}

  private record Event(Instant at, ObjectKey workload, Runnable action) {}

  private final ReadObjects world;
  private final Instant start;
  private final StayLength stays;
  private final Arrivals arrivals;
  private final RandomGenerator random;
  private final TrialState trial;
  private final PriorityQueue<Event> agenda =
      new PriorityQueue<>(
          Comparator.comparing(Event::at)
              .thenComparing(event -> event.workload().namespace())
              .thenComparing(event -> event.workload().name()));

  /** When those end that hold quota; another reservation has another end. */
  private final Map<ObjectKey, Instant> ends = new HashMap<>();

  /** How long those had held quota that were preempted: they take longer than that. */
  private final Map<ObjectKey, Duration> heldBefore = new HashMap<>();

  private Instant now;
  private int arrived;
  private long version = Long.MAX_VALUE / 2;

  Replay(
      Configuration configuration,
      ReadObjects objects,
      Instant start,
      StayLength stays,
      Arrivals arrivals,
      RandomGenerator random) {
    this.world = new ReadObjects(objects);
    this.start = start;
    this.now = start;
    this.stays = stays;
    this.arrivals = arrivals;
    this.random = random;
    this.trial = TrialState.ofReadyPods(configuration, world, start);
  }

  /**
   * Runs until a Workload that waits gets quota, at most until the horizon, or until {@link
   * Arrivals#MOST} others have come.
   *
   * @param givesUp whether to give up; asked before each event
   */
  Outcome until(ObjectKey workload, BooleanSupplier givesUp) {
    for (Workload each : world.all(KueueTypes.WORKLOAD)) {
      begin(each);
    }
    awaitArrival();
    for (int event = 0; event < EVENTS && arrived < Arrivals.MOST; event++) {
      if (givesUp.getAsBoolean()) {
        return new Outcome(Optional.empty(), Duration.between(start, now), true);
      }
      carryOut();
      if (trial.reserved(workload).isPresent()) {
        Duration waited = Duration.between(start, now);
        return new Outcome(Optional.of(waited), waited, false);
      }
      Event next = agenda.poll();
      if (next == null || next.at().isAfter(start.plus(HORIZON))) {
        return new Outcome(Optional.empty(), HORIZON, false);
      }
      now = next.at();
      trial.advance(now);
      next.action().run();
      trial.settle();
    }
    return new Outcome(Optional.empty(), Duration.between(start, now), false);
  }

  private void awaitArrival() {
    arrivals
        .next(now, random)
        .ifPresent(when -> at(when, new ObjectKey("", String.valueOf(arrived)), this::arrive));
  }

  private void arrive() {
    change(arrivals.draw(now, ++arrived, random));
    awaitArrival();
  }

  private void begin(Workload workload) {
    ObjectKey key = workload.key();
    WorkloadConditions conditions = workload.conditions();
    Instant requeueAt = workload.status().requeueAt();
    if (conditions.finished()) {
      return;
    }
    if (conditions.holdsQuota() && conditions.evicted()) {
      at(now, key, () -> stop(key));
    } else if (conditions.holdsQuota()) {
      endsAt(workload);
    } else if (requeueAt != null || conditions.heldForDelay()) {
      // A check may change that, or refuse again: no bound of when it competes.
      at(requeueAt == null ? now : requeueAt, key, () -> goOn(key));
    }
  }

  private void endsAt(Workload workload) {
    ObjectKey key = workload.key();
    Instant since = workload.conditions().trueSince(WorkloadConditions.QUOTA_RESERVED).orElse(now);
    Duration reserved = Duration.between(since, now);
    Duration held = longer(reserved, heldBefore.get(key));
    ends.remove(key);
    Optional.ofNullable(workload.status().admission())
        .flatMap(admission -> stays.of(workload, admission.clusterQueue(), reserved, held))
        .map(since::plus)
        .ifPresent(
            end -> {
              ends.put(key, end);
              at(end, key, () -> finish(key, end));
            });
  }

  private static Duration longer(Duration held, @Nullable Duration before) {
    return before == null || held.compareTo(before) > 0 ? held : before;
  }

  private void at(Instant when, ObjectKey key, Runnable action) {
    agenda.add(new Event(when.isBefore(now) ? now : when, key, action));
  }

  /** Follows what the scheduler has decided, until it waits for time to pass. */
  private void carryOut() {
    for (int round = 0; round < ROUNDS; round++) {
      trial
          .newlyReserved()
          .forEach(key -> world.find(KueueTypes.WORKLOAD, key).ifPresent(this::endsAt));
      trial.pauses().forEach((key, pause) -> at(now.plus(pause), key, () -> trial.reconsider(key)));
      List<ObjectKey> victims = trial.victims();
      if (victims.isEmpty()) {
        return;
      }
      victims.forEach(this::stop);
      trial.settle();
    }
  }

  /** It is evicted and waits again, as if it had never run. */
  private void stop(ObjectKey key) {
    ends.remove(key);
    world
        .find(KueueTypes.WORKLOAD, key)
        .ifPresent(
            workload -> {
              workload
                  .conditions()
                  .trueSince(WorkloadConditions.QUOTA_RESERVED)
                  .map(since -> Duration.between(since, now))
                  .ifPresent(held -> heldBefore.merge(key, held, Replay::longer));
              change(workload.withStatus(WorkloadStatus.empty()));
            });
  }

  private void finish(ObjectKey key, Instant end) {
    if (end.equals(ends.get(key))) {
      ends.remove(key);
      world
          .find(KueueTypes.WORKLOAD, key)
          .map(
              workload ->
                  Lifecycle.finish(situation(workload), new FinishedOwner("Succeeded", ""), now))
          .ifPresent(this::change);
    }
  }

  /** Its delay is over. */
  private void goOn(ObjectKey key) {
    world
        .find(KueueTypes.WORKLOAD, key)
        .map(workload -> Lifecycle.plan(situation(workload), now))
        .ifPresent(this::change);
  }

  private static Situation situation(Workload workload) {
    return Situation.of(workload, RequiredChecks.none());
  }

  private void change(Plan plan) {
    if (plan instanceof Plan.PatchStatus patch) {
      change(patch.after());
    }
  }

  private void change(Workload workload) {
    V1ObjectMeta metadata = KueueJson.copyOf(workload.metadata(), V1ObjectMeta.class);
    metadata.setResourceVersion(String.valueOf(++version));
    trial.changed(workload.withMetadata(metadata));
  }
}
