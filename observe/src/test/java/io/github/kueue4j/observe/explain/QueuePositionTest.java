// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import static io.github.kueue4j.jobs.testing.FromYaml.read;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.testing.TeamState;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class QueuePositionTest {
  private static final ClusterQueue QUEUE =
      read(
          ClusterQueue.class,
          "{metadata: {name: cq}, spec: {namespaceSelector: {}, %s}}".formatted(TeamState.cpus(4)));

  @Test
  void rivalsThatCanNeverFitDoNotCount() {
    QueuePosition position = among(List.of(workload("large", 9, 5), workload("small", 8, 1)));

    assertThat(position.ahead())
        .singleElement()
        .matches(rival -> rival.key().name().equals("small"));
  }

  /** There may be 10,000 of them, and an explanation asks several times. */
  @Test
  void rivalsAreReadOnce() {
    List<Workload> rivals =
        IntStream.range(0, 200)
            .mapToObj(number -> workload("w" + number, 9, 1 + number % 5))
            .toList();
    assertThat(among(rivals).ahead()).hasSize(160);
    QueuePosition position = among(rivals);

    long before = allocated();
    assertThat(position.ahead()).hasSize(160);
    long first = allocated() - before;
    before = allocated();
    assertThat(position.ahead()).hasSize(160);
    long second = allocated() - before;

    assertThat(second).isLessThan(first / 4);
  }

  /** By the transformation its five CPUs count as two and a half, of the four that there are. */
  @Test
  void rivalsAskForWhatTheCoreCounts() {
    Configuration halved =
        Configuration.parse(
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            resources: {transformations: [{input: cpu, strategy: Replace, outputs: {cpu: 500m}}]}
            """);
    List<Workload> rivals = List.of(workload("large", 9, 5));

    assertThat(among(rivals, null).ahead()).isEmpty();
    assertThat(among(rivals, halved).ahead()).hasSize(1);
  }

  private static QueuePosition among(List<Workload> rivals) {
    return among(rivals, null);
  }

  private static QueuePosition among(List<Workload> rivals, @Nullable Configuration configuration) {
    Workload self = workload("self", 0, 1);
    ExplainInput around =
        new ExplainInput(
            self,
            null,
            List.of(),
            read(
                LocalQueue.class,
                "{metadata: {name: lq, namespace: team}, spec: {clusterQueue: cq}}"),
            QUEUE,
            Map.of("default", read(ResourceFlavor.class, "{metadata: {name: default}}")),
            Map.of(),
            Map.of(),
            Set.of(),
            rivals,
            List.of(),
            Map.of(),
            List.of(),
            List.of(),
            Map.of(),
            configuration,
            null,
            Set.of());
    return new QueuePosition(new WorkloadView(around, self, TeamState.NOW), QUEUE);
  }

  private static Workload workload(String name, int priority, int cpus) {
    return read(
        Workload.class,
        """
        {metadata: {name: %1$s, namespace: team, uid: uid-%1$s, resourceVersion: '1',
            creationTimestamp: '2026-01-05T07:00:00Z'},
          spec: {queueName: lq, priority: %2$d, podSets: [{name: main, count: 1, template:
            {spec: {containers: [{name: c, resources: {requests: {cpu: %3$d}}}]}}}]}}
        """
            .formatted(name, priority, cpus));
  }

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }
}
