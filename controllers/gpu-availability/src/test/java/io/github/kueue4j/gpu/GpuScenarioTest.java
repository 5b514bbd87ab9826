// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.PodSetUpdate;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.sdk.program.CheckStarter;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.github.kueue4j.testkit.client.JsonApi;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Test;

/** The check on an API server, with its parameters. */
@KueueTest
@ExpectedLog(logger = "Evaluator", message = "Evaluation failed")
class GpuScenarioTest {

  private static final String CONTROLLER = "kueue4j.io/gpu-availability";
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  private void start(KueueCluster cluster) {
    cluster.run(
        CheckStarter.of(
            environment ->
                GpuAvailabilityCheck.builder(environment, GpuWorld.OPTIONS)
                    .meters(meters)
                    .build()));
  }

  private static void node(KueueCluster cluster, String name, int gpus) {
    cluster.apply(
        """
        apiVersion: v1
        kind: Node
        metadata: {name: %s, labels: {nvidia.com/gpu.product: NVIDIA-A100-SXM4-80GB}}
        status:
          allocatable: {cpu: "64", pods: "110", nvidia.com/gpu: "%d"}
          conditions: [{type: Ready, status: "True"}]
        """
            .formatted(name, gpus));
  }

  private static void pod(KueueCluster cluster, String name, String node, int gpus) {
    cluster.apply(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, namespace: default}
        spec:
          nodeName: %s
          containers:
            - name: c
              image: example.invalid/c
              resources: {limits: {nvidia.com/gpu: "%d"}}
        """
            .formatted(name, node, gpus));
  }

  /** A pod that names its Workload, as queue controllers have it. */
  private static void podOf(KueueCluster cluster, String workload, String node, int gpus) {
    cluster.apply(
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: %1$s-0
          namespace: default
          annotations: {kueue.x-k8s.io/workload: %1$s}
        spec:
          nodeName: %2$s
          containers:
            - name: c
              image: example.invalid/c
              resources: {limits: {nvidia.com/gpu: "%3$d"}}
        """
            .formatted(workload, node, gpus));
  }

  private static PlayedWorkload workload(KueueCluster cluster, String name, int gpus)
      throws Exception {
    ObjectNode object =
        (ObjectNode)
            new ObjectMapper()
                .readTree(
                    """
                    {"metadata": {"name": "%s"}, "spec": {"queueName": "q", "podSets":
                      [{"name": "main", "count": 1, "template": {"spec": {"restartPolicy": "Never",
                        "nodeSelector": {"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-80GB"},
                        "containers": [{"name": "c", "image": "example.invalid/c",
                          "resources": {"requests": {"nvidia.com/gpu": "%d"},
                            "limits": {"nvidia.com/gpu": "%d"}}}]}}}]}}
                    """
                        .formatted(name, gpus, gpus));
    return cluster.script().workload(object);
  }

  private static void policy(KueueCluster cluster, String spec) {
    cluster.apply(
        """
        apiVersion: checks.kueue4j.io/v1alpha1
        kind: GpuAvailabilityPolicy
        metadata: {name: strict}
        spec: %s
        """
            .formatted(spec));
  }

  private static void checkWithPolicy(KueueCluster cluster) {
    cluster.admissionCheck(
        "gpu", CONTROLLER, "checks.kueue4j.io", "GpuAvailabilityPolicy", "strict");
  }

  @Test
  void withoutParametersAndWithoutTheirKindItWorksByDefaults(KueueCluster cluster)
      throws Exception {
    node(cluster, "n1", 8);
    cluster.admissionCheck("gpu", CONTROLLER);
    start(cluster);

    workload(cluster, "first", 6).reserve().awaitState("gpu", CheckState.READY);
    PlayedWorkload second = workload(cluster, "second", 4).reserve();
    second.awaitState("gpu", CheckState.RETRY);
    assertThat(second.entry("gpu").message())
        .startsWith("Only 2 of 4 A100 GPUs available. Retrying in ")
        .endsWith("(attempt 0)");
  }

  @Test
  void aPolicyWhoseKindIsInstalledLaterIsFoundWithoutARestart(
      KueueCluster cluster, ManualTime time) {
    checkWithPolicy(cluster);
    start(cluster);
    await(
        () ->
            assertThat(active(cluster))
                .contains(
                    "install the CustomResourceDefinition"
                        + " gpuavailabilitypolicies.checks.kueue4j.io"));

    GpuAvailabilityCheck.crds().forEach(cluster::apply);
    policy(cluster, "{}");
    await(
        () -> {
          time.advance(Duration.ofSeconds(10));
          assertThat(active(cluster)).contains("\"status\":\"True\"");
        });
  }

  /** Read directly: a step of the script waits, in real time, before it takes False for final. */
  private static String active(KueueCluster cluster) {
    try (var api = JsonApi.at(cluster.uri())) {
      return api.get("/apis/kueue.x-k8s.io/v1beta2/admissionchecks/gpu")
          .orElseThrow()
          .path("status")
          .toString();
    }
  }

  @Test
  void aPolicyDecidesAndAChangeOfItTakesEffectAtOnce(KueueCluster cluster) throws Exception {
    GpuAvailabilityCheck.crds().forEach(cluster::apply);
    policy(cluster, "{neverFits: Pending}");
    checkWithPolicy(cluster);
    node(cluster, "n1", 8);
    start(cluster);

    PlayedWorkload large = workload(cluster, "large", 16).reserve();
    large.awaitMessage(
        "gpu",
        "A pod of the pod set 'main' needs 16 A100 GPUs; the largest node, n1, has 8 A100 GPUs."
            + " The quota is kept until there is such a node.");

    policy(cluster, "{neverFits: Rejected}");
    cluster.advanceUntil(
        Duration.ofMinutes(1),
        "it has been so for five minutes",
        () -> large.entry("gpu").is(CheckState.REJECTED));
  }

  @Test
  void thePolicySaysWhoUsesItOrWhatToCorrect(KueueCluster cluster) {
    GpuAvailabilityCheck.crds().forEach(cluster::apply);
    policy(cluster, "{backoff: {initial: 5s}}");
    checkWithPolicy(cluster);
    start(cluster);
    cluster.script().awaitActive("gpu");
    await(
        () ->
            assertThat(status(cluster))
                .contains("\"Accepted\"")
                .contains("Used by the AdmissionCheck"));
  }

  private static String status(KueueCluster cluster) {
    try (var api = JsonApi.at(cluster.uri())) {
      return api.get("/apis/checks.kueue4j.io/v1alpha1/gpuavailabilitypolicies/strict")
          .orElseThrow()
          .path("status")
          .toString();
    }
  }

  @Test
  void theDefinitionRefusesWhatMakesNoSense(KueueCluster cluster) {
    GpuAvailabilityCheck.crds().forEach(cluster::apply);

    assertThatThrownBy(() -> policy(cluster, "{resources: [pods]}"))
        .hasMessageContaining("must be an extended resource");
    assertThatThrownBy(() -> policy(cluster, "{backoff: {initial: 1h, maximum: 1m}}"))
        .hasMessageContaining("backoff.initial must not be above backoff.maximum");
    assertThatThrownBy(() -> policy(cluster, "{reservationTimeout: 0s}"))
        .hasMessageContaining("must be above 0s");
    assertThatThrownBy(() -> policy(cluster, "{lostNodeGracePeriod: 30s}"))
        .hasMessageContaining("write lostNodes: Evict, or leave out lostNodeGracePeriod");
    assertThatThrownBy(() -> policy(cluster, "{domain: {}}"))
        .hasMessageContaining("spec.domain.label");
    assertThatThrownBy(() -> policy(cluster, "{domain: {label: ''}}"))
        .hasMessageContaining("spec.domain.label");
    assertThatThrownBy(() -> policy(cluster, "{domain: {label: 'a b'}}"))
        .hasMessageContaining("spec.domain.label");
    assertThatThrownBy(() -> policy(cluster, "{domain: {label: zone, scope: Pod}}"))
        .hasMessageContaining("spec.domain.scope");
    assertThatThrownBy(
            () ->
                policy(
                    cluster,
                    "{domain: {label: zone}, capacitySource:"
                        + " {endpoint: {url: 'http://stock.svc'}, flavors: [a]}}"))
        .hasMessageContaining("leave out domain, or capacitySource");
    assertThatThrownBy(() -> policy(cluster, "{neverFits: Never}"))
        .hasMessageContaining("neverFits");
    assertThatThrownBy(
            () ->
                policy(
                    cluster,
                    "{autoscaledFlavors: [a], capacitySource:"
                        + " {endpoint: {url: 'http://stock.svc'}, flavors: [a], askEvery: 5s}}"))
        .hasMessageContaining("a flavor must not be in both");
    assertThatThrownBy(
            () ->
                policy(
                    cluster,
                    "{capacitySource: {endpoint: {url: 'http://stock.svc'}, flavors: [a], askEvery:"
                        + " 5ms}}"))
        .hasMessageContaining("must be from 1s to 1h");
    assertThatThrownBy(
            () ->
                policy(
                    cluster,
                    "{capacitySource: {endpoint: {url: 'http://stock.svc', ca: {value: x}},"
                        + " flavors: [a]}}"))
        .hasMessageContaining("begin url with https://, or leave out ca");
  }

  @Test
  void aReadySelectsTheDomain(KueueCluster cluster) throws Exception {
    GpuAvailabilityCheck.crds().forEach(cluster::apply);
    policy(cluster, "{domain: {label: nvidia.com/gpu.product, scope: PodSet, otherwise: Retry}}");
    checkWithPolicy(cluster);
    node(cluster, "n1", 8);
    start(cluster);

    PlayedWorkload train = workload(cluster, "train", 8).reserve();
    train.awaitState("gpu", CheckState.READY);

    assertThat(train.entry("gpu").podSetUpdates())
        .containsExactly(
            PodSetUpdate.of("main")
                .withNodeSelector(Map.of("nvidia.com/gpu.product", "NVIDIA-A100-SXM4-80GB")));
  }

  @Test
  void whenGpusBecomeFreeTheDelayOfTheLongestWaitingEnds(KueueCluster cluster, ManualTime time)
      throws Exception {
    GpuAvailabilityCheck.crds().forEach(cluster::apply);
    policy(cluster, "{}");
    checkWithPolicy(cluster);
    node(cluster, "n1", 8);
    pod(cluster, "busy", "n1", 8);
    start(cluster);
    PlayedWorkload first = workload(cluster, "first", 8).reserve();
    first.awaitState("gpu", CheckState.RETRY).backOff();
    time.advance(Duration.ofSeconds(1));
    PlayedWorkload second = workload(cluster, "second", 8).reserve();
    second.awaitState("gpu", CheckState.RETRY).backOff();

    try (var api = JsonApi.at(cluster.uri())) {
      api.delete("/api/v1/namespaces/default/pods/busy");
    }

    first.awaitDelayEnded("gpu");
    first.requeueAtOnce().reserve().awaitState("gpu", CheckState.READY);
    assertThat(second.entry("gpu").requeueAfterSeconds()).isGreaterThan(20);
  }

  @Test
  void lostNodesEvictWhereThePolicySaysSo(KueueCluster cluster, ManualTime time) throws Exception {
    GpuAvailabilityCheck.crds().forEach(cluster::apply);
    policy(cluster, "{lostNodes: Evict, lostNodeGracePeriod: 30s}");
    checkWithPolicy(cluster);
    node(cluster, "n1", 8);
    start(cluster);
    PlayedWorkload train = workload(cluster, "train", 8).reserve();
    train.awaitState("gpu", CheckState.READY).admit();
    podOf(cluster, "train", "n1", 8);

    try (var api = JsonApi.at(cluster.uri())) {
      api.delete("/api/v1/nodes/n1");
    }
    await(
        () -> {
          time.advance(Duration.ofSeconds(31));
          assertThat(train.entry("gpu").state()).isEqualTo(CheckState.RETRY);
        });
    assertThat(train.entry("gpu").message()).startsWith("The node n1 of the pod train-0 is lost.");
  }

  /** As for the HTTP check, of which this is the same field. */
  @Test
  void aBusyCapacitySourceIsAskedAgainAsThePolicySays(KueueCluster cluster) throws Exception {
    try (FakeSource source = new FakeSource()) {
      source.answers(503, "");
      GpuAvailabilityCheck.crds().forEach(cluster::apply);
      policy(
          cluster,
          "{capacitySource: {endpoint: {url: '%s'}, flavors: [script], unavailable: {errorBudget: 0s, busyDelay: 7m, downDelay: 1h}}}"
              .formatted(source.url()));
      checkWithPolicy(cluster);
      start(cluster);
      PlayedWorkload train = workload(cluster, "train", 8).reserve();

      train.awaitState("gpu", CheckState.RETRY);

      assertThat(train.entry("gpu").requeueAfterSeconds()).isBetween(420, 504);
    }
  }

  /** The flavor that workloads of the script are assigned is in the list of the source. */
  @Test
  void whatACapacitySourceOffersIsAskedForAndAFailureLetsNothingThrough(
      KueueCluster cluster, ManualTime time) throws Exception {
    try (FakeSource source = new FakeSource()) {
      source.answers(503, "");
      GpuAvailabilityCheck.crds().forEach(cluster::apply);
      policy(
          cluster,
          "{capacitySource: {endpoint: {url: '%s', timeout: 5s}, flavors: [script], askEvery: 1s}}"
              .formatted(source.url()));
      checkWithPolicy(cluster);
      start(cluster);
      PlayedWorkload train = workload(cluster, "train", 8).reserve();
      train.await(
          "the reason",
          workload -> train.entry("gpu").message().contains("is not known: " + source.url()));
      assertThat(train.entry("gpu").state()).isEqualTo(CheckState.PENDING);

      source.offers("script", 1, 8);
      await(
          () -> {
            time.advance(Duration.ofSeconds(2));
            assertThat(train.entry("gpu").state()).isEqualTo(CheckState.READY);
          });
    }
  }

  @Test
  void metricsTellTheGpusOfEachKind(KueueCluster cluster) throws Exception {
    node(cluster, "n1", 8);
    node(cluster, "n2", 4);
    pod(cluster, "busy", "n2", 3);
    cluster.admissionCheck("gpu", CONTROLLER);
    start(cluster);
    workload(cluster, "first", 6).reserve().awaitState("gpu", CheckState.READY);

    await(
        () -> {
          assertThat(gauge("kueue4j.gpu.allocatable")).isEqualTo(12);
          assertThat(gauge("kueue4j.gpu.used")).isEqualTo(3);
          assertThat(gauge("kueue4j.gpu.reserved")).isEqualTo(6);
          assertThat(gauge("kueue4j.gpu.free")).isEqualTo(3);
        });
  }

  private double gauge(String name) {
    return meters
        .get(name)
        .tags("resource", "nvidia.com/gpu", "kind", "NVIDIA-A100-SXM4-80GB")
        .gauge()
        .value();
  }

  private static void await(ThrowingRunnable holds) {
    Awaitility.await().pollInterval(Duration.ofMillis(50)).ignoreExceptions().untilAsserted(holds);
  }
}
