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
package io.github.kueue4j.core.state;

import static io.github.kueue4j.core.testing.FromYaml.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.ReclaimablePod;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.cache.Copies;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.queue.Demands;
import io.github.kueue4j.core.queue.ResourceRules;
import io.github.kueue4j.core.quota.AdmittedUsage;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.testing.Unheard;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
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
  private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");

  @Property(tries = 300)
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
      world.state.schedule(NOW);
      assertThat(world.held()).isLessThanOrEqualTo(QUOTA);
    }
    world.comeToRest();

    assertThat(world.held()).isLessThanOrEqualTo(QUOTA);
    assertThat(world.counted()).isEqualTo(world.held() * 1000L);
    assertThat(world.held() + world.smallestWaiting()).isGreaterThan(QUOTA);
  }

  /** Somebody takes back that pods will never run again: they had been given to others by then. */
  @Property(tries = 300)
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
      // Nothing is late here, so that whoever decides knows all that is so.
      int before = world.held();
      world.comeToRest();
      assertThat(world.held()).isLessThanOrEqualTo(Math.max(before, QUOTA));
      assertThat(world.counted()).isEqualTo(world.held() * 1000L);
    }
  }

  /** The API server, a late informer and a worker that obeys the test; each pod wants one CPU. */
  private static final class World implements Unheard {
    final Map<ObjectKey, Workload> server = new TreeMap<>();
    final Deque<Workload> events = new ArrayDeque<>();
    Outbox outbox = new Outbox();
    State state = newState();
    private int version = 1;

    /** A core that starts and has heard of everything. */
    void restart() {
      events.clear();
      outbox = new Outbox();
      state = newState();
      server.values().forEach(workload -> state.workload(workload, NOW));
    }

    private State newState() {
      State created = new State(ResourceRules.plain(), outbox, this);
      created.namespace("team", Map.of());
      created.flavor("default", read(ResourceFlavor.class, "{metadata: {name: default}}"), NOW);
      created.clusterQueue(
          "cq",
          read(
              ClusterQueue.class,
              """
              {metadata: {name: cq}, spec: {namespaceSelector: {}, resourceGroups: [
                {coveredResources: [cpu], flavors: [
                  {name: default, resources: [{name: cpu, nominalQuota: 6}]}]}]}}
              """),
          NOW);
      created.localQueue(
          new ObjectKey("team", "lq"),
          read(
              LocalQueue.class,
              "{metadata: {name: lq, namespace: team}, spec: {clusterQueue: cq}}"),
          NOW);
      return created;
    }

    /** Three or four pods; every other Workload would do with two. */
    void create(int number) {
      ObjectKey key = key(number);
      if (!server.containsKey(key)) {
        store(
            read(
                Workload.class,
                """
                {metadata: {name: %1$s, namespace: team, uid: uid-%1$s}, spec: {queueName: lq,
                  podSets: [{name: main, count: %2$d, minCount: %3$s, template: {spec: {containers: [
                    {name: c, resources: {requests: {cpu: 1}}}]}}}]}}
                """
                    .formatted(key.name(), 3 + number % 2, number < 2 ? "2" : "null")));
      }
    }

    void deliverNextEvent() {
      Workload event = events.poll();
      if (event != null) {
        state.workload(event, NOW);
      }
    }

    void writeReservation(int number) {
      ObjectKey key = key(number);
      Decision.Reserve decision = outbox.reservation(key);
      if (decision == null) {
        return;
      }
      outbox.settle(key, decision);
      Workload current = Objects.requireNonNull(server.get(key));
      if (!decided(key, decision)) {
        state.reservationFailed(key, decision, NOW, NOW);
        return;
      }
      Workload written =
          store(
              current.withStatus(
                  current
                      .status()
                      .withAdmission(decision.admission())
                      .withConditions(reserved(current, true))));
      int asked = remaining(current);
      PodSet podSet = current.spec().podSets().getFirst();
      int fewest = Math.min(asked, Objects.requireNonNullElse(podSet.minCount(), asked));
      assertThat(assigned(written)).isBetween(fewest, asked);
      assertThat(AdmittedUsage.of(written))
          .isEqualTo(decision.usage())
          .isEqualTo(Amounts.of(CPU, assigned(written) * 1000L));
      state.reservationWritten(key, decision, written, NOW);
    }

    /** Whether a worker would write it: it is still what the Workload asks for. */
    private boolean decided(ObjectKey key, Decision.Reserve decision) {
      Workload current = Objects.requireNonNull(server.get(key));
      return Phase.of(current, Set.of()) == Phase.QUEUED
          && decision.workload().podSets().equals(Demands.plain().of(current));
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
                current.status().withAdmission(null).withConditions(reserved(current, false))));
      }
    }

    private static Workload reclaimable(Workload workload, List<ReclaimablePod> pods) {
      return workload.withStatus(workload.status().withReclaimablePods(pods));
    }

    private static List<Condition> reserved(Workload workload, boolean reserved) {
      String type = WorkloadConditions.QUOTA_RESERVED;
      return Conditions.set(
          workload.status().conditions(),
          reserved
              ? Condition.isTrue(type, "QuotaReserved", "", NOW)
              : Condition.isFalse(type, "Pending", "", NOW));
    }

    /** Everything is delivered, every reservation is written. */
    void comeToRest() {
      boolean rests = false;
      while (!rests) {
        while (!events.isEmpty()) {
          deliverNextEvent();
        }
        state.schedule(NOW);
        for (int number = 0; number < WORKLOADS; number++) {
          writeReservation(number);
        }
        state.schedule(NOW);
        rests = events.isEmpty() && server.keySet().stream().noneMatch(this::isDecided);
      }
    }

    private boolean isDecided(ObjectKey key) {
      return outbox.reservation(key) != null;
    }

    /** Pods for which quota is reserved on the server, or by a decision that will be written. */
    int held() {
      int held = 0;
      for (Workload workload : server.values()) {
        ObjectKey key = ObjectKey.of(workload);
        Decision.Reserve decision = outbox.reservation(key);
        if (Phase.holdsQuota(workload)) {
          held += Math.min(assigned(workload), remaining(workload));
        } else if (decision != null && decided(key, decision)) {
          held += (int) (decision.usage().get(CPU) / 1000);
        }
      }
      return held;
    }

    /** What the State counts. */
    long counted() {
      return state.clusterQueue("cq").orElseThrow().counts().reservation().get(CPU);
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

    private static ObjectKey key(int number) {
      return new ObjectKey("team", "w" + number);
    }

    private Workload store(Workload workload) {
      V1ObjectMeta metadata = Copies.of(workload.metadata(), V1ObjectMeta.class);
      metadata.setResourceVersion(String.valueOf(version++));
      Workload stored = workload.withMetadata(metadata);
      server.put(ObjectKey.of(stored), stored);
      events.add(stored);
      return stored;
    }

    @Override
    public void retryAt(ObjectKey workload, Instant when) {
      state.reconsider(workload, NOW);
    }
  }
}
