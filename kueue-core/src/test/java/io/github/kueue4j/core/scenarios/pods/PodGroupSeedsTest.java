// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.jobs.PodPhases;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.simulation.Seeds;
import io.github.kueue4j.testdefaults.Nightly;
import io.kubernetes.client.openapi.models.V1Pod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A large group whose pods come in any order, too many of them, to a core that sees them late. */
@Tag("simulates")
class PodGroupSeedsTest {
  private static final int TOTAL = Nightly.bound(25, 500);
  private static final int LARGE = TOTAL / 5;
  private static final int EXCESS = 5;

  @Test
  void asManyPodsRunAsWereAdmittedWhateverTheOrder() throws Exception {
    Seeds.each(
        Nightly.bound(1, 20),
        simulation -> simulation.run("test", () -> live(new Random(simulation.seed()))));
  }

  private static Void live(Random random) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < TOTAL + EXCESS; i++) {
      names.add((i < LARGE ? "large-" : "small-") + i);
    }
    Collections.shuffle(names, random);
    try (PodsCluster cluster = new PodsCluster("default=" + (TOTAL + LARGE))) {
      cluster.cluster.server.faults().delayEvents(RequestMatcher.resource("pods"), late(random));
      int before = random.nextInt(names.size());
      names.subList(0, before).forEach(name -> create(cluster, name));
      cluster.startCore();
      names.subList(before, names.size()).forEach(name -> create(cluster, name));

      assertThat(cluster.awaitGroup(TestCluster::admitted).spec().podSets())
          .extracting(PodSet::count)
          .satisfies(counts -> assertThat(counts.stream().mapToInt(c -> c).sum()).isEqualTo(TOTAL));
      cluster.cluster.passUntil("all have started", world -> running(cluster).size() == TOTAL);
      cluster.cluster.passUntil("the others are deleted", world -> pods(cluster).size() == TOTAL);

      Set<String> failed = new HashSet<>();
      for (V1Pod pod : running(cluster)) {
        String name = ObjectKey.of(pod).name();
        boolean fails = failed.isEmpty() || random.nextInt(10) == 0;
        cluster.ends(name, fails ? "Failed" : "Succeeded");
        if (fails) {
          failed.add(name);
          create(cluster, name + "-again");
        }
      }
      cluster.cluster.passUntil(
          "they are replaced", world -> running(cluster).size() == failed.size());
      failed.forEach(name -> cluster.ends(name + "-again", "Succeeded"));
      cluster.awaitGroup(workload -> TestCluster.isTrue(workload, WorkloadConditions.FINISHED));
      cluster.cluster.passUntil(
          "all are let go",
          world -> pods(cluster).stream().allMatch(pod -> PodsCluster.finalizers(pod).isEmpty()));
    }
    return null;
  }

  private static Duration late(Random random) {
    return Duration.ofMillis(random.nextInt(5_000));
  }

  private static void create(PodsCluster cluster, String name) {
    cluster.member(name, name.startsWith("large") ? "2" : "1", TOTAL);
  }

  private static List<V1Pod> pods(PodsCluster cluster) {
    return cluster.cluster.api.list(CoreTypes.POD, ListOptions.all()).items();
  }

  /** Those that use quota, never more than were admitted. */
  private static List<V1Pod> running(PodsCluster cluster) {
    List<V1Pod> running =
        pods(cluster).stream()
            .filter(pod -> !PodsCluster.gated(pod) && !PodPhases.ended(pod))
            .toList();
    Map<String, Long> byRole =
        running.stream()
            .collect(
                Collectors.groupingBy(
                    pod -> pod.getMetadata().getLabels().get("kueue.x-k8s.io/podset"),
                    Collectors.counting()));
    for (PodSet podSet :
        cluster.group().map(workload -> workload.spec().podSets()).orElse(List.of())) {
      assertThat(byRole.getOrDefault(podSet.name(), 0L))
          .as(podSet.name())
          .isLessThanOrEqualTo(podSet.count());
    }
    assertThat(running).hasSizeLessThanOrEqualTo(TOTAL);
    return running;
  }
}
