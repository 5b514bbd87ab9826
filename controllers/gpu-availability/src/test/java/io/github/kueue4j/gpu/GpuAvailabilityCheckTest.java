// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import static io.github.kueue4j.gpu.GpuWorld.A100;
import static io.github.kueue4j.gpu.GpuWorld.workload;
import static io.github.kueue4j.sdk.fixture.Evaluations.retry;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.gpu.GpuPolicy.NeverFits;
import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.Verdict;
import io.kubernetes.client.openapi.models.V1Node;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the check says, and why. */
class GpuAvailabilityCheckTest {

  private static final String RETRYING = " Retrying in {delay} (attempt {attempt})";
  private final GpuWorld world = new GpuWorld();

  @Test
  void aWorkloadWithoutGpusIsLetThrough() {
    assertThat(world.ask("cpu-only", 0)).isEqualTo(Verdict.ready("The workload needs no GPUs."));
  }

  @Test
  void noGpusGiveTheMessageAndDelayOfTheEnhancementProposal() {
    world.node("n1", 8);
    world.pod("n1", 8, "another-job");

    Verdict.Retry retry = retry(world.ask("train", 4));

    assertThat(retry.message()).isEqualTo("No A100 GPUs available." + RETRYING);
    assertThat(retry.reason()).hasToString("GpusUnavailable");
    assertThat(retry.delay().resolve(4, world.now, new Random(1)).orElseThrow())
        .isBetween(Duration.ofMinutes(8), Duration.ofSeconds(576));
  }

  @Test
  void theDelaysAreThoseOfThePolicy() {
    Backoff backoff =
        new GpuPolicy.Delays(
                Optional.of(Duration.ofSeconds(5)),
                Optional.of(3.0),
                Optional.of(Duration.ofSeconds(20)))
            .backoff();

    assertThat(Stream.of(0, 1, 2).map(attempt -> backoff.nominal(attempt, world.now).toSeconds()))
        .containsExactly(5L, 15L, 20L);
  }

  @Test
  void tooFewGpusAreCounted() {
    world.node("n1", 8);
    world.pod("n1", 5, "another-job");

    assertThat(retry(world.ask("train", 4)).message())
        .isEqualTo("Only 3 of 4 A100 GPUs available." + RETRYING);
  }

  /** KEP-1282, story 2. */
  @Test
  void gpusThatAreFreeOnTwoNodesAreNoneForOnePod() {
    world.node("n1", 4);
    world.node("n2", 4);
    world.pod("n1", 3, "one");
    world.pod("n2", 3, "another");

    assertThat(retry(world.ask("train", 2)).message())
        .isEqualTo(
            "2 A100 GPUs free, but on two nodes: a pod needs 2 on one node, and at most 1 is free"
                + " there."
                + RETRYING);
    assertThat(world.ask(workload("two-pods", CheckState.PENDING, 2, 1, "a100")))
        .isInstanceOf(Verdict.Ready.class);
  }

  @Test
  void otherResourcesCountToo() {
    world.node("n1", A100, 8, "\"spec\": {}");
    world.nodes.put(
        Trimming.node(
            KueueJson.fromJson(
                """
                {"metadata": {"name": "n1",
                   "labels": {"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-80GB"}},
                 "status": {"allocatable": {"nvidia.com/gpu": "8", "cpu": "8", "memory": "1Gi",
                   "pods": "10"}}}
                """,
                V1Node.class)));
    assertThat(world.ask(Pods.asking("fits", "{cpu: 8, nvidia.com/gpu: 1}", "")))
        .isInstanceOf(Verdict.Ready.class);

    assertThat(retry(world.ask(Pods.asking("busy", "{cpu: 1, nvidia.com/gpu: 1}", ""))).message())
        .isEqualTo(
            "7 A100 GPUs free, but nodes with 1 of them have too little cpu left." + RETRYING);
    assertThat(retry(world.ask(Pods.asking("large", "{cpu: 9, nvidia.com/gpu: 1}", ""))).message())
        .isEqualTo(
            "A pod of the pod set 'main' needs 9 cpu; the largest node, n1, has 8 cpu." + RETRYING);
  }

  @ParameterizedTest
  @CsvSource({
    "True, false, Running, 4, false",
    "True, false, Running, 5, false",
    "True, false, Succeeded, 5, true",
    "True, false, Failed, 5, true",
    "True, false, Running, 3, true",
    "False, false, Succeeded, 1, false",
    "Unknown, false, Succeeded, 1, false",
    "True, true, Succeeded, 1, false",
    ", false, Succeeded, 1, true",
  })
  void nodesAndPodsCountAsTheyAre(
      String ready, boolean unschedulable, String podPhase, int used, boolean fits) {
    String conditions =
        ready == null ? "[]" : "[{\"type\": \"Ready\", \"status\": \"%s\"}]".formatted(ready);
    world.nodes.put(
        Trimming.node(
            KueueJson.fromJson(
                """
                {"metadata": {"name": "n1",
                   "labels": {"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-80GB"}},
                 "spec": {"unschedulable": %s},
                 "status": {"allocatable": {"nvidia.com/gpu": "8"}, "conditions": %s}}
                """
                    .formatted(unschedulable, conditions),
                V1Node.class)));
    world.node("h100", Map.of("nvidia.com/gpu.product", "NVIDIA-H100"), 64, "");
    world.pod("of-another", "n1", used, podPhase, "another-job");

    assertThat(world.ask("train", 5) instanceof Verdict.Ready).isEqualTo(fits);
  }

  @Test
  void aNodeWithATaintIsForPodsThatTolerateIt() {
    world.node(
        "n1", A100, 8, "\"spec\": {\"taints\": [{\"key\": \"gpu\", \"effect\": \"NoSchedule\"}]}");
    String toleration = "tolerations: [{key: gpu, operator: Exists}], ";

    assertThat(retry(world.ask(Pods.asking("not", "{nvidia.com/gpu: 1}", ""))).message())
        .isEqualTo(
            "No node may take the pods of the pod set 'main': none has the labels that they need"
                + " (nvidia.com/gpu.product=NVIDIA-A100-SXM4-80GB) and only taints that they"
                + " tolerate. The node n1 has the taint gpu:NoSchedule, and the pods don't tolerate"
                + " it."
                + RETRYING);
    assertThat(world.ask(Pods.asking("does", "{nvidia.com/gpu: 1}", toleration)))
        .isInstanceOf(Verdict.Ready.class);
  }

  /** The scheduler isn't asked about them: neither a cordon nor a taint NoSchedule counts. */
  @Test
  void podsThatNameTheirNodeFitOnThatOneOnly() {
    world.node("other", 8);
    world.node(
        "named",
        A100,
        2,
        "\"spec\": {\"unschedulable\": true, \"taints\": [{\"key\": \"gpu\", \"effect\": \"NoSchedule\"}]}");

    assertThat(world.ask(Pods.asking("fits", "{nvidia.com/gpu: 2}", "nodeName: named, ")))
        .isInstanceOf(Verdict.Ready.class);
    assertThat(
            retry(world.ask(Pods.asking("late", "{nvidia.com/gpu: 1}", "nodeName: named, ")))
                .message())
        .isEqualTo("No A100 GPUs available." + RETRYING);
    assertThat(
            retry(world.ask(Pods.asking("gone", "{nvidia.com/gpu: 1}", "nodeName: absent, ")))
                .message())
        .isEqualTo(
            "The pods of the pod set 'main' name the node absent, which isn't there or may not take"
                + " them."
                + RETRYING);
  }

  @ParameterizedTest
  @EnumSource(NeverFits.class)
  void whatCanNeverFitIsAnsweredByPolicyAndNamesTheLargestNode(NeverFits neverFits) {
    world.policy = Policies.with(world.policy, neverFits);
    world.node("small", 4);
    world.node("large", 8);
    String why =
        "A pod of the pod set 'main' needs 16 A100 GPUs; the largest node, large, has 8 A100 GPUs.";

    Verdict verdict = world.ask("train", 16);

    switch (neverFits) {
      case REJECTED -> {
        assertThat(((Verdict.Pending) verdict).message())
            .isEqualTo(why + " The Workload is rejected once that has been so for five minutes.");
        assertThat(rejected("train", 16)).isEqualTo(why);
      }
      case PENDING -> {
        assertThat(((Verdict.Pending) verdict).message()).startsWith(why);
        world.node("giant", 16);
        world.offers.offer(world.now);
        assertThat(world.triggered).hasSize(1);
      }
      case RETRY -> {
        assertThat(retry(verdict).reason()).hasToString("NeverFits");
        assertThat(retry(verdict).message()).isEqualTo(why + RETRYING);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(NeverFits.class)
  void whatMayFitLaterIsSentBackWhateverThePolicy(NeverFits neverFits) {
    world.policy = Policies.with(world.policy, neverFits);
    world.node(
        "n1",
        A100,
        8,
        """
        "spec": {"unschedulable": true, "taints":
          [{"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}]}
        """);
    assertThat(world.ask("cordoned", 8)).isInstanceOf(Verdict.Retry.class);

    world.node("n1", 8);
    world.pod("n1", 8, "another");
    assertThat(world.ask("busy", 8)).isInstanceOf(Verdict.Retry.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "node.kubernetes.io/not-ready",
        "node.kubernetes.io/unreachable",
        "node.cloudprovider.kubernetes.io/uninitialized",
        "ToBeDeletedByClusterAutoscaler",
        "DeletionCandidateOfClusterAutoscaler"
      })
  void aTaintThatTellsOfAStateKeepsPodsAwayOnlyNow(String taint) {
    world.policy = Policies.with(world.policy, NeverFits.REJECTED);
    String spec = "\"spec\": {\"taints\": [{\"key\": \"%s\", \"effect\": \"NoSchedule\"}]}";
    world.node("n1", A100, 8, spec.formatted(taint));
    assertThat(retry(world.ask("train", 8)).reason()).hasToString("GpusUnavailable");

    world.node("n1", A100, 8, spec.formatted("example.com/of-another-team"));
    assertThat(rejected("train", 8)).contains("the taint example.com/of-another-team:NoSchedule");
  }

  /** As when the only node of a pool is upgraded: gone, and back without devices at first. */
  @Test
  void aNodeThatIsReplacedRejectsNothing() {
    world.policy = Policies.with(world.policy, NeverFits.REJECTED);
    assertThat(world.ask("train", 8)).isInstanceOf(Verdict.Pending.class);
    world.now = world.now.plusSeconds(200);
    world.node("n1", 0);
    assertThat(((Verdict.Pending) world.ask("train", 8)).recheckIn())
        .isEqualTo(Duration.ofSeconds(100));
    world.now = world.now.plusSeconds(99);
    world.node("n1", 8);
    assertThat(world.ask("train", 8)).isInstanceOf(Verdict.Ready.class);

    world.nodes.remove(ObjectKey.cluster("n1"));
    world.now = world.now.plusSeconds(200);
    assertThat(world.ask("train", 8)).as("seen anew").isInstanceOf(Verdict.Pending.class);
    world.now = world.now.plusSeconds(3600);
    assertThat(world.ask("train", 8)).as("not seen between").isInstanceOf(Verdict.Pending.class);
  }

  private String rejected(String name, long gpus) {
    return rejected(workload(name, CheckState.PENDING, gpus));
  }

  /** The message, once it has been seen for long enough. */
  private String rejected(Workload workload) {
    assertThat(world.ask(workload)).isInstanceOf(Verdict.Pending.class);
    world.now = world.now.plus(Misfits.CERTAIN_AFTER);
    return ((Verdict.Rejected) world.ask(workload)).message();
  }

  @Test
  void devicesThatDoNotWorkMayWorkAgain() {
    world.policy = Policies.with(world.policy, NeverFits.REJECTED);
    V1Node node =
        KueueJson.fromJson(
            """
            {"metadata": {"name": "n1"}, "status": {
              "allocatable": {"nvidia.com/gpu": "0", "cpu": "7"},
              "capacity": {"nvidia.com/gpu": "8", "cpu": "8"}}}
            """,
            V1Node.class);
    node.getMetadata().setLabels(A100);
    world.nodes.put(Trimming.node(node));

    assertThat(retry(world.ask("train", 8)).message()).startsWith("No A100 GPUs available.");
    assertThat(rejected("train", 9)).endsWith("the largest node, n1, has 8 A100 GPUs.");
    assertThat(rejected(Pods.asking("cpus", "{nvidia.com/gpu: 1, cpu: 8}", "")))
        .as("what the system keeps of the cpu is no pod's")
        .contains("cpu");
  }

  @Test
  void morePodsThanAllNodesTakeNeverFit() {
    world.node("n1", 8);
    world.node("n2", 8);

    assertThat(retry(world.ask(workload("train", CheckState.PENDING, 5, 4, "a100"))).message())
        .isEqualTo(
            "The pod set 'main' has 5 pods; the two nodes that may take them have room for 4, even"
                + " if nothing else runs there."
                + RETRYING);
  }

  @Test
  void autoscaledFlavorsAreLeftToProvisioning() {
    world.policy = Policies.autoscaled(world.policy, Set.of("a100"));

    assertThat(world.ask("train", 8))
        .isEqualTo(
            Verdict.ready(
                "The nodes of a100 are made when they are needed: that is left to provisioning."));
  }

  @Test
  void partitionsCountWhereThePolicySaysSo() {
    world.node("n1", A100, 8, "");
    world.policy = world.policy.withResources(List.of("nvidia.com/mig-1g.5gb"));
    assertThat(world.ask("whole", 64)).isInstanceOf(Verdict.Ready.class);

    assertThat(retry(world.ask(Pods.asking("part", "{nvidia.com/mig-1g.5gb: 1}", ""))).message())
        .isEqualTo(
            "A pod of the pod set 'main' needs 1 A100 nvidia.com/mig-1g.5gb; the largest node, n1,"
                + " has 0 A100 nvidia.com/mig-1g.5gb."
                + RETRYING);
  }

  @ParameterizedTest
  @CsvSource({
    "nvidia.com/gpu.product, NVIDIA-A100-SXM4-80GB, A100",
    "cloud.google.com/gke-accelerator, nvidia-tesla-t4, t4",
    "gpu-type, H100, H100",
    "some/label, x, spot"
  })
  void theKindIsNamedAsPeopleDo(String label, String value, String name) {
    world.flavor("spot", Map.of(label, value));
    world.node("n1", Map.of(label, value), 2, "");
    world.pod("n1", 2, "another");

    assertThat(retry(world.ask(workload("train", CheckState.PENDING, 1, 1, "spot"))).message())
        .isEqualTo("No " + name + " GPUs available." + RETRYING);
  }
}
