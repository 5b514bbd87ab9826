// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.scenarios.dryrun;

import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/**
 * A cluster with a core, some ClusterQueues of one or two Cohorts with any policies, and Jobs that
 * run, stop and wait. All of it follows from a number.
 */
final class RandomCluster {
  private final Random random;
  private final TestCluster cluster;
  private final int queues;
  private final String settings;
  private final List<String> jobs = new ArrayList<>();

  RandomCluster(long seed, TestCluster cluster) {
    this(seed, cluster, "");
  }

  /**
   * A cluster.
   *
   * @param more lines of the configuration of its core
   */
  RandomCluster(long seed, TestCluster cluster, String more) {
    this.random = new Random(seed);
    this.cluster = cluster;
    this.queues = 2 + random.nextInt(3);
    cluster.apply(
        """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass,
          metadata: {name: low}, value: 1}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass,
          metadata: {name: high}, value: 100}
        ---
        {apiVersion: v1, kind: LimitRange, metadata: {name: defaults, namespace: team}, spec: {limits: [
          {type: Container, defaultRequest: {cpu: 1}}]}}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: Cohort, metadata: {name: left},
          spec: {parentName: root}}
        """);
    cluster.flavor("first");
    cluster.flavor("second");
    cluster.check("budget");
    for (int number = 0; number < queues; number++) {
      queue(number);
    }
    this.settings =
        random.nextInt(3) == 0
            ? "fairSharing: {preemptionStrategies: [LessThanOrEqualToFinalShare,"
                + " LessThanInitialShare]}\n"
            : "";
    cluster.startCore(settings + more);
  }

  /** The configuration of its core, as far as it differs from the defaults. */
  String settings() {
    return settings;
  }

  private void queue(int number) {
    String reclaim = any("Never", "LowerPriority", "Any");
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: cq%1$d}
        spec:
          cohortName: %2$s
          namespaceSelector: {}
          queueingStrategy: %3$s
          resourceGroups: [{coveredResources: [cpu], flavors: [%4$s%5$s]}]
          preemption: {withinClusterQueue: %6$s, reclaimWithinCohort: %7$s,
            borrowWithinCohort: {policy: %8$s}}
          flavorFungibility: {whenCanBorrow: %9$s, whenCanPreempt: %10$s}
          %11$s
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: lq%1$d, namespace: team}
        spec: {clusterQueue: cq%1$d}
        """
            .formatted(
                number,
                any("left", "root"),
                any("BestEffortFIFO", "BestEffortFIFO", "StrictFIFO"),
                flavor("first"),
                random.nextBoolean() ? ", " + flavor("second") : "",
                any("Never", "LowerPriority", "LowerOrNewerEqualPriority"),
                reclaim,
                reclaim.equals("Never") ? "Never" : any("Never", "LowerPriority"),
                any("MayStopSearch", "TryNextFlavor"),
                any("MayStopSearch", "TryNextFlavor"),
                random.nextInt(4) == 0
                    ? "admissionChecksStrategy: {admissionChecks: [{name: budget}]}"
                    : ""));
  }

  private String flavor(String name) {
    return "{name: %s, resources: [{name: cpu, nominalQuota: %d%s}]}"
        .formatted(
            name, random.nextInt(5), any("", "", ", borrowingLimit: 1", ", lendingLimit: 1"));
  }

  /** A LocalQueue. */
  String anyQueue() {
    return "lq" + random.nextInt(queues);
  }

  String any(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  /** A Job that a user may submit next. */
  TestJob anyJob() {
    TestJob job =
        TestJob.named("job-" + jobs.size())
            .queue(anyQueue())
            .priority(any("low", "low", "high"))
            .pods(1 + random.nextInt(3));
    jobs.add(job.name());
    // Some get their request from the LimitRange.
    return random.nextInt(4) == 0 ? job : job.cpus(1 + random.nextInt(2));
  }

  /** Submits a Job, and lets what gets quota run. */
  void submit(TestJob job) {
    cluster.apply(job.yaml());
    cluster.workload(job.name());
    cluster.settle();
    letRun();
  }

  /** The pods of what was started run, so that no victim stops before it is told to. */
  void letRun() {
    for (String job : jobs) {
      if (started(job)) {
        cluster.podsRun(job);
      }
    }
    cluster.settle();
  }

  private boolean started(String job) {
    var spec = Objects.requireNonNull(cluster.job(job).getSpec());
    var status = cluster.job(job).getStatus();
    return !Boolean.TRUE.equals(spec.getSuspend())
        && (status == null || status.getConditions() == null || status.getConditions().isEmpty())
        && (status == null || status.getActive() == null || status.getActive() == 0);
  }

  /** Some of what is evicted stops, some of what runs ends, and time passes. */
  void goOn() {
    for (String job : jobs) {
      Workload workload = cluster.workload(job);
      if (Conditions.isTrue(workload.status().conditions(), WorkloadConditions.FINISHED)) {
        continue;
      }
      boolean evicted =
          Conditions.isTrue(workload.status().conditions(), WorkloadConditions.EVICTED)
              && TestCluster.reserved(workload);
      if (evicted && random.nextInt(3) > 0) {
        cluster.podsGone(job);
      } else if (!evicted && TestCluster.admitted(workload) && random.nextInt(6) == 0) {
        cluster.jobSucceeds(job);
      }
    }
    for (int second = 0; second < 3; second++) {
      cluster.pass(Duration.ofSeconds(1));
      letRun();
    }
  }
}
