// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scheduler;

import static io.github.kueue4j.jobs.testing.FromYaml.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.core.preemption.PreemptionCandidates;
import io.github.kueue4j.core.queue.NodeConstraints;
import io.github.kueue4j.core.queue.PodSetDemand;
import io.github.kueue4j.core.queue.PodSetDemands;
import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.QueueQuotas;
import io.github.kueue4j.core.quota.QuotaTree;
import io.kubernetes.client.openapi.models.V1NodeSelectorTerm;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

class SchedulingCycleTest {
  @Test
  void decidesInTheOrderOfPriorityAndAge() {
    Snapshot snapshot = snapshot("{}", "BestEffortFIFO", "{}");

    assertThat(
            SchedulingCycle.run(
                snapshot,
                List.of(
                    new SchedulingCycle.Head("a", workload("late", 0, 20, 1)),
                    new SchedulingCycle.Head("a", workload("early", 0, 10, 1)),
                    new SchedulingCycle.Head("a", workload("urgent", 1, 30, 1)))))
        .extracting(decision -> decision.workload().key().name())
        .containsExactly("urgent", "early", "late");
  }

  @Test
  void reservesWhatFits() {
    assertThat(decide(snapshot("{}", "StrictFIFO", "{}"), workload("w", 0, 10, 4)))
        .isInstanceOfSatisfying(
            Decision.ReserveQuota.class,
            reserveQuota -> {
              assertThat(reserveQuota.admission().clusterQueue()).isEqualTo("a");
              assertThat(reserveQuota.admission().podSetAssignments().getFirst().flavors())
                  .containsEntry("cpu", "default");
            });
  }

  @Test
  void aHeadThatDoesNotFitBlocksAStrictQueueOnly() {
    assertThat(decide(snapshot("{}", "StrictFIFO", "{}"), workload("w", 0, 10, 5)))
        .isInstanceOfSatisfying(
            Decision.Inadmissible.class,
            refused -> {
              assertThat(refused.reason()).isEqualTo("ExceedsMaxQuota");
              assertThat(refused.blocking()).isTrue();
            });
    assertThat(decide(snapshot("{}", "BestEffortFIFO", "{}"), workload("w", 0, 10, 5)))
        .isInstanceOfSatisfying(
            Decision.Inadmissible.class, refused -> assertThat(refused.blocking()).isFalse());
  }

  @Test
  void aNamespaceThatDoesNotMatchDoesNotBlockTheQueue() {
    assertThat(
            decide(
                snapshot("{matchLabels: {team: x}}", "StrictFIFO", "{team: y}"),
                workload("w", 0, 10, 1)))
        .isEqualTo(
            new Decision.Inadmissible(
                "a",
                workload("w", 0, 10, 1),
                "Misconfigured",
                "workload namespace doesn't match ClusterQueue selector",
                false));
    assertThat(
            decide(
                snapshot("{matchLabels: {team: x}}", "StrictFIFO", "{team: x}"),
                workload("w", 0, 10, 1)))
        .isInstanceOf(Decision.ReserveQuota.class);
  }

  /** The watch of namespaces may lag behind that of Workloads. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{matchExpressions: [{key: team, operator: NotIn, values: [x]}]}",
        "{matchExpressions: [{key: team, operator: DoesNotExist}]}",
        "{matchLabels: {team: x}}"
      })
  void aNamespaceThatIsNotKnownYetDoesNotMatchByTheAbsenceOfItsLabels(String selector) {
    assertThat(decide(snapshot(selector, "StrictFIFO", "null"), workload("w", 0, 10, 1)))
        .isInstanceOfSatisfying(
            Decision.Inadmissible.class,
            refused -> {
              assertThat(refused.message()).contains("not known yet");
              assertThat(refused.blocking()).isFalse();
            });
    assertThat(decide(snapshot("{}", "StrictFIFO", "null"), workload("w", 0, 10, 1)))
        .isInstanceOf(Decision.ReserveQuota.class);
  }

  @Test
  void anExceptionRefusesOnlyTheHeadThatCausesIt() {
    V1NodeSelectorTerm poison = new V1NodeSelectorTerm();
    poison.setMatchExpressions(Collections.singletonList(null));
    QueuedWorkload poisoned =
        QueuedWorkload.of(
            new ObjectKey("team", "poisoned"),
            "uid",
            "queue",
            9,
            Instant.EPOCH,
            List.of(
                new PodSetDemand(
                    "main",
                    1,
                    1,
                    Amounts.of("cpu", 1),
                    new NodeConstraints(Map.of(), List.of(poison), List.of()))));

    List<Decision> decisions =
        SchedulingCycle.run(
            snapshot("{}", "StrictFIFO", "{}"),
            List.of(
                new SchedulingCycle.Head("a", poisoned),
                new SchedulingCycle.Head("a", workload("w", 0, 10, 1))));

    assertThat(decisions.get(0))
        .isInstanceOfSatisfying(
            Decision.Inadmissible.class,
            refused -> {
              assertThat(refused.message()).startsWith("Failed to admit workload: ");
              assertThat(refused.blocking()).isFalse();
            });
    assertThat(decisions.get(1)).isInstanceOf(Decision.ReserveQuota.class);
  }

  @Test
  void withoutASelectorNoNamespaceMatches() {
    assertThat(decide(snapshot("null", "StrictFIFO", "{}"), workload("w", 0, 10, 1)))
        .isInstanceOf(Decision.Inadmissible.class);
  }

  private static Decision decide(Snapshot snapshot, QueuedWorkload workload) {
    return SchedulingCycle.run(snapshot, List.of(new SchedulingCycle.Head("a", workload)))
        .getFirst();
  }

  private static QueuedWorkload workload(String name, int priority, int second, int cpus) {
    return QueuedWorkload.of(
        new ObjectKey("team", name),
        "uid-" + name,
        "queue",
        priority,
        Instant.ofEpochSecond(second),
        List.of(PodSetDemands.of("main", 1, Amounts.of("cpu", cpus * 1000L))));
  }

  private static Snapshot snapshot(String selector, String strategy, String namespaceLabels) {
    ClusterQueueSpec spec =
        read(
            ClusterQueueSpec.class,
            """
            {namespaceSelector: %s, queueingStrategy: %s, resourceGroups: [{coveredResources: [cpu],
              flavors: [{name: default, resources: [{name: cpu, nominalQuota: 4}]}]}]}
            """
                .formatted(selector, strategy));
    Map<String, String> labels = new Yaml().load(namespaceLabels);
    return Snapshots.of(
        Map.of("a", new Snapshot.Queue(spec, Set.of())),
        QuotaTree.of(List.of(), List.of(QueueQuotas.of("a", spec))),
        Map.of("default", read(ResourceFlavor.class, "{metadata: {name: default}}")),
        labels == null ? Map.of() : Map.of("team", labels),
        PreemptionCandidates.none());
  }
}
