// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.scenarios.dryrun;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.observe.dryrun.DryRun;
import io.github.kueue4j.observe.dryrun.DryRunInputReader;
import io.github.kueue4j.observe.dryrun.DryRunOutcome;
import io.github.kueue4j.observe.dryrun.DryRunResult;
import io.github.kueue4j.observe.dryrun.DryRunResult.PartialOutcome;
import io.github.kueue4j.observe.dryrun.Manifest;
import io.github.kueue4j.simulation.Seeds;
import io.github.kueue4j.testdefaults.Nightly;
import io.github.kueue4j.testdefaults.TestLog;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/**
 * What a dry run foresees of objects whose pods are queued, and of groups of pods, is what a
 * running core decides once they are created, and their controllers have made the first pods.
 */
@Tag("simulates")
class PodsDryRunSeedsTest {
  private static final int JOBS_BEFORE = 6;

  private final Map<DryRunOutcome, Integer> outcomes = new EnumMap<>(DryRunOutcome.class);

  /** What became of an object, by its Workloads and those that were evicted for them. */
  private record Fate(
      int workloads, Map<String, String> quota, int admitted, Set<String> evicted) {}

  @Test
  void theCoreDecidesWhatWasForeseen() throws Exception {
    Seeds.each(
        Nightly.bound(8, 200), simulation -> simulation.run("test", () -> live(simulation.seed())));

    assertThat(outcomes)
        .containsKeys(DryRunOutcome.ADMITTED, DryRunOutcome.PREEMPTS, DryRunOutcome.WAITS);
  }

  private Void live(long seed) {
    TestLog.possible(
        Level.WARN,
        "ConfiguredSettings",
        "The configuration has keys that have no effect",
        "the test itself does what the webhook would");
    try (TestCluster cluster = new TestCluster()) {
      cluster.server.applyCrds(List.of(ServingManifests.LEADER_WORKER_SETS));
      RandomCluster world = new RandomCluster(seed, cluster, ServingManifests.FRAMEWORKS);
      for (int number = 0; number < JOBS_BEFORE; number++) {
        world.submit(world.anyJob());
        world.goOn();
      }
      PlayedPods pods = PlayedPods.any(world);
      DryRunResult foreseen =
          DryRun.of(
                  new DryRunInputReader(
                          cluster.api, ServingManifests.configuration(world.settings()))
                      .read(Manifest.read(pods.manifests(), TestCluster.NAMESPACE)),
                  cluster.time.instant())
              .getFirst();
      outcomes.merge(foreseen.outcome(), 1, Integer::sum);
      boolean stopAtOnce = victimsStopAtOnce(cluster, foreseen);
      List<ObjectKey> before = cluster.workloads().stream().map(Workload::key).toList();

      pods.create(cluster);
      cluster.awaitThat(
          "each unit has a Workload",
          there -> there.workloads().size() == before.size() + pods.units());
      cluster.settle();

      List<Workload> made =
          cluster.workloads().stream().filter(each -> !before.contains(each.key())).toList();
      Fate fate = fate(cluster, made);
      if (stopAtOnce) {
        assertThat(fate.evicted())
            .as("%s: %s", pods, foreseen)
            .containsAll(expected(foreseen).evicted());
      } else {
        assertThat(fate).as("%s: %s", pods, foreseen).isEqualTo(expected(foreseen));
      }
    }
    return null;
  }

  /**
   * Whether a Workload is evicted that waits for its checks: nothing of it runs, so that its quota
   * is free at once, and the first decision, which is what is foreseen, isn't the last.
   */
  private static boolean victimsStopAtOnce(TestCluster cluster, DryRunResult foreseen) {
    return cluster.workloads().stream()
        .filter(
            workload ->
                foreseen.preempts().stream()
                    .anyMatch(victim -> victim.workload().equals(workload.key())))
        .anyMatch(victim -> !TestCluster.admitted(victim));
  }

  private static Fate expected(DryRunResult foreseen) {
    List<PartialOutcome> parts =
        foreseen.parts().isEmpty()
            ? List.of(new PartialOutcome(foreseen.outcome(), 1))
            : foreseen.parts();
    Map<String, String> quota = new TreeMap<>();
    foreseen.takes().stream()
        .filter(part -> part.podSet().isPresent())
        .forEach(
            part ->
                quota.put(
                    part.podSet().orElseThrow() + " " + part.resource() + " " + part.flavor(),
                    part.pods() + " pods, " + part.amount()));
    return new Fate(
        parts.stream().mapToInt(PartialOutcome::count).sum(),
        quota,
        parts.stream()
            .filter(part -> part.outcome() == DryRunOutcome.ADMITTED)
            .mapToInt(PartialOutcome::count)
            .sum(),
        foreseen.preempts().stream()
            .filter(victim -> !victim.already())
            .map(victim -> victim.workload().name() + " " + victim.reason())
            .collect(Collectors.toCollection(TreeSet::new)));
  }

  private static Fate fate(TestCluster cluster, List<Workload> made) {
    Map<String, DryRunResult.TakenQuota> taken = new TreeMap<>();
    List<String> uids = made.stream().map(each -> "UID: " + Uids.of(each) + ",").toList();
    made.stream()
        .filter(TestCluster::reserved)
        .flatMap(each -> Stream.ofNullable(each.status().admission()))
        .flatMap(admission -> admission.podSetAssignments().stream())
        .forEach(
            podSet ->
                podSet
                    .resourceUsage()
                    .forEach(
                        (resource, amount) -> {
                          String flavor = podSet.flavors().getOrDefault(resource, "");
                          taken.merge(
                              podSet.name() + " " + resource + " " + flavor,
                              new DryRunResult.TakenQuota(
                                  Optional.of(podSet.name()),
                                  Objects.requireNonNull(podSet.count()),
                                  resource,
                                  flavor,
                                  amount),
                              (one, other) ->
                                  new DryRunResult.TakenQuota(
                                      one.podSet(),
                                      one.pods() + other.pods(),
                                      resource,
                                      flavor,
                                      one.amount().add(other.amount())));
                        }));
    Map<String, String> quota = new TreeMap<>();
    taken.forEach((key, part) -> quota.put(key, part.pods() + " pods, " + part.amount()));
    return new Fate(
        made.size(),
        quota,
        (int) made.stream().filter(TestCluster::admitted).count(),
        cluster.workloads().stream()
            .flatMap(
                other ->
                    other
                        .conditions()
                        .findTrue(WorkloadConditions.PREEMPTED)
                        .filter(preempted -> uids.stream().anyMatch(preempted.message()::contains))
                        .map(preempted -> other.key().name() + " " + preempted.reason())
                        .stream())
            .collect(Collectors.toCollection(TreeSet::new)));
  }
}
