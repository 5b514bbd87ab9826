// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.scenarios.dryrun;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.observe.dryrun.DryRun;
import io.github.kueue4j.observe.dryrun.DryRunInputReader;
import io.github.kueue4j.observe.dryrun.DryRunOutcome;
import io.github.kueue4j.observe.dryrun.DryRunResult;
import io.github.kueue4j.observe.dryrun.Manifest;
import io.github.kueue4j.simulation.Seeds;
import io.github.kueue4j.testdefaults.Nightly;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** What a dry run foresees is what a running core decides once the Job is created. */
@Tag("simulates")
class DryRunSeedsTest {
  private static final int JOBS_BEFORE = 6;
  private static final int TRIES = 5;

  private final Map<DryRunOutcome, Integer> outcomes = new EnumMap<>(DryRunOutcome.class);

  /**
   * Seed 923: a running core doesn't try a Workload again that it refused before another reserved
   * quota which it may preempt; a dry run tries it, as a core does that was just started.
   */
  private final List<String> differ = new ArrayList<>();

  /** What became of a Job with its one pod set, by its Workload and those that were evicted. */
  private record Fate(Set<String> flavors, boolean admitted, Set<String> evicted) {}

  @Test
  void theCoreDecidesWhatWasForeseen(TestReporter report) throws Exception {
    Seeds.each(
        Nightly.bound(3, 300), simulation -> simulation.run("test", () -> live(simulation.seed())));

    int tries = outcomes.values().stream().mapToInt(count -> count).sum();
    report.publishEntry("outcomes", outcomes + ", of " + tries + " differ " + differ.size());
    assertThat(differ).hasSizeLessThanOrEqualTo(tries / 1000);
    if (!Seeds.chosen()) {
      assertThat(outcomes)
          .containsKeys(
              DryRunOutcome.ADMITTED,
              DryRunOutcome.PREEMPTS,
              DryRunOutcome.WAITS,
              DryRunOutcome.NEVER_FITS);
    }
  }

  private Void live(long seed) {
    try (TestCluster cluster = new TestCluster()) {
      RandomCluster world = new RandomCluster(seed, cluster);
      Configuration configuration =
          Configuration.parse(
              "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n"
                  + world.settings());
      for (int number = 0; number < JOBS_BEFORE; number++) {
        world.submit(world.anyJob());
        world.goOn();
      }
      for (int number = 0; number < TRIES; number++) {
        TestJob job = world.anyJob();
        List<Manifest> manifests = Manifest.read(job.yaml(), TestCluster.NAMESPACE);
        DryRunResult foreseen =
            DryRun.of(
                    new DryRunInputReader(cluster.api, configuration).read(manifests),
                    cluster.time.instant())
                .getFirst();
        outcomes.merge(foreseen.outcome(), 1, Integer::sum);

        boolean atOnce = noneRuns(cluster, foreseen);
        Set<ObjectKey> before = reserved(cluster);
        cluster.apply(job.yaml());
        ObjectKey created = cluster.workload(job.name()).key();
        cluster.settle();

        Fate fate = fate(cluster, job.name());
        Fate expected = expected(foreseen, getsQuota(cluster, job.name(), foreseen, atOnce));
        Set<ObjectKey> since = reserved(cluster);
        since.removeAll(before);
        since.remove(created);
        if (foreseen.outcome() == DryRunOutcome.PREEMPTS && !since.isEmpty()) {
          // One that precedes it has taken what it got first, so it has other quota by now.
          expected = new Fate(fate.flavors(), expected.admitted(), expected.evicted());
        }
        if (!fate.equals(expected)) {
          differ.add("seed " + seed + ": " + fate + " in place of " + expected + ": " + foreseen);
        }
        world.letRun();
        world.goOn();
      }
    }
    return null;
  }

  private static Set<ObjectKey> reserved(TestCluster cluster) {
    return cluster.workloads().stream()
        .filter(TestCluster::reserved)
        .map(Workload::key)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static boolean noneRuns(TestCluster cluster, DryRunResult foreseen) {
    return foreseen.preempts().stream()
        .allMatch(
            victim ->
                cluster.workloads().stream()
                    .filter(one -> one.key().equals(victim.workload()))
                    .anyMatch(Predicate.not(TestCluster::admitted)));
  }

  /**
   * Whether it has quota after the decisions that follow at once. Victims that only hold quota have
   * nothing to stop: it may have it then, unless a Workload that precedes it has taken it since.
   */
  private static boolean getsQuota(
      TestCluster cluster, String job, DryRunResult foreseen, boolean atOnce) {
    return switch (foreseen.outcome()) {
      case ADMITTED, QUOTA_RESERVED -> true;
      case PREEMPTS -> atOnce && TestCluster.reserved(cluster.workload(job));
      default -> false;
    };
  }

  private static Fate expected(DryRunResult foreseen, boolean getsQuota) {
    return new Fate(
        getsQuota
            ? foreseen.takes().stream()
                .map(part -> part.resource() + " " + part.amount() + " " + part.flavor())
                .collect(Collectors.toCollection(TreeSet::new))
            : Set.of(),
        getsQuota && foreseen.checks().isEmpty(),
        foreseen.preempts().stream()
            .filter(victim -> !victim.already())
            .map(victim -> victim.workload().name() + " " + victim.reason())
            .collect(Collectors.toCollection(TreeSet::new)));
  }

  private static Fate fate(TestCluster cluster, String job) {
    Workload workload = cluster.workload(job);
    Set<String> flavors = new TreeSet<>();
    var admission = workload.status().admission();
    if (TestCluster.reserved(workload) && admission != null) {
      for (PodSetAssignment podSet : admission.podSetAssignments()) {
        podSet
            .resourceUsage()
            .forEach(
                (resource, amount) ->
                    flavors.add(resource + " " + amount + " " + podSet.flavors().get(resource)));
      }
    }
    return new Fate(
        flavors,
        TestCluster.admitted(workload),
        cluster.workloads().stream()
            .flatMap(
                other ->
                    other
                        .conditions()
                        .findTrue(WorkloadConditions.PREEMPTED)
                        .filter(
                            preempted ->
                                preempted.message().contains("UID: " + Uids.of(workload) + ","))
                        .map(preempted -> other.key().name() + " " + preempted.reason())
                        .stream())
            .collect(Collectors.toCollection(TreeSet::new)));
  }
}
