// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.dryrun;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.observe.dryrun.SampleWorkloads.AssumedQuota;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What authors of rules write down becomes Workloads as a core makes them. */
class SampleWorkloadsTest {
  private static final AssumedQuota NOTHING = new AssumedQuota(Optional.empty(), Optional.empty());

  private static final String JOB =
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: train, namespace: ml, labels: {kueue.x-k8s.io/queue-name: lq, team: a,
        kueue.x-k8s.io/priority-class: high}}
      spec:
        parallelism: 3
        template:
          spec: {runtimeClassName: kata, containers: [{name: c, image: busybox,
            resources: {requests: {cpu: 1, example.com/seats: 2}}}]}
      """;

  private static final String SURROUNDINGS =
      """
      ---
      {apiVersion: v1, kind: Namespace, metadata: {name: ml, labels: {tier: gold}}}
      ---
      {apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: other}, value: 7}
      ---
      {apiVersion: kueue.x-k8s.io/v1beta1, kind: WorkloadPriorityClass, metadata: {name: high}, value: 9}
      ---
      {apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: kata}, handler: kata,
        overhead: {podFixed: {cpu: 500m}}}
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: lq, namespace: ml},
        spec: {clusterQueue: cq}}
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: cq},
        spec: {resourceGroups: [{coveredResources: [cpu], flavors: [{name: spot}, {name: on-site}]}]}}
      """;

  private static List<SampleWorkload> of(String text, AssumedQuota assumed) {
    return SampleWorkloads.of(Manifest.read(text, "default"), Optional.empty(), assumed);
  }

  private static PodSetAssignment podSet(SampleWorkload sample) {
    return admission(sample).podSetAssignments().getFirst();
  }

  private static Admission admission(SampleWorkload sample) {
    return Optional.ofNullable(sample.workload().status().admission()).orElseThrow();
  }

  @Test
  void aJobHoldsQuotaAsTheOtherDocumentsSay() {
    SampleWorkload sample = of(JOB + SURROUNDINGS, NOTHING).getFirst();

    assertThat(sample.kind()).isEqualTo("Job");
    assertThat(sample.object()).isEqualTo(new ObjectKey("ml", "train"));
    assertThat(sample.workload().spec().queueName()).isEqualTo("lq");
    assertThat(sample.workload().spec().priority()).isEqualTo(9);
    assertThat(sample.priorityClass()).isEmpty();
    assertThat(sample.namespaceLabels())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("tier", "gold", "kubernetes.io/metadata.name", "ml"));
    assertThat(admission(sample))
        .isEqualTo(
            new Admission(
                "cq",
                List.of(
                    new PodSetAssignment(
                        "main",
                        Map.of("cpu", "spot"),
                        Map.of("cpu", Quantity.parse("4500m"), "example.com/seats", Quantity.of(6)),
                        3))));
  }

  @Test
  void whatNoDocumentSaysIsAbsentOrAssumed() {
    SampleWorkload alone = of(JOB, NOTHING).getFirst();
    SampleWorkload assumed =
        of(JOB, new AssumedQuota(Optional.of("batch"), Optional.of("gold"))).getFirst();

    assertThat(admission(alone).clusterQueue()).isEmpty();
    assertThat(podSet(alone).flavors()).isEmpty();
    assertThat(podSet(alone).resourceUsage()).containsEntry("cpu", Quantity.parse("3"));
    assertThat(alone.workload().spec().priority()).isZero();
    assertThat(alone.priorityClass()).contains("high");
    assertThat(alone.namespaceLabels()).containsOnlyKeys("kubernetes.io/metadata.name");
    assertThat(admission(assumed).clusterQueue()).isEqualTo("batch");
    assertThat(podSet(assumed).flavors())
        .isEqualTo(Map.of("cpu", "gold", "example.com/seats", "gold"));
  }

  @Test
  void theConfigurationDecidesWhatIsCopiedAndCounted() {
    Configuration configuration =
        Configuration.parse(
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            integrations: {frameworks: [batch/job], labelKeysToCopy: [team]}
            resources: {excludeResourcePrefixes: [example.com/]}
            """);

    SampleWorkload sample =
        SampleWorkloads.of(Manifest.read(JOB, "default"), Optional.of(configuration), NOTHING)
            .getFirst();

    assertThat(sample.workload().metadata().getLabels()).containsEntry("team", "a");
    assertThat(podSet(sample).resourceUsage()).containsOnlyKeys("cpu");
    assertThat(of(JOB, NOTHING).getFirst().workload().metadata().getLabels())
        .doesNotContainKey("team");
  }

  @Test
  void aWorkloadKeepsTheQuotaThatItHolds() {
    String workload =
        """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: w},
          spec: {podSets: [{name: main, count: 2, template: {spec: {containers: []}}}]},
          status: {admission: {clusterQueue: own, podSetAssignments: [{name: main, count: 1,
            flavors: {cpu: spot}, resourceUsage: {cpu: 7}}]}}}
        """;

    SampleWorkload sample =
        of(workload, new AssumedQuota(Optional.of("batch"), Optional.of("gold"))).getFirst();

    assertThat(admission(sample).clusterQueue()).isEqualTo("own");
    assertThat(podSet(sample).resourceUsage()).isEqualTo(Map.of("cpu", Quantity.of(7)));
  }

  /** Each kind by the declaration that the core has of it; objects of others are left out. */
  @Test
  void jobsOfAllKindsAreTaken() {
    List<SampleWorkload> samples =
        of(
            """
            {apiVersion: v1, kind: ConfigMap, metadata: {name: no}}
            ---
            apiVersion: ray.io/v1
            kind: RayCluster
            metadata: {name: ray}
            spec:
              headGroupSpec: {template: {spec: {containers: [{name: head}]}}}
              workerGroupSpecs: [{groupName: a, replicas: 2, template: {spec: {containers: [{name: w}]}}}]
            ---
            {apiVersion: v1, kind: Pod, metadata: {name: pod}, spec: {containers: [{name: c}]}}
            """,
            NOTHING);

    assertThat(samples).extracting(SampleWorkload::kind).containsExactly("RayCluster", "Pod");
    assertThat(admission(samples.getFirst()).podSetAssignments())
        .extracting(PodSetAssignment::name)
        .containsExactly("head", "a");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          {apiVersion: batch/v1, kind: Job, metadata: {name: a}} ; Job a has no spec: write one
          {apiVersion: batch/v1, kind: Job, metadata: {name: a}, spec: {template: 3}} ; Job a can't be read
          {apiVersion: v1, kind: Pod, metadata: {name: a, labels: {kueue.x-k8s.io/pod-group-name: g}}, spec: {}} ; Pod a is one of the group g: give the Workload of the group instead
          """)
  void whatCannotBeMadeAWorkloadIsNamed(String text, String problem) {
    assertThatThrownBy(() -> of(text, NOTHING))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(problem);
  }
}
