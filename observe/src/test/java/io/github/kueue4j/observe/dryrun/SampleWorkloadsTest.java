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
    return of(text, Optional.empty(), assumed);
  }

  private static List<SampleWorkload> of(
      String text, Optional<Configuration> configuration, AssumedQuota assumed) {
    List<Manifest> documents = Manifest.read(text, "default");
    return new SampleWorkloads(configuration, assumed).learn(documents).of(documents);
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

    SampleWorkload sample = of(JOB, Optional.of(configuration), NOTHING).getFirst();

    assertThat(sample.workload().metadata().getLabels()).containsEntry("team", "a");
    assertThat(podSet(sample).resourceUsage()).containsOnlyKeys("cpu");
    assertThat(of(JOB, NOTHING).getFirst().workload().metadata().getLabels())
        .doesNotContainKey("team");
  }

  @Test
  void aWorkloadKeepsTheQuotaThatItHoldsButForWhatIsAssumed() {
    String workload =
        """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: w},
          spec: {podSets: [{name: main, count: 2, template: {spec: {containers: []}}}]},
          status: {admission: {clusterQueue: own, podSetAssignments: [{name: main, count: 1,
            flavors: {cpu: spot}, resourceUsage: {cpu: 7}}]}}}
        """;

    SampleWorkload sample = of(workload, NOTHING).getFirst();
    SampleWorkload assumed =
        of(workload, new AssumedQuota(Optional.of("batch"), Optional.of("gold"))).getFirst();

    assertThat(admission(sample))
        .isEqualTo(
            new Admission(
                "own",
                List.of(
                    new PodSetAssignment(
                        "main", Map.of("cpu", "spot"), Map.of("cpu", Quantity.of(7)), 1))));
    assertThat(admission(assumed))
        .isEqualTo(
            new Admission(
                "batch",
                List.of(
                    new PodSetAssignment(
                        "main", Map.of("cpu", "gold"), Map.of("cpu", Quantity.of(7)), 1))));
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
          {apiVersion: batch/v1, kind: Job, metadata: {name: a}, spec: {template: 3}} ; Job a can't be read: Expected BEGIN_OBJECT but was NUMBER at spec.template
          {apiVersion: batch/v1, kind: Job, metadata: {name: [1]}, spec: {}} ; Job can't be read: Expected a string but was BEGIN_ARRAY at metadata.name
          {apiVersion: batch/v1, kind: Job, metadata: {name: a}, spec: {parallelism: 99999999999}} ; Job a: spec.parallelism is '99999999999': write a whole number from 0 to 2147483647
          {apiVersion: batch/v1, kind: Job, metadata: {name: a}, spec: {parallelism: -3}} ; Job a: spec.parallelism is '-3': write a whole number
          {apiVersion: batch/v1, kind: Job, metadata: {name: a}, spec: {completions: 2.5}} ; Job a: spec.completions is '2.5': write a whole number
          {apiVersion: ray.io/v1, kind: RayCluster, metadata: {name: a}, spec: {workerGroupSpecs: [{replicas: -1}]}} ; RayCluster a: spec.workerGroupSpecs[0].replicas is '-1'
          {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{resources: {requests: {cpu: abc}}}]}} ; Pod a: spec.containers[0].resources.requests.cpu is 'abc': write an amount
          {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{resources: {limits: {cpu: -1}}}]}} ; Pod a: spec.containers[0].resources.limits.cpu is '-1': write an amount
          {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {priority: 99999999999}} ; Pod a can't be read: Expected an int but was 99999999999 at spec.priority
          {apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: a}, spec: {podSets: [{count: -2}]}} ; Workload a: spec.podSets[0].count is '-2'
          {apiVersion: v1, kind: Namespace, metadata: {name: [1]}} ; Namespace can't be read: Expected a string
          {apiVersion: batch/v1, kind: Job, metadata: {name: a, labels: {kueue.x-k8s.io/prebuilt-workload-name: w}}, spec: {}} ; Job a names the prebuilt Workload w: give that instead
          {apiVersion: v1, kind: Pod, metadata: {name: a, labels: {kueue.x-k8s.io/pod-group-name: g}}, spec: {}} ; Pod a is one of the group g: give the Workload of the group instead
          """)
  void whatCannotBeMadeAWorkloadIsNamed(String text, String problem) {
    assertThatThrownBy(() -> of(text, NOTHING))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(problem);
  }

  /** Another kind of that name has no quota. */
  @Test
  void onlyAWorkloadOfKueueKeepsItsStatus() {
    String text = "{apiVersion: %s, kind: Workload, metadata: {name: a}, status: {x: y}}";

    assertThat(Manifest.read(text.formatted("kueue.x-k8s.io/v1beta2"), "default").getFirst().tree())
        .matches(tree -> tree.has("status"));
    assertThat(Manifest.read(text.formatted("example.com/v1"), "default").getFirst().tree())
        .matches(tree -> !tree.has("status"));
  }
}
