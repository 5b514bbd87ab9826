// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.status.QueueCounts;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/**
 * However late the informer is, whichever writes fail, and whenever Workloads finish: what holds
 * quota on the server plus what is about to be written never exceeds the quota, and in the end
 * nothing waits that would fit.
 */
class StatePropertyTest {
  private static final int QUOTA = 5;
  private static final int WORKLOADS = 6;
  private static final Instant NOW = LateInformerFixture.NOW;

  @Property
  void quotaIsNeverExceededAndNothingThatFitsKeepsWaiting(
      @ForAll @Size(max = 80) List<@IntRange(max = 5 * WORKLOADS - 1) Integer> operations) {
    World world = new World();
    for (int operation : operations) {
      int number = operation / 5;
      switch (operation % 5) {
        case 0 -> world.create(number);
        case 1 -> world.deliverNextEvent();
        case 2 -> world.writeReservation(number);
        case 3 -> world.failReservation(number);
        default -> world.finish(number);
      }
      world.state().schedule(NOW);
      assertThat(world.held()).isLessThanOrEqualTo(QUOTA);
    }
    world.comeToRest(WORKLOADS);

    int held = world.held();
    int smallestWaiting =
        world.server.values().stream()
            .filter(workload -> Phase.of(workload, Set.of()) == Phase.QUEUED)
            .mapToInt(World::cpus)
            .min()
            .orElse(QUOTA + 1);
    assertThat(held + smallestWaiting).isGreaterThan(QUOTA);
    QueueCounts counts = world.state().reports().clusterQueue("cq").orElseThrow().counts();
    assertThat(counts.pending())
        .isEqualTo(
            (int)
                world.server.values().stream()
                    .filter(workload -> Phase.of(workload, Set.of()) == Phase.QUEUED)
                    .count());
    assertThat(counts.reservation().asMap().values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(held * 1000L);
  }

  /** Workloads that ask for one to three CPUs and finish at some time. */
  private static final class World extends LateInformerFixture {
    World() {
      super(QUOTA);
    }

    void create(int number) {
      create(number, 1, null, number % 3 + 1);
    }

    void finish(int number) {
      Workload current = server.get(key(number));
      if (current != null) {
        store(
            current.withStatus(
                current
                    .status()
                    .withConditions(
                        with(
                            current,
                            Condition.isTrue(WorkloadConditions.FINISHED, "F", "", NOW)))));
      }
    }

    /** CPUs that are reserved on the server, or by a decision that will be written. */
    int held() {
      int held = 0;
      for (Workload workload : server.values()) {
        ObjectKey key = ObjectKey.of(workload);
        Decision.ReserveQuota decision = decision(key);
        boolean decided = decision != null && applies(key, decision);
        if (Phase.holdsQuota(workload) || decided) {
          held += cpus(workload);
        }
      }
      return held;
    }

    static int cpus(Workload workload) {
      String name = ObjectKey.of(workload).name();
      return Integer.parseInt(name.substring(1)) % 3 + 1;
    }
  }
}
