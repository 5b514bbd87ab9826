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

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.cache.Copies;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.queue.ResourceRules;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.status.QueueCounts;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.yaml.snakeyaml.Yaml;

/**
 * However late the informer is, whichever writes fail, and whenever Workloads finish: what holds
 * quota on the server plus what is about to be written never exceeds the quota, and in the end
 * nothing waits that would fit.
 */
class StatePropertyTest {
  private static final int QUOTA = 5;
  private static final int WORKLOADS = 6;
  private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");

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
      world.state.schedule(NOW);
      assertThat(world.held()).isLessThanOrEqualTo(QUOTA);
    }
    world.comeToRest();

    int held = world.held();
    int smallestWaiting =
        world.server.values().stream()
            .filter(workload -> Phase.of(workload, Set.of()) == Phase.QUEUED)
            .mapToInt(World::cpus)
            .min()
            .orElse(QUOTA + 1);
    assertThat(held + smallestWaiting).isGreaterThan(QUOTA);
    QueueCounts counts = world.state.clusterQueue("cq").orElseThrow().counts();
    assertThat(counts.pending())
        .isEqualTo(
            (int)
                world.server.values().stream()
                    .filter(workload -> Phase.of(workload, Set.of()) == Phase.QUEUED)
                    .count());
    assertThat(counts.reservation().asMap().values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(held * 1000L);
  }

  /** The API server, a late informer and a worker that obeys the test. */
  private static final class World implements State.Effects {
    final Map<ObjectKey, Workload> server = new TreeMap<>();
    final Deque<Workload> events = new ArrayDeque<>();
    final Set<ObjectKey> intended = new HashSet<>();
    final Outbox outbox = new Outbox();
    final State state = new State(ResourceRules.plain(), outbox, this);
    private int version = 1;

    World() {
      state.namespace("team", Map.of());
      state.flavor("default", read(ResourceFlavor.class, "{metadata: {name: default}}"), NOW);
      state.clusterQueue(
          "cq",
          read(
              ClusterQueue.class,
              """
              {metadata: {name: cq}, spec: {namespaceSelector: {}, resourceGroups: [
                {coveredResources: [cpu], flavors: [
                  {name: default, resources: [{name: cpu, nominalQuota: 5}]}]}]}}
              """),
          NOW);
      state.localQueue(
          new ObjectKey("team", "lq"),
          read(
              LocalQueue.class,
              "{metadata: {name: lq, namespace: team}, spec: {clusterQueue: cq}}"),
          NOW);
    }

    void create(int number) {
      ObjectKey key = key(number);
      if (!server.containsKey(key)) {
        store(
            read(
                Workload.class,
                """
                {metadata: {name: %1$s, namespace: team, uid: uid-%1$s}, spec: {queueName: lq,
                  podSets: [{name: main, count: 1, template: {spec: {containers: [
                    {name: c, resources: {requests: {cpu: %2$d}}}]}}}]}}
                """
                    .formatted(key.name(), number % 3 + 1)));
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
      intended.remove(key);
      Workload current = Objects.requireNonNull(server.get(key));
      if (Phase.of(current, Set.of()) == Phase.QUEUED) {
        Admission admission = decision.admission();
        Workload written =
            store(
                current.withStatus(
                    current
                        .status()
                        .withAdmission(admission)
                        .withConditions(
                            Conditions.set(
                                current.status().conditions(),
                                Condition.isTrue(
                                    WorkloadConditions.QUOTA_RESERVED, "R", "", NOW)))));
        state.reservationWritten(key, decision, written, NOW);
      } else {
        state.reservationFailed(key, decision, NOW, NOW);
      }
    }

    void failReservation(int number) {
      ObjectKey key = key(number);
      Decision.Reserve decision = outbox.reservation(key);
      if (decision != null) {
        outbox.settle(key, decision);
        intended.remove(key);
        state.reservationFailed(key, decision, NOW, NOW);
      }
    }

    void finish(int number) {
      Workload current = server.get(key(number));
      if (current != null) {
        store(
            current.withStatus(
                current
                    .status()
                    .withConditions(
                        Conditions.set(
                            current.status().conditions(),
                            Condition.isTrue(WorkloadConditions.FINISHED, "F", "", NOW)))));
      }
    }

    /** Everything is delivered, every reservation is written. */
    void comeToRest() {
      do {
        while (!events.isEmpty()) {
          deliverNextEvent();
        }
        state.schedule(NOW);
        for (int number = 0; number < WORKLOADS; number++) {
          writeReservation(number);
        }
        state.schedule(NOW);
      } while (!events.isEmpty() || !intended.isEmpty());
    }

    /** CPUs that are reserved on the server, or by a decision that will be written. */
    int held() {
      int held = 0;
      for (Workload workload : server.values()) {
        ObjectKey key = ObjectKey.of(workload);
        boolean decided =
            outbox.reservation(key) != null && Phase.of(workload, Set.of()) == Phase.QUEUED;
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
    public void wake(ObjectKey workload) {
      if (outbox.reservation(workload) != null) {
        intended.add(workload);
      }
    }

    @Override
    public void wakeAt(ObjectKey workload, Instant when) {}

    @Override
    public void retryAt(ObjectKey workload, Instant when) {
      state.reconsider(workload, NOW);
    }

    @Override
    public void scheduleAt(Instant when) {}

    @Override
    public void queueChanged(ObjectKey queue) {}

    @Override
    public void cohortChanged(String cohort) {}

    @Override
    public void attempted(Decision decision) {}

    private static <T> T read(Class<T> type, String yaml) {
      Object tree = new Yaml().load(yaml);
      return KueueJson.fromTree(KueueJson.toTree(tree), type);
    }
  }
}
