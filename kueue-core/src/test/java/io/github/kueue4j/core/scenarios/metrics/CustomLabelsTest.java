// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.http.MetricsText;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What metrics take from their objects: KEP-7066, and the selection of LocalQueues. */
@Simulated
@ExpectedLog(
    logger = "ConfiguredSettings",
    message = "The configuration has keys that have no effect")
class CustomLabelsTest {
  private static final String QUEUES =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: cq, labels: {team: %s}, annotations: {example.com/budget: ABC-123}}
      spec:
        namespaceSelector: {}
        cohortName: all
        resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: default, resources: [{name: cpu, nominalQuota: 4}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: Cohort
      metadata: {name: all, labels: {institute: physics}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: lq, namespace: team, labels: {env: prod, measured: "%s"}}
      spec: {clusterQueue: cq}
      """;

  private static final String LABELS =
      """
      featureGates: {CustomMetricLabels: %s}
      metrics:
        bindAddress: "0"
        enableClusterQueueResources: true
        customLabels:
          - {name: team}
          - {name: budget, sourceAnnotationKey: example.com/budget}
          - {name: site, sourceKind: Cohort, sourceLabelKey: institute, trackedValues: [biology]}
          - {name: env, sourceKind: LocalQueue}
          - {name: kind, sourceKind: Workload, sourceLabelKey: example.com/kind,
             trackedValues: [training, inference]}
      """;

  private static void job(TestCluster cluster, String name, String kind) {
    job(cluster, name, kind, 1);
  }

  private static void job(TestCluster cluster, String name, String kind, int cpus) {
    cluster.apply(
        TestJob.named(name).queue("lq").label("example.com/kind", kind).cpus(cpus).yaml());
  }

  /** The lines of /metrics that have all of these parts. */
  private static List<String> lines(KueueCore core, String... parts) {
    return MetricsText.of((PrometheusMeterRegistry) core.meters())
        .lines()
        .filter(line -> !line.startsWith("#"))
        .filter(line -> Arrays.stream(parts).allMatch(line::contains))
        .toList();
  }

  private static void awaitLine(TestCluster cluster, KueueCore core, String... parts) {
    cluster.awaitThat(Arrays.toString(parts), world -> !lines(core, parts).isEmpty());
  }

  @Test
  void metricsOfQueuesCohortsAndWorkloadsSayWhatTheirObjectsSay() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.flavor("default");
      cluster.apply(QUEUES.formatted("blue", "yes"));
      KueueCore core = cluster.startCore(LABELS.formatted("true"));
      job(cluster, "one", "training");
      job(cluster, "two", "sorting");

      String blue = "custom_budget=\"ABC-123\"";
      for (String kind : List.of("training", "kueue.x-k8s.io/_UNTRACKED_VALUE_")) {
        awaitLine(
            cluster,
            core,
            "kueue_admitted_workloads_total{cluster_queue=\"cq\"",
            blue,
            "custom_kind=\"" + kind + "\"",
            "custom_team=\"blue\"",
            "} 1.0");
        awaitLine(
            cluster,
            core,
            "kueue_local_queue_admitted_workloads_total{",
            "custom_env=\"prod\"",
            "custom_kind=\"" + kind + "\"");
        awaitLine(
            cluster,
            core,
            "kueue4j_workloads{cluster_queue=\"cq\",custom_kind=\"" + kind + "\"",
            "phase=\"ADMITTED\"",
            " 1.0");
      }
      awaitLine(cluster, core, "kueue_admitted_active_workloads{", blue, "custom_team=\"blue\"");
      awaitLine(cluster, core, "kueue_cluster_queue_nominal_quota{", blue, "custom_team=\"blue\"");
      awaitLine(cluster, core, "kueue_local_queue_status{", "custom_env=\"prod\"");
      awaitLine(
          cluster,
          core,
          "kueue_cohort_subtree_admitted_active_workloads{cohort=\"all\"",
          "custom_site=\"kueue.x-k8s.io/_UNTRACKED_VALUE_\"");
      assertThat(lines(core, "kueue_cluster_queue", "custom_env")).isEmpty();
    }
  }

  @Test
  void gaugesFollowALabelThatChanges() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.flavor("default");
      cluster.apply(QUEUES.formatted("blue", "yes"));
      KueueCore core = cluster.startCore(LABELS.formatted("true"));
      awaitLine(cluster, core, "kueue_cluster_queue_status{", "custom_team=\"blue\"");

      cluster.apply(QUEUES.formatted("green", "yes"));

      awaitLine(cluster, core, "kueue_cluster_queue_status{", "custom_team=\"green\"");
      assertThat(lines(core, "kueue_cluster_queue_status{", "custom_team=\"blue\"")).isEmpty();
    }
  }

  @Test
  void countersOfFormerLabelsGoAndSoDoThoseOfADeletedQueue() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.flavor("default");
      cluster.apply(QUEUES.formatted("blue", "yes"));
      KueueCore core = cluster.startCore(LABELS.formatted("true"));
      job(cluster, "one", "training");
      String counter = "kueue_admitted_workloads_total{cluster_queue=\"cq\"";
      awaitLine(cluster, core, counter, "custom_team=\"blue\"");
      awaitLine(cluster, core, "kueue_admission_wait_time_seconds_count", "custom_team=\"blue\"");
      job(cluster, "waits", "training", 9);
      awaitLine(cluster, core, "kueue_unadmitted_workloads{", "custom_team=\"blue\"", " 1.0");
      cluster.settle();

      cluster.apply(QUEUES.formatted("green", "yes"));

      cluster.awaitThat(
          "nothing says blue any more", world -> lines(core, "custom_team=\"blue\"").isEmpty());
      awaitLine(cluster, core, "kueue_unadmitted_workloads{", "custom_team=\"green\"", " 1.0");
      cluster.delete("waits");
      job(cluster, "two", "training");
      awaitLine(cluster, core, counter, "custom_team=\"green\"", " 1.0");

      for (String job : List.of("one", "two")) {
        cluster.jobSucceeds(job);
        cluster.awaitWorkload(
            job, workload -> TestCluster.isTrue(workload, WorkloadConditions.FINISHED));
      }
      cluster.api.delete(
          KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster("cq"), DeleteOptions.background());
      cluster.awaitThat("its counters go", world -> lines(core, counter).isEmpty());
    }
  }

  @Test
  void anAnnotationOfAJobCountsAsOneOfItsWorkload() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.flavor("default");
      cluster.apply(QUEUES.formatted("blue", "yes"));
      KueueCore core =
          cluster.startCore(
              """
              featureGates: {CustomMetricLabels: true}
              metrics:
                bindAddress: "0"
                customLabels:
                  - {name: project, sourceKind: Workload,
                     sourceAnnotationKey: example.com/project, trackedValues: [maps]}
              """);
      cluster.apply(
          TestJob.named("one")
              .queue("lq")
              .annotation("example.com/project", "maps")
              .annotation("example.com/other", "x")
              .cpus(1)
              .yaml());

      awaitLine(cluster, core, "kueue_admitted_workloads_total{", "custom_project=\"maps\"");
      assertThat(cluster.workload("one").metadata().getAnnotations())
          .containsEntry("example.com/project", "maps")
          .doesNotContainKey("example.com/other");
    }
  }

  @Test
  void withTheGateOffNothingIsAdded() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.flavor("default");
      cluster.apply(QUEUES.formatted("blue", "yes"));
      KueueCore core = cluster.startCore(LABELS.formatted("false"));
      awaitLine(cluster, core, "kueue_cluster_queue_status{");

      assertThat(lines(core, "custom_")).isEmpty();
    }
  }

  @Test
  void onlyTheLocalQueuesThatAreSelectedAreMeasured() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.flavor("default");
      cluster.apply(QUEUES.formatted("blue", "no"));
      KueueCore core =
          cluster.startCore(
              """
              metrics:
                bindAddress: "0"
                localQueueMetrics: {localQueueSelector: {matchLabels: {measured: "yes"}}}
              """);
      job(cluster, "one", "training");
      awaitLine(cluster, core, "kueue_admitted_workloads_total{");
      assertThat(lines(core, "kueue_local_queue_")).isEmpty();

      cluster.apply(QUEUES.formatted("blue", "yes"));
      awaitLine(cluster, core, "kueue_local_queue_status{", "name=\"lq\"");
      job(cluster, "two", "training");
      awaitLine(cluster, core, "kueue_local_queue_admitted_workloads_total{", " 1.0");

      cluster.apply(QUEUES.formatted("blue", "no"));
      cluster.awaitThat(
          "its gauges go", world -> lines(core, "kueue_local_queue_status{").isEmpty());
    }
  }
}
