// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.benchmark;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.Lifecycle;
import io.github.kueue4j.core.lifecycle.Plan;
import io.github.kueue4j.core.lifecycle.QueueSettings;
import io.github.kueue4j.core.lifecycle.RequiredChecks;
import io.github.kueue4j.core.lifecycle.Situation;
import io.github.kueue4j.core.state.AssumedReservation;
import io.github.kueue4j.core.state.Outbox;
import io.github.kueue4j.core.state.State;
import io.github.kueue4j.core.testing.PlainSettings;
import io.github.kueue4j.core.testing.Unheard;
import io.github.kueue4j.jobs.FinishedOwner;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * The State and the lifecycle of a large cluster without its API server: a write succeeds at once.
 * Workloads run until they are told to finish, and another then begins to wait in the same queue.
 */
final class ScaleCluster implements Unheard {
  static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");

  private final ScaleSize size;
  private final ScaleObjects objects;
  private final Outbox outbox = new Outbox();
  private final State state;

  /** The newest versions, as the API server would have them. */
  private final Map<ObjectKey, Workload> workloads = new HashMap<>();

  private Consumer<ObjectKey> woken = key -> {};
  private int created;

  ScaleCluster(ScaleSize size, ScaleVariant variant) {
    this.size = size;
    this.objects = new ScaleObjects(size, variant.policies());
    this.state = new State(PlainSettings.with(null, variant.preemption()), outbox, this, () -> NOW);
  }

  ScaleSize size() {
    return size;
  }

  State state() {
    return state;
  }

  /** What the API server has before the core starts. */
  void create() {
    for (int number = 0; number < size.waiting(); number++) {
      Workload workload = objects.waiting(created++);
      workloads.put(ObjectKey.of(workload), workload);
    }
  }

  void tellQueues() {
    objects.tellQueues(state, NOW);
  }

  void tellWorkloads() {
    workloads.values().forEach(workload -> state.workloads().observed(workload, NOW));
  }

  /** Runs the scheduler until no head is worth a try. */
  void schedule() {
    while (!turn()) {
      // It pauses for events, of which there are none.
    }
  }

  /** One turn of the scheduler; false if it stopped early so that events get theirs. */
  boolean turn() {
    return state.schedule(NOW);
  }

  /** Whether a reservation for a Workload is to be written. */
  boolean reserves(ObjectKey key) {
    return outbox.reservation(key) != null;
  }

  /** From now on {@code heard} learns which Workloads have something to be written. */
  void whenWoken(Consumer<ObjectKey> heard) {
    woken = heard;
  }

  /** The reservation that is to be written for a Workload, written. */
  List<Reserved> carryOut(Iterable<ObjectKey> awake) {
    List<Reserved> written = new ArrayList<>();
    for (ObjectKey key : awake) {
      AssumedReservation reservation = outbox.reservation(key);
      Workload workload = workloads.get(key);
      if (reservation != null
          && workload != null
          && Lifecycle.reserve(
                  situation(workload), reservation.decision().admission(), List.of(), NOW)
              instanceof Plan.PatchStatus patch) {
        Workload stored = objects.stored(patch.after());
        workloads.put(key, stored);
        written.add(new Reserved(reservation, stored));
      }
    }
    return written;
  }

  /** Something of which the State is to learn. */
  interface Event {
    void tell(State state);
  }

  /** A reservation that was written. */
  record Reserved(AssumedReservation reservation, Workload stored) implements Event {
    @Override
    public void tell(State state) {
      state.workloads().reservationWritten(reservation, stored, NOW);
    }
  }

  /**
   * A Workload that runs finishes and is deleted, and another one like it is created in its queue.
   *
   * @return what the informers see of it
   */
  Event finish(ObjectKey key) {
    Workload running = Objects.requireNonNull(workloads.remove(key), key::toString);
    if (!(Lifecycle.finish(situation(running), new FinishedOwner("Succeeded", ""), NOW)
        instanceof Plan.PatchStatus patch)) {
      throw new IllegalStateException(key + " can't finish");
    }
    Workload finished = objects.stored(patch.after());
    Workload next = objects.waiting(objects.numberLike(running, created++));
    workloads.put(ObjectKey.of(next), next);
    return told -> {
      told.workloads().observed(finished, NOW);
      told.workloads().deleted(key, NOW);
      told.workloads().observed(next, NOW);
    };
  }

  int rootOf(Workload workload) {
    return size.rootOf(objects.queueOf(workload));
  }

  Workload workload(ObjectKey key) {
    return Objects.requireNonNull(workloads.get(key), key::toString);
  }

  private static Situation situation(Workload workload) {
    return Situation.of(
        workload,
        QueueSettings.running("lq"),
        QueueSettings.running("cq"),
        RequiredChecks.of(List.of()));
  }

  @Override
  public void wake(ObjectKey workload) {
    woken.accept(workload);
  }

  /** Carries out at once what the State requests, until it requests nothing more. */
  Deque<ObjectKey> settle(Deque<ObjectKey> awake) {
    Deque<ObjectKey> running = new ArrayDeque<>();
    schedule();
    while (!awake.isEmpty()) {
      List<ObjectKey> batch = List.copyOf(awake);
      awake.clear();
      for (Reserved reserved : carryOut(batch)) {
        reserved.tell(state);
        running.add(reserved.reservation().key());
      }
      schedule();
    }
    return running;
  }
}
