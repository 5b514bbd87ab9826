// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.benchmark;

import static io.github.kueue4j.jobs.testing.FromYaml.read;

import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.core.preemption.Candidate;
import io.github.kueue4j.core.preemption.PreemptionCandidates;
import io.github.kueue4j.core.queue.PendingQueue;
import io.github.kueue4j.core.queue.PodSetDemands;
import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.QueueQuotas;
import io.github.kueue4j.core.quota.QuotaTree;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.scheduler.SchedulingCycle;
import io.github.kueue4j.core.scheduler.Snapshot;
import io.github.kueue4j.core.scheduler.Snapshots;
import io.github.kueue4j.core.testing.Candidates;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * 30 ClusterQueues in five Cohorts, each with 1,000 Workloads that hold a core and a gibibyte each,
 * and many that wait.
 */
final class Crowd {
  private static final int QUEUES = 30;
  private static final int QUEUES_OF_A_COHORT = 6;
  private static final int HOLDERS = 1_000;
  private static final long GIBIBYTE = 1L << 30;
  private static final Instant START = Instant.parse("2026-01-05T00:00:00Z");
  private static final Map<String, ResourceFlavor> FLAVORS =
      Map.of("default", read(ResourceFlavor.class, "{metadata: {name: default}}"));

  private final Situation situation;
  private final Map<String, PendingQueue> pending = new TreeMap<>();
  private final Map<String, ClusterQueueSpec> specs = new TreeMap<>();
  private final Map<String, List<Candidate>> holders = new TreeMap<>();
  private final QuotaTree quota;

  /**
   * Such a crowd.
   *
   * @param waiting how many wait, in all queues together
   */
  Crowd(Situation situation, int waiting) {
    this.situation = situation;
    List<QueueQuotas> quotas = new ArrayList<>();
    for (int i = 0; i < QUEUES; i++) {
      ClusterQueueSpec spec = spec(i);
      specs.put("q" + i, spec);
      quotas.add(QueueQuotas.of("q" + i, spec));
      pending.put("q" + i, new PendingQueue());
      holders.put("q" + i, new ArrayList<>());
    }
    QuotaTree tree = QuotaTree.of(List.of(), quotas);
    for (int i = 0; i < QUEUES * HOLDERS; i++) {
      Candidate holder = holder("q" + i % QUEUES, i);
      Objects.requireNonNull(holders.get(holder.clusterQueue())).add(holder);
      tree = tree.reserve(holder.clusterQueue(), holder.usage());
    }
    quota = tree;
    for (int i = 0; i < waiting; i++) {
      Objects.requireNonNull(pending.get("q" + i % QUEUES)).put(waiting(i));
    }
  }

  /** One cycle as the scheduler runs it: the heads, a snapshot, the decisions. */
  List<Decision> cycle() {
    List<SchedulingCycle.Head> heads = new ArrayList<>();
    Map<String, Snapshot.Queue> queues = new TreeMap<>();
    pending.forEach(
        (name, queue) ->
            queue
                .head(localQueue -> 0)
                .ifPresent(head -> heads.add(new SchedulingCycle.Head(name, head))));
    specs.forEach((name, spec) -> queues.put(name, new Snapshot.Queue(spec, Set.of())));
    PreemptionCandidates preemptionCandidates =
        new PreemptionCandidates(
            queue -> holders.getOrDefault(queue, List.of()), situation.settings(), localQueue -> 0);
    return SchedulingCycle.run(
        Snapshots.of(queues, quota, FLAVORS, Map.of("team", Map.of()), preemptionCandidates),
        heads);
  }

  private ClusterQueueSpec spec(int number) {
    int cores = situation.nominal(number);
    return read(
        ClusterQueueSpec.class,
        """
        {cohortName: cohort-%d, namespaceSelector: {}, preemption: {%s}, resourceGroups: [
          {coveredResources: [cpu, memory], flavors: [{name: default, resources: [
            {name: cpu, nominalQuota: %d}, {name: memory, nominalQuota: %dGi}]}]}]}
        """
            .formatted(number / QUEUES_OF_A_COHORT, situation.preemption(), cores, cores));
  }

  private static Candidate holder(String queue, int number) {
    return Candidates.of(
        new ObjectKey("team", "holder-" + number),
        queue,
        number % 7,
        START.plusSeconds(number),
        Amounts.of(
            Map.of(
                new FlavorResource("default", "cpu"),
                1_000L,
                new FlavorResource("default", "memory"),
                GIBIBYTE)));
  }

  /** Of a hundred shapes: ten priorities above those of the holders, ten sizes. */
  private static QueuedWorkload waiting(int number) {
    int size = 1 + number / QUEUES % 10;
    return QueuedWorkload.of(
        new ObjectKey("team", "waiting-" + number),
        "uid-w" + number,
        "queue",
        10 + number / (QUEUES * 10) % 10,
        START.plusSeconds(100_000 + number),
        List.of(
            PodSetDemands.of(
                "main", 1, Amounts.of(Map.of("cpu", size * 1_000L, "memory", size * GIBIBYTE)))));
  }
}
