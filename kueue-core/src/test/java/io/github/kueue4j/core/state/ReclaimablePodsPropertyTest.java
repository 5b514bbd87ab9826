// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.ReclaimablePod;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.quota.AdmittedUsage;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.scheduler.Decision;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/**
 * Pods that will never run again ask for no quota and take none (KEP-78), however Workloads with
 * some of them are evicted, reserved again, or found after a restart.
 */
class ReclaimablePodsPropertyTest {
  private static final int QUOTA = 6;
  private static final int WORKLOADS = 4;
  private static final int OPERATIONS = 7;
  private static final FlavorResource CPU = new FlavorResource("default", "cpu");
  private static final Instant NOW = LateInformerFixture.NOW;

  @Property
  void whatIsHeldIsWhatCanStillRunAndNeverMoreThanTheQuota(
      @ForAll @Size(max = 80)
          List<@IntRange(max = OPERATIONS * WORKLOADS - 1) Integer> operations) {
    World world = new World();
    for (int operation : operations) {
      int number = operation / OPERATIONS;
      switch (operation % OPERATIONS) {
        case 0 -> world.create(number);
        case 1 -> world.deliverNextEvent();
        case 2 -> world.writeReservation(number);
        case 3 -> world.onePodLess(number);
        case 4 -> world.startOver(number);
        case 5 -> world.release(number);
        default -> world.restart();
      }
      world.state().schedule(NOW);
      assertThat(world.held()).isLessThanOrEqualTo(QUOTA);
    }
    world.comeToRest(WORKLOADS);

    assertThat(world.held()).isLessThanOrEqualTo(QUOTA);
    assertThat(world.counted()).isEqualTo(world.held() * 1000L);
    assertThat(world.held() + world.smallestWaiting()).isGreaterThan(QUOTA);
  }

  /** The Job takes back that pods will never run again: their quota is with others by then. */
  @Property
  void whatIsTakenBackIsNotGivenOutTwice(
      @ForAll @Size(max = 60)
          List<@IntRange(max = OPERATIONS * WORKLOADS - 1) Integer> operations) {
    World world = new World();
    for (int operation : operations) {
      int number = operation / OPERATIONS;
      switch (operation % OPERATIONS) {
        case 0 -> world.create(number);
        case 1, 2, 3 -> world.onePodLess(number);
        case 4 -> world.takeBack(number);
        case 5 -> world.release(number);
        default -> world.restart();
      }
      // No event is late here, so that the State knows everything.
      int before = world.held();
      world.comeToRest(WORKLOADS);
      assertThat(world.held()).isLessThanOrEqualTo(Math.max(before, QUOTA));
      assertThat(world.counted()).isEqualTo(world.held() * 1000L);
    }
  }

  /** Workloads whose pods want one CPU each. */
  private static final class World extends LateInformerFixture {
    World() {
      super(QUOTA);
    }

    /** Three or four pods; every other Workload would do with two. */
    void create(int number) {
      create(number, 3 + number % 2, number < 2 ? 2 : null, 1);
    }

    /** What is written is between what the Workload asks for and the least it would do with. */
    @Override
    void reservationIsWritten(Workload written, Decision.ReserveQuota decision) {
      int asked = remaining(written);
      PodSet podSet = written.spec().podSets().getFirst();
      int fewest = Math.min(asked, Objects.requireNonNullElse(podSet.minCount(), asked));
      assertThat(assigned(written)).isBetween(fewest, asked);
      assertThat(AdmittedUsage.of(written))
          .isEqualTo(decision.usage())
          .isEqualTo(Amounts.of(CPU, assigned(written) * 1000L));
    }

    void onePodLess(int number) {
      Workload current = server.get(key(number));
      if (current != null && remaining(current) > 0) {
        int gone = current.spec().podSets().getFirst().count() - remaining(current);
        store(reclaimable(current, List.of(new ReclaimablePod("main", gone + 1))));
      }
    }

    /** A waiting Workload begins anew: all of its pods are to run. */
    void startOver(int number) {
      Workload current = server.get(key(number));
      if (current != null && !Phase.holdsQuota(current)) {
        store(reclaimable(current, List.of()));
      }
    }

    /** All pods are to run again, quota or not. */
    void takeBack(int number) {
      Workload current = server.get(key(number));
      if (current != null) {
        store(reclaimable(current, List.of()));
      }
    }

    void release(int number) {
      Workload current = server.get(key(number));
      if (current != null && Phase.holdsQuota(current)) {
        store(
            current.withStatus(
                current
                    .status()
                    .withAdmission(null)
                    .withConditions(
                        with(
                            current,
                            Condition.isFalse(
                                WorkloadConditions.QUOTA_RESERVED, "Pending", "", NOW)))));
      }
    }

    private static Workload reclaimable(Workload workload, List<ReclaimablePod> pods) {
      return workload.withStatus(workload.status().withReclaimablePods(pods));
    }

    /** Pods for which quota is reserved on the server, or by a decision that will be written. */
    int held() {
      int held = 0;
      for (Workload workload : server.values()) {
        ObjectKey key = ObjectKey.of(workload);
        Decision.ReserveQuota decision = decision(key);
        if (Phase.holdsQuota(workload)) {
          held += Math.min(assigned(workload), remaining(workload));
        } else if (decision != null && applies(key, decision)) {
          held += (int) (decision.usage().get(CPU) / 1000);
        }
      }
      return held;
    }

    /** What the State counts. */
    long counted() {
      return state().reports().clusterQueue("cq").orElseThrow().counts().reservation().get(CPU);
    }

    /** The fewest pods that a waiting Workload would do with. */
    int smallestWaiting() {
      return server.values().stream()
          .filter(workload -> !Phase.holdsQuota(workload))
          .mapToInt(
              workload -> {
                int asked = remaining(workload);
                Integer fewest = workload.spec().podSets().getFirst().minCount();
                return fewest == null ? asked : Math.min(asked, fewest);
              })
          .min()
          .orElse(QUOTA + 1);
    }

    private static int assigned(Workload workload) {
      PodSetAssignment assignment =
          Objects.requireNonNull(workload.status().admission()).podSetAssignments().getFirst();
      return Objects.requireNonNull(assignment.count());
    }

    /** The pods that can still run. */
    private static int remaining(Workload workload) {
      return workload.spec().podSets().getFirst().count()
          - workload.status().reclaimablePods().stream().mapToInt(ReclaimablePod::count).sum();
    }
  }
}
