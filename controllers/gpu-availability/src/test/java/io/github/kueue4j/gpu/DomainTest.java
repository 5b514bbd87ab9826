// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import static io.github.kueue4j.gpu.GpuWorld.A100;
import static io.github.kueue4j.gpu.GpuWorld.workload;
import static io.github.kueue4j.sdk.fixture.Evaluations.retry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.PodSetUpdate;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.gpu.DomainRule.Otherwise;
import io.github.kueue4j.gpu.DomainRule.Scope;
import io.github.kueue4j.gpu.GpuPolicy.NeverFits;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.testdefaults.Nightly;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods that start in one domain of nodes. */
class DomainTest {

  private static final String ZONE = "topology.kubernetes.io/zone";

  private final GpuWorld world = new GpuWorld();

  DomainTest() {
    world.policy = inOneDomain(Scope.WORKLOAD, Otherwise.RETRY);
  }

  private GpuPolicy inOneDomain(Scope scope, Otherwise otherwise) {
    return Policies.inOneDomain(world.policy, new DomainRule(ZONE, scope, otherwise));
  }

  private void node(String name, String zone, int gpus) {
    world.node(name, inZone(zone), gpus, "");
  }

  private static Map<String, String> inZone(String zone) {
    Map<String, String> labels = new HashMap<>(A100);
    labels.put(ZONE, zone);
    return labels;
  }

  private static Workload pods(String name, int pods) {
    return workload(name, CheckState.PENDING, pods, 1, "a100");
  }

  private static PodSetUpdate update(String podSet, String zone) {
    return PodSetUpdate.of(podSet).withNodeSelector(Map.of(ZONE, zone));
  }

  private List<PodSetUpdate> updates(Workload workload) {
    return ((Verdict.Ready) world.ask(workload)).updates();
  }

  @Test
  void theDomainWithTheLeastRoomIsTaken() {
    node("n1", "a", 8);
    node("n2", "b", 3);
    node("n3", "b", 3);
    node("n4", "c", 4);
    world.node("n5", 5);

    Verdict.Ready ready = (Verdict.Ready) world.ask(pods("train", 5));

    assertThat(ready.message()).isEqualTo("There is room in " + ZONE + "=b.");
    assertThat(ready.updates()).containsExactly(update("main", "b"));
  }

  @Test
  void whereNoDomainHasRoomTheMessageNamesTheBest() {
    node("n1", "a", 8);
    node("n2", "b", 4);
    node("n3", "b", 4);
    world.pod("p1", "n1", 5, "Running", "other");
    world.pod("p2", "n2", 3, "Running", "other");

    assertThat(retry(world.ask(pods("train", 8))).message())
        .startsWith(
            "No domain of topology.kubernetes.io/zone has room for 8 pods of 1 A100 GPUs;"
                + " now the best, b, has room for 5. Retrying in");
    assertThat(retry(world.ask(pods("larger", 9))).message())
        .startsWith(
            "No domain of topology.kubernetes.io/zone has room for 9 pods of 1 A100 GPUs, even if"
                + " nothing else runs there; now the best, b, has room for 5.");
  }

  @Test
  void whatNoDomainCanEverTakeIsAnsweredByPolicy() {
    world.policy = Policies.with(world.policy, NeverFits.PENDING);
    node("n1", "a", 2);
    node("n2", "b", 2);

    assertThat(world.ask(pods("train", 4))).isInstanceOf(Verdict.Pending.class);
    assertThat(world.ask(pods("smaller", 2))).isInstanceOf(Verdict.Ready.class);
  }

  @Test
  void aLabelThatNoNodeHasIsTold() {
    world.node("n1", 8);

    assertThat(retry(world.ask(pods("train", 1))).message())
        .startsWith("No node has the label " + ZONE + ", whose values name the domains.");
  }

  @Test
  void roomIsPromisedOnceAndStaysInItsDomainAfterARestart() {
    node("n1", "a", 4);
    node("n2", "b", 4);
    world.letThrough(pods("first", 3));

    assertThat(updates(pods("second", 3))).containsExactly(update("main", "b"));
    assertThat(world.ask(pods("third", 3))).isInstanceOf(Verdict.Retry.class);

    world.workloads.remove(new ObjectKey("team-a", "second"));
    world.workloads.remove(new ObjectKey("team-a", "third"));
    world.restart();

    assertThat(updates(pods("fourth", 4))).containsExactly(update("main", "b"));
    assertThat(world.ask(pods("fifth", 2)))
        .as("the first one can't make room by moving to another domain")
        .isInstanceOf(Verdict.Retry.class);
    assertThat(updates(pods("sixth", 1))).containsExactly(update("main", "a"));
  }

  @Test
  void thePromiseFollowsTheReadyThatIsStored() {
    node("n1", "a", 4);
    node("n2", "b", 4);
    world.pod("n2", 1, "other");
    Workload first = pods("first", 3);
    assertThat(updates(first)).containsExactly(update("main", "b"));

    // A former process had answered a: the write of this one is refused, and the watch shows that.
    world.showReady(first, List.of(update("main", "a")));

    assertThat(world.ask(pods("second", 4))).isInstanceOf(Verdict.Retry.class);
    assertThat(updates(pods("third", 3))).containsExactly(update("main", "b"));
  }

  @Test
  void whatIsOnlyObservedIsInNoDomain() {
    node("n1", "a", 4);
    Workload first = pods("first", 4);
    assertThat(updates(first)).containsExactly(update("main", "a"));
    world.showReady(first, List.of());
    world.node("n2", 4);

    assertThat(world.ask(pods("second", 4)))
        .as("the pods of the first may start on the node without a zone")
        .isInstanceOf(Verdict.Ready.class);
    assertThat(world.ask(pods("third", 1))).isInstanceOf(Verdict.Retry.class);
  }

  @Test
  void whatIsKeptMovesWithinItsDomainOnly() {
    node("n1", "a", 2);
    node("n2", "a", 2);
    node("n3", "b", 1);
    world.letThrough(pods("first", 2));
    world.nodes.remove(ObjectKey.cluster("n1"));

    assertThat(world.ask(pods("second", 2)))
        .as("room for the first one is kept on the other node of a")
        .isInstanceOf(Verdict.Retry.class);
    assertThat(updates(pods("third", 1))).containsExactly(update("main", "b"));
  }

  @Test
  void allPodSetsShareADomainUnlessEachMayHaveItsOwn() {
    node("n1", "a", 4);
    node("n2", "b", 4);
    Workload sets = Pods.inTwoSets("train", 3, "{nvidia.com/gpu: 1}");

    assertThat(retry(world.ask(sets)).message())
        .startsWith(
            "No domain of topology.kubernetes.io/zone has room for 3 pods of 1 GPUs and 3 pods of 1"
                + " GPUs; now the best, a, has room for 4.");

    world.policy = inOneDomain(Scope.POD_SET, Otherwise.RETRY);
    assertThat(updates(sets)).containsExactly(update("leader", "a"), update("worker", "b"));
  }

  @Test
  void aPreferredDomainIsTakenIfThereIsOne() {
    world.policy = inOneDomain(Scope.WORKLOAD, Otherwise.ANYWHERE);
    node("n1", "a", 4);
    node("n2", "b", 4);

    assertThat(updates(pods("small", 4))).containsExactly(update("main", "a"));
    world.workloads.remove(new ObjectKey("team-a", "small"));

    Verdict.Ready spread = (Verdict.Ready) world.ask(pods("large", 8));
    assertThat(spread.updates()).isEmpty();
    assertThat(spread.message())
        .isEqualTo("No domain of " + ZONE + " has room for all pods: they may start on any nodes.");
    assertThat(retry(world.ask(pods("larger", 9))).message())
        .startsWith("The pod set 'main' has 9 pods; the two nodes that may take them have room");
  }

  @Test
  void thePodsOwnSelectorIsKept() {
    node("n1", "a", 8);
    node("n2", "b", 4);

    assertThat(updates(selecting(Map.of("main", "a")))).containsExactly(update("main", "a"));
    assertThat(retry(world.ask(selecting(Map.of("main", "a", "worker", "b")))).message())
        .startsWith(
            "No domain of topology.kubernetes.io/zone has room for 1 pod of 1 A100 GPUs and 1 pod"
                + " of 1 GPUs, even if nothing else runs there; now none has room for any.");
  }

  private static Workload selecting(Map<String, String> zones) {
    Workload plain = workload("selecting", CheckState.PENDING, 0);
    List<PodSet> podSets =
        zones.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(
                one ->
                    new PodSet(
                        one.getKey(),
                        new V1PodTemplateSpec()
                            .spec(
                                KueueJson.fromJson(
                                    """
                                    {"nodeSelector": {"%s": "%s"}, "containers": [{"name": "c",
                                      "resources": {"limits": {"nvidia.com/gpu": "1"}}}]}
                                    """
                                        .formatted(ZONE, one.getValue()),
                                    V1PodSpec.class)),
                        1,
                        null))
            .toList();
    return plain.withSpec(plain.spec().withPodSets(podSets));
  }

  @Test
  void theDelayEndsWhenADomainHasRoom() {
    node("n1", "a", 2);
    node("n2", "b", 2);
    world.pod("n1", 1, "busy");
    world.pod("n2", 1, "other");
    world.sendBack("train", 2);
    assertThat(world.wake("train")).isFalse();

    world.pods.remove(new ObjectKey("team-a", "pod-other"));

    assertThat(world.wake("train")).isTrue();
  }

  @Test
  void cpuCountsWhereThePolicySaysSo() {
    world.policy = world.policy.withResources(List.of("cpu"));
    plainNode("n1", "a", 4);
    plainNode("n2", "b", 4);
    plainPod("busy", "n1", 2);
    plainPod("other", "n2", 2);
    Workload train = Pods.asking("train", "{cpu: 3}", "");

    assertThat(retry(world.ask(train)).message())
        .startsWith(
            "No domain of topology.kubernetes.io/zone has room for 1 pod of 3 cpu; now none has"
                + " room for any.");
    world.workloads.put(GpuWorld.waiting(train));
    assertThat(world.wake("train")).isFalse();

    world.pods.remove(new ObjectKey("team-a", "other"));
    assertThat(world.wake("train")).isTrue();
    world.letThrough(train);
    assertThat(world.again("train")).isInstanceOf(Verdict.Unchanged.class);

    world.restart();
    assertThat(world.askOfOthers(Pods.asking("next", "{cpu: 3}", "")))
        .as("room is kept before the policy of the first one's check is known")
        .isInstanceOf(Verdict.Retry.class);
  }

  @Test
  void pendingPodsOfOthersCountWhereAPolicyCountsCpu() {
    plainNode("n1", "a", 4);
    GpuPolicy forGpus = GpuPolicy.defaults();
    Workload train = Pods.asking("train", "{cpu: 3}", "");

    world.policy = forGpus;
    world.letThrough(Pods.asking("passed", "{cpu: 3}", ""));
    assertThat(world.askOfOthers(workload("gpus", CheckState.PENDING, 1)))
        .isInstanceOf(Verdict.Retry.class);
    world.policy = inOneDomain(Scope.WORKLOAD, Otherwise.RETRY).withResources(List.of("cpu"));
    assertThat(world.askOfOthers(train))
        .as("one that another check let through since it needs no GPUs")
        .isInstanceOf(Verdict.Retry.class);

    world.workloads.remove(new ObjectKey("team-a", "passed"));
    assertThat(world.askOfOthers(train)).isInstanceOf(Verdict.Ready.class);
    world.workloads.remove(new ObjectKey("team-a", "train"));
    Workload unchecked = Pods.asking("unchecked", "{cpu: 3}", "");
    world.workloads.put(
        GpuWorld.with(
            unchecked.withStatus(unchecked.status().withAdmissionChecks(List.of())),
            Condition.isTrue("Admitted", "Admitted", "", world.now)));
    assertThat(world.askOfOthers(train))
        .as("one that was admitted without a check of this controller")
        .isInstanceOf(Verdict.Retry.class);

    world.policy = forGpus;
    world.askOfOthers(workload("more-gpus", CheckState.PENDING, 1));
    world.policy = inOneDomain(Scope.WORKLOAD, Otherwise.RETRY).withResources(List.of("memory"));
    assertThat(world.askOfOthers(Pods.asking("memory", "{memory: 1Gi, cpu: 3}", "")))
        .as("no policy counts cpu any more")
        .isInstanceOf(Verdict.Ready.class);
  }

  @Test
  void withoutADomainOrCpuARestartKeepsDevicesOnly() {
    world.policy = GpuPolicy.defaults();
    world.nodes.put(
        Trimming.node(
            KueueJson.fromJson(
                """
                {"metadata": {"name": "n1", "labels": %s},
                 "status": {"allocatable": {"cpu": "4", "nvidia.com/gpu": "1"}}}
                """
                    .formatted(KueueJson.toTree(inZone("a"))),
                V1Node.class)));
    world.letThrough(Pods.asking("first", "{cpu: 3}", ""));
    world.restart();

    assertThat(world.askOfOthers(Pods.asking("gpus", "{cpu: 3, nvidia.com/gpu: 1}", "")))
        .isInstanceOf(Verdict.Ready.class);
  }

  private void plainNode(String name, String zone, int cpu) {
    world.nodes.put(
        Trimming.node(
            KueueJson.fromJson(
                """
                {"metadata": {"name": "%s", "labels": %s},
                 "status": {"allocatable": {"cpu": "%d"}}}
                """
                    .formatted(name, KueueJson.toTree(inZone(zone)), cpu),
                V1Node.class)));
  }

  private void plainPod(String name, String node, int cpu) {
    world.pods.put(
        Trimming.pod(
            KueueJson.fromJson(
                """
                {"metadata": {"namespace": "team-a", "name": "%s", "uid": "%s"},
                 "spec": {"nodeName": "%s", "containers": [{"name": "c", "resources":
                   {"requests": {"cpu": "%d"}}}]}}
                """
                    .formatted(name, name, node, cpu),
                V1Pod.class)));
  }

  @Test
  void aReadyIsTakenBackBeforeTheAdmissionIfItsDomainIsGone() {
    node("n1", "a", 4);
    node("n2", "b", 5);
    world.letThrough(pods("first", 3));
    assertThat(world.again("first")).isInstanceOf(Verdict.Unchanged.class);

    node("n1", "c", 4);
    assertThat(retry(world.again("first")).message())
        .startsWith("Room in topology.kubernetes.io/zone=a is no longer there.");

    Workload admitted = world.workloads.get(new ObjectKey("team-a", "first")).orElseThrow();
    world.workloads.put(
        GpuWorld.with(admitted, Condition.isTrue("Admitted", "Admitted", "", world.now)));
    assertThat(world.again("first"))
        .as("what becomes of admitted ones is for lostNodes and waitForPodsReady")
        .isInstanceOf(Verdict.Unchanged.class);
  }

  @Test
  void aReadyIsTakenBackIfItsPromiseLapsedAndOthersHaveTheRoom() {
    node("n1", "a", 4);
    node("n2", "b", 3);
    node("n3", "b", 3);
    world.letThrough(pods("first", 3));
    assertThat(world.again("first")).isInstanceOf(Verdict.Unchanged.class);
    world.now = world.now.plus(world.policy.reservationTimeout());
    assertThat(world.again("first"))
        .as("the room is still there")
        .isInstanceOf(Verdict.Unchanged.class);

    assertThat(updates(pods("second", 2))).containsExactly(update("main", "a"));
    assertThat(world.again("first")).isInstanceOf(Verdict.Retry.class);
  }

  @Test
  void aNodeThatLosesTheLabelHoldsNoPromiseOfTheDomain() {
    node("n1", "a", 2);
    node("n2", "a", 2);
    node("n3", "a", 2);
    world.letThrough(pods("first", 4));

    world.node("n1", 2);

    assertThat(world.ask(pods("second", 1)))
        .as("the promise has moved to the other two")
        .isInstanceOf(Verdict.Retry.class);
    world.policy = GpuPolicy.defaults();
    assertThat(world.ask(pods("anywhere", 2))).isInstanceOf(Verdict.Ready.class);
  }

  @Test
  void theDelayEndsWhenANodeGetsTheLabel() {
    node("n1", "a", 1);
    world.node("n2", 2);
    world.workloads.put(GpuWorld.waiting(pods("train", 3)));
    assertThat(world.ask(pods("train", 3))).isInstanceOf(Verdict.Retry.class);
    world.workloads.put(GpuWorld.waiting(pods("train", 3)));
    assertThat(world.wake("train")).isFalse();

    node("n2", "a", 2);

    assertThat(world.wake("train")).isTrue();
  }

  @Test
  void whatMayStartAnywhereIsInNoDomainAfterARestart() {
    world.policy = inOneDomain(Scope.WORKLOAD, Otherwise.ANYWHERE);
    node("n1", "a", 2);
    node("n2", "b", 4);
    world.letThrough(pods("first", 5));
    world.restart();
    world.offers.offer(world.now);

    assertThat(world.ask(pods("second", 2)))
        .as("five of the six are kept")
        .isInstanceOf(Verdict.Retry.class);
    node("n3", "c", 4);
    assertThat(updates(pods("third", 4))).hasSize(1);
  }

  @Test
  void affinityExcludesADomain() {
    node("n1", "a", 4);
    node("n2", "b", 8);
    Workload train =
        Pods.asking(
            "train",
            "{nvidia.com/gpu: 1}",
            """
            affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:
              {nodeSelectorTerms: [{matchExpressions: [{key: "%s", operator: NotIn, values: ["a"]}]}]}}},
            """
                .formatted(ZONE));

    assertThat(updates(train)).containsExactly(update("main", "b"));
  }

  /** The promises to all Workloads in a domain are together never more than its room. */
  @Test
  void noTwoWorkloadsShareRoom() {
    for (int seed = 0; seed < Nightly.bound(50, 2_000); seed++) {
      requireThatNoneShare(new Random(seed), new GpuWorld());
    }
  }

  private static void requireThatNoneShare(Random random, GpuWorld world) {
    GpuPolicy anyNodes = world.policy;
    Map<String, Integer> room = new HashMap<>();
    for (int i = 0; i < 6; i++) {
      String zone = List.of("a", "b", "c").get(random.nextInt(3));
      int gpus = 1 + random.nextInt(4);
      world.node("n" + i, inZone(zone), gpus, "");
      room.merge(zone, gpus, Integer::sum);
    }
    Map<String, Integer> promised = new HashMap<>();
    int everywhere = 0;
    for (int i = 0; i < 12; i++) {
      world.policy =
          Policies.inOneDomain(
              anyNodes,
              new DomainRule(
                  ZONE,
                  Scope.WORKLOAD,
                  random.nextBoolean() ? Otherwise.RETRY : Otherwise.ANYWHERE));
      int count = 1 + random.nextInt(5);
      Workload one = pods("train-" + i, count);
      if (world.ask(one) instanceof Verdict.Ready ready) {
        world.showReady(one, ready.updates());
        everywhere += count;
        ready
            .updates()
            .forEach(
                update -> promised.merge(update.nodeSelector().get(ZONE), count, Integer::sum));
      } else {
        world.workloads.remove(one.key());
      }
      if (random.nextInt(4) == 0) {
        world.restart();
      }
      promised.forEach(
          (zone, pods) -> assertThat(pods).as(zone).isLessThanOrEqualTo(room.get(zone)));
      assertThat(everywhere)
          .isLessThanOrEqualTo(room.values().stream().mapToInt(Integer::intValue).sum());
    }
  }

  @Test
  void anEmptyValueIsNoDomain() {
    node("n1", "", 4);
    assertThat(retry(world.ask(pods("train", 2))).message())
        .startsWith("No node has the label " + ZONE);

    node("n2", "a", 2);
    assertThat(updates(pods("train", 2))).containsExactly(update("main", "a"));
    assertThat(world.ask(pods("next", 2))).isInstanceOf(Verdict.Retry.class);
  }

  @Test
  void memoryIsToldInBinaryUnits() {
    world.policy = world.policy.withResources(List.of("memory"));
    plainNode("n1", "a", 4);
    world
        .nodes
        .get(ObjectKey.cluster("n1"))
        .orElseThrow()
        .getStatus()
        .putAllocatableItem("memory", new Quantity("4Gi"));
    world.nodes.put(world.nodes.get(ObjectKey.cluster("n1")).orElseThrow());

    assertThat(retry(world.ask(Pods.asking("train", "{memory: 8Gi, cpu: 500m}", ""))).message())
        .startsWith("A pod of the pod set 'main' needs 8Gi memory; the largest node, n1, has 4Gi");
    assertThat(retry(world.ask(Pods.asking("odd", "{memory: 8388609Ki}", ""))).message())
        .contains("needs 8388609Ki memory");
  }

  @Test
  void aPolicyThatCountsCpuSpeaksOfNoGpus() {
    world.policy = GpuPolicy.defaults().withWakeInBackoff(true).withResources(List.of("cpu"));
    plainNode("n1", "a", 4);

    assertThat(((Verdict.Ready) world.ask(Pods.asking("train", "{cpu: 3}", ""))).message())
        .isEqualTo("There is room for all pods.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "zone/", "/zone", "a b", "topology.kubernetes.io/zone/x"})
  void aLabelThatNoNodeCanHaveIsRefused(String label) {
    assertThatThrownBy(() -> new DomainRule(label, Scope.WORKLOAD, Otherwise.RETRY))
        .isInstanceOf(InvalidFieldException.class)
        .hasMessageContaining("write a label of nodes");
  }
}
