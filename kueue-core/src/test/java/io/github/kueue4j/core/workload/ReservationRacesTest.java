// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.workload;

import static io.github.kueue4j.core.testing.TeamState.cpus;
import static io.github.kueue4j.core.testing.TeamState.key;
import static io.github.kueue4j.jobs.testing.FromYaml.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.state.AssumedReservation;
import io.github.kueue4j.core.state.PreemptionOrder;
import io.github.kueue4j.core.state.State;
import io.github.kueue4j.core.state.WriteOutcomes;
import io.github.kueue4j.core.testing.TeamState;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;

/**
 * Workloads of different priorities compete for a queue, while the scheduler, their workers and the
 * events about both take turns in any order.
 */
class ReservationRacesTest {
  private static final int QUOTA = 3;
  private static final int WORKLOADS = 5;
  private static final int ACTIONS = 7;

  @Property
  void quotaIsNeverGivenTwice(
      @ForAll @Size(max = 80) List<@IntRange(max = ACTIONS * WORKLOADS - 1) Integer> operations) {
    World world = new World();
    for (int operation : operations) {
      ObjectKey workload = key("w" + operation / ACTIONS);
      switch (operation % ACTIONS) {
        case 0 -> world.create(operation / ACTIONS);
        case 1 -> world.delete(workload);
        case 2 -> world.deliverNextEvent();
        case 3 -> world.schedule();
        case 4 -> world.workerReads(workload);
        case 5 -> world.workerWrites(workload);
        default -> world.workerGivesUp(workload);
      }
      assertThat(world.given()).isLessThanOrEqualTo(QUOTA);
    }
    world.comeToRest();

    assertThat(world.counted()).isEqualTo(world.given());
  }

  /** What a worker has read: what was decided, and the version then; each may be missing. */
  private record Read(@Nullable AssumedReservation reservation, @Nullable Workload seen) {}

  private static final class World implements WriteOutcomes {
    private final Map<ObjectKey, Workload> server = new TreeMap<>();
    private final Deque<Consumer<State>> events = new ArrayDeque<>();
    private final Map<ObjectKey, Read> steps = new HashMap<>();
    private Instant steady = TeamState.NOW;
    private int version = 1;

    private final TeamState team =
        new TeamState(null, PreemptionSettings.classical(), () -> steady);

    World() {
      team.clusterQueue("cq", "preemption: {withinClusterQueue: LowerPriority}, " + cpus(QUOTA));
      team.localQueue("lq", "cq", 0);
    }

    void create(int number) {
      ObjectKey key = key("w" + number);
      if (!server.containsKey(key)) {
        store(
            read(
                Workload.class,
                """
                {metadata: {name: %1$s, namespace: team, uid: uid-%4$d}, spec: {queueName: lq,
                  priority: %2$d, podSets: [{name: main, count: 1, template: {spec: {containers: [
                    {name: c, resources: {requests: {cpu: %3$d}}}]}}}]}}
                """
                    .formatted(key.name(), number, cpusOf(key), version)));
      }
    }

    private static int cpusOf(ObjectKey key) {
      return Integer.parseInt(key.name().substring(1)) % QUOTA + 1;
    }

    void delete(ObjectKey key) {
      if (server.remove(key) != null) {
        events.add(state -> state.workloads().deleted(key, TeamState.NOW));
      }
    }

    private Workload store(Workload workload) {
      V1ObjectMeta metadata = KueueJson.copyOf(workload.metadata(), V1ObjectMeta.class);
      metadata.setResourceVersion(String.valueOf(version++));
      Workload stored = workload.withMetadata(metadata);
      server.put(ObjectKey.of(stored), stored);
      events.add(state -> state.workloads().observed(stored, TeamState.NOW));
      return stored;
    }

    void deliverNextEvent() {
      Consumer<State> event = events.poll();
      if (event != null) {
        event.accept(team.state());
      }
    }

    void schedule() {
      steady = steady.plusMillis(400);
      team.schedule();
    }

    void workerReads(ObjectKey key) {
      steps.put(key, new Read(team.outbox().reservation(key), server.get(key)));
    }

    /** The worker carries out what it has read to be decided; the scheduler runs meanwhile. */
    void workerWrites(ObjectKey key) {
      Read read = steps.remove(key);
      Workload current = server.get(key);
      PreemptionOrder order = team.outbox().preemption(key);
      if (read == null || current == null) {
        return;
      }
      AssumedReservation reservation = read.reservation();
      if (reservation != null && reservation.decision().workload().uid().equals(Uids.of(current))) {
        reservation.send(
            () -> {
              schedule();
              return store(
                  current.withStatus(
                      current
                          .status()
                          .withAdmission(reservation.decision().admission())
                          .withConditions(quotaReserved(current, true))));
            },
            this);
      } else if (order != null && order.concerns(current) && Phase.holdsQuota(current)) {
        written(
            store(
                current.withStatus(
                    current
                        .status()
                        .withAdmission(null)
                        .withConditions(quotaReserved(current, false)))));
        team.outbox().settle(key, order);
      } else {
        giveUp(read);
      }
    }

    private List<Condition> quotaReserved(Workload workload, boolean isSo) {
      Instant now = TeamState.NOW.plusSeconds(version);
      return Conditions.set(
          workload.status().conditions(),
          isSo
              ? Condition.isTrue(WorkloadConditions.QUOTA_RESERVED, "QuotaReserved", "", now)
              : Condition.isFalse(WorkloadConditions.QUOTA_RESERVED, "Pending", "", now));
    }

    void workerGivesUp(ObjectKey key) {
      Read read = steps.remove(key);
      if (read != null) {
        giveUp(read);
      }
    }

    private void giveUp(Read read) {
      if (read.reservation() != null) {
        read.reservation().failed(read.seen(), Duration.ZERO, this);
      }
    }

    void comeToRest() {
      for (int round = 0; round < 10 * WORKLOADS; round++) {
        while (!events.isEmpty()) {
          deliverNextEvent();
        }
        schedule();
        List.copyOf(server.keySet())
            .forEach(
                key -> {
                  workerReads(key);
                  workerWrites(key);
                });
      }
      while (!events.isEmpty()) {
        deliverNextEvent();
      }
    }

    /** CPUs of those that hold quota on the server, or will by a decision. */
    int given() {
      return server.values().stream()
          .filter(workload -> Phase.holdsQuota(workload) || isDecided(workload))
          .mapToInt(workload -> cpusOf(ObjectKey.of(workload)))
          .sum();
    }

    private boolean isDecided(Workload workload) {
      AssumedReservation reservation = team.outbox().reservation(ObjectKey.of(workload));
      return reservation != null
          && reservation.decision().workload().uid().equals(Uids.of(workload));
    }

    /** CPUs that the scheduler counts as used. */
    int counted() {
      return team
              .state()
              .reports()
              .clusterQueue("cq")
              .orElseThrow()
              .counts()
              .reservation()
              .asMap()
              .values()
              .stream()
              .mapToInt(Long::intValue)
              .sum()
          / 1000;
    }

    @Override
    public void written(Workload workload) {
      events.add(state -> state.workloads().written(workload, TeamState.NOW));
    }

    @Override
    public void reservationWritten(AssumedReservation reservation, Workload written) {
      events.add(
          state -> state.workloads().reservationWritten(reservation, written, TeamState.NOW));
    }

    @Override
    public void reservationFailed(AssumedReservation reservation, Duration pause) {
      events.add(state -> state.workloads().reservationFailed(reservation, pause, TeamState.NOW));
    }

    @Override
    public void preemptionFailed(PreemptionOrder order, Duration pause) {
      events.add(state -> state.workloads().preemptionFailed(order, pause, TeamState.NOW));
    }

    @Override
    public void catchUp() {}
  }
}
