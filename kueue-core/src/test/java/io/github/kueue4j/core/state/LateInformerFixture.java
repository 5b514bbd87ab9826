// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import static io.github.kueue4j.jobs.testing.FromYaml.read;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.queue.DemandCalculator;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.testing.OneQueue;
import io.github.kueue4j.core.testing.PlainSettings;
import io.github.kueue4j.core.testing.TeamState;
import io.github.kueue4j.core.testing.Unheard;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A State with one queue, the Workloads of an API server, an informer that delivers their changes
 * late and a worker that writes reservations when the test says so. Workloads have numbers.
 */
abstract class LateInformerFixture implements Unheard {
  static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");

  /** The Workloads as they are stored, ahead of what the State has observed. */
  final Map<ObjectKey, Workload> server = new TreeMap<>();

  private final Deque<Workload> events = new ArrayDeque<>();
  private final int cpus;
  private Outbox outbox = new Outbox();
  private State state;
  private int version = 1;

  /** Nothing is stored, and the queue has so many CPUs. */
  LateInformerFixture(int cpus) {
    this.cpus = cpus;
    this.state = newState();
  }

  private State newState() {
    State created = new State(PlainSettings.create(), outbox, this, () -> NOW);
    OneQueue.addTo(created, TeamState.cpus(cpus), NOW);
    return created;
  }

  final State state() {
    return state;
  }

  final Decision.@Nullable ReserveQuota decision(ObjectKey key) {
    AssumedReservation reservation = outbox.reservation(key);
    return reservation == null ? null : reservation.decision();
  }

  static ObjectKey key(int number) {
    return new ObjectKey("team", "w" + number);
  }

  /**
   * A Workload with one pod set, unless there is one with this number.
   *
   * @param minCount the pods that it would do with; null for all
   * @param cpus that each pod requests
   */
  final void create(int number, int count, @Nullable Integer minCount, int cpus) {
    ObjectKey key = key(number);
    if (!server.containsKey(key)) {
      store(
          read(
              Workload.class,
              """
              {metadata: {name: %1$s, namespace: team, uid: uid-%1$s}, spec: {queueName: lq,
                podSets: [{name: main, count: %2$d, minCount: %3$s, template: {spec: {containers: [
                  {name: c, resources: {requests: {cpu: %4$d}}}]}}}]}}
              """
                  .formatted(key.name(), count, minCount, cpus)));
    }
  }

  /** Stores a Workload; the informer will deliver it. */
  final Workload store(Workload workload) {
    V1ObjectMeta metadata = KueueJson.copyOf(workload.metadata(), V1ObjectMeta.class);
    metadata.setResourceVersion(String.valueOf(version++));
    Workload stored = workload.withMetadata(metadata);
    server.put(ObjectKey.of(stored), stored);
    events.add(stored);
    return stored;
  }

  final void deliverNextEvent() {
    Workload event = events.poll();
    if (event != null) {
      state.workloads().observed(event, NOW);
    }
  }

  /** Replaces the core by one that has just listed the Workloads. */
  final void restart() {
    events.clear();
    outbox = new Outbox();
    state = newState();
    server.values().forEach(workload -> state.workloads().observed(workload, NOW));
  }

  /** The worker writes the reservation that was decided, or finds that it no longer applies. */
  final void writeReservation(int number) {
    ObjectKey key = key(number);
    AssumedReservation reservation = outbox.reservation(key);
    if (reservation == null) {
      return;
    }
    Decision.ReserveQuota decision = reservation.decision();
    if (!applies(key, decision)) {
      failReservation(number);
      return;
    }
    Workload current = Objects.requireNonNull(server.get(key));
    Workload written =
        store(
            current.withStatus(
                current
                    .status()
                    .withAdmission(decision.admission())
                    .withConditions(
                        with(
                            current,
                            Condition.isTrue(
                                WorkloadConditions.QUOTA_RESERVED, "QuotaReserved", "", NOW)))));
    reservationIsWritten(written, decision);
    state.workloads().reservationWritten(reservation, written, NOW);
  }

  /** Called with each reservation that is written, before the State knows. */
  void reservationIsWritten(Workload written, Decision.ReserveQuota decision) {}

  /** The API server refuses the reservation that was decided. */
  final void failReservation(int number) {
    AssumedReservation reservation = outbox.reservation(key(number));
    if (reservation != null) {
      state.workloads().reservationFailed(reservation, Duration.ZERO, NOW);
    }
  }

  /** Whether the worker would write the decision: it is still what the Workload asks for. */
  final boolean applies(ObjectKey key, Decision.ReserveQuota decision) {
    Workload current = Objects.requireNonNull(server.get(key));
    return Phase.of(current, Set.of()) == Phase.QUEUED
        && decision.workload().podSets().equals(DemandCalculator.plain().of(current));
  }

  /** Delivers everything and writes every reservation until neither leads to more. */
  final void comeToRest(int workloads) {
    do {
      while (!events.isEmpty()) {
        deliverNextEvent();
      }
      state.schedule(NOW);
      for (int number = 0; number < workloads; number++) {
        writeReservation(number);
      }
      state.schedule(NOW);
    } while (!events.isEmpty() || server.keySet().stream().anyMatch(key -> decision(key) != null));
  }

  /** The conditions of a Workload with this one. */
  static List<Condition> with(Workload workload, Condition condition) {
    return Conditions.set(workload.status().conditions(), condition);
  }

  @Override
  public final void retryAfter(ObjectKey workload, Duration pause) {
    state.workloads().reconsider(workload, NOW, NOW);
  }
}
