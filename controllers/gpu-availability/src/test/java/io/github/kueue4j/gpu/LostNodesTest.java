// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import static io.github.kueue4j.gpu.GpuWorld.workload;
import static io.github.kueue4j.sdk.fixture.Evaluations.retry;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.sdk.Verdict;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeCondition;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Workloads that run, and whose nodes are lost. */
class LostNodesTest {

  private final GpuWorld world = new GpuWorld();

  @BeforeEach
  void running() {
    world.policy = Policies.evicting(world.policy);
    world.node("n1", 8);
    world.letThrough(workload("train", CheckState.PENDING, 8));
    world.pod("n1", 8, "job-train");
    assertThat(recheck()).isInstanceOf(Verdict.Unchanged.class);
  }

  private Verdict recheck() {
    return recheck("train");
  }

  private Verdict recheck(String name) {
    return world.again(name);
  }

  @Test
  void aNodeThatStaysLostEvicts() {
    notReady();
    assertThat(recheck()).as("it may be back in a moment").isInstanceOf(Verdict.Unchanged.class);
    world.now = world.now.plus(world.policy.lostNodeGracePeriod());

    Verdict.Retry retry = retry(recheck());
    assertThat(retry.reason()).hasToString("NodesLost");
    assertThat(retry.message())
        .isEqualTo(
            "The node n1 of the pod pod-job-train is lost. Queued again in {delay} (attempt"
                + " {attempt})");
  }

  /** The kubelets can't reach the API server, and their pods go on. */
  @Test
  void mostNodesAtOnceEvictNothing() {
    List<String> others = List.of("n2", "n3", "n4", "n5");
    others.forEach(name -> world.node(name, 8));
    notReady();
    notReady("n2");
    notReady("n3");
    recheck();
    world.now = world.now.plus(world.policy.lostNodeGracePeriod());
    assertThat(recheck()).as("three of five").isInstanceOf(Verdict.Unchanged.class);

    world.node("n3", 8);
    assertThat(recheck()).as("two are lost on their own").isInstanceOf(Verdict.Retry.class);
  }

  @Test
  void aNodeThatIsBackInTimeDoesNot() {
    notReady();
    recheck();
    world.now = world.now.plusSeconds(59);
    world.node("n1", 8);
    recheck();
    world.now = world.now.plusSeconds(59);
    notReady();

    assertThat(recheck()).isInstanceOf(Verdict.Unchanged.class);
  }

  @Test
  void aDeletedNodeWhosePodsAreGoneEvictsUnlessThereIsRoomElsewhere() {
    world.nodes.remove(ObjectKey.cluster("n1"));
    world.pods.remove(new ObjectKey("team-a", "pod-job-train"));
    recheck();
    world.now = world.now.plus(world.policy.lostNodeGracePeriod());
    assertThat(retry(recheck()).message())
        .startsWith("No node has room any more for 1 of its pods, whose nodes are lost.");

    world.node("n2", 8);
    assertThat(recheck()).isInstanceOf(Verdict.Unchanged.class);
  }

  /** The kubelet of a dead node never tells that a pod has ended. */
  @Test
  void podsThatEndOnALostNodeEvictTheirWorkloadOnlyOnce() {
    notReady();
    recheck();
    world.now = world.now.plus(world.policy.lostNodeGracePeriod());
    assertThat(recheck()).isInstanceOf(Verdict.Retry.class);
    world.workloads.put(GpuWorld.waiting(workload("train", CheckState.PENDING, 8)));
    world.terminate("pod-job-train");

    world.node("n2", 8);
    world.letThrough(workload("train", CheckState.PENDING, 8));
    world.now = world.now.plus(world.policy.lostNodeGracePeriod());
    assertThat(recheck()).isInstanceOf(Verdict.Unchanged.class);
    assertThat(world.ask("another", 8))
        .as("the room is kept for the pods that follow")
        .isInstanceOf(Verdict.Retry.class);
  }

  @Test
  void roomIsKeptElsewhereOnceTheNodeOfAPodThatEndsIsLost() {
    world.node("n2", 8);
    world.terminate("pod-job-train");
    assertThat(world.ask("small", 1)).as("n2 is free").isInstanceOf(Verdict.Ready.class);
    world.workloads.remove(new ObjectKey("team-a", "small"));

    notReady();
    assertThat(world.ask("another", 1)).isInstanceOf(Verdict.Retry.class);
  }

  @Test
  void podsThatSucceededOrAreUnknownEvictNothing() {
    world.pod("pod-job-train", "n1", 8, "Succeeded", "job-train");
    recheck();
    world.pod("n1", 8, "another");
    notReady();
    recheck();
    world.now = world.now.plus(world.policy.lostNodeGracePeriod());
    assertThat(recheck()).as("its pod succeeded").isInstanceOf(Verdict.Unchanged.class);

    world.now = world.now.plus(world.policy.reservationTimeout());
    assertThat(recheck()).as("no room is kept any more").isInstanceOf(Verdict.Unchanged.class);
  }

  @Test
  void aPodThatSucceedsWhileItsNodeIsLostEvictsNothing() {
    notReady();
    world.pod("pod-job-train", "n1", 8, "Succeeded", "job-train");
    recheck();
    world.now = world.now.plus(world.policy.lostNodeGracePeriod());

    assertThat(recheck()).isInstanceOf(Verdict.Unchanged.class);
  }

  @Test
  void aPodThatFailedWithItsNodeEvicts() {
    notReady();
    world.pod("pod-job-train", "n1", 8, "Failed", "job-train");
    recheck();
    world.now = world.now.plus(world.policy.lostNodeGracePeriod());

    assertThat(retry(recheck()).message()).startsWith("No node has room any more for 1");
  }

  @Test
  void aLostPodThatWasFollowedEvictsNothingWhereAnotherOneSucceeded() {
    world.node("n2", 8);
    world.letThrough(workload("pair", CheckState.PENDING, 2, 4, "a100"));
    world.pod("a", "n2", 4, "Running", "job-pair");
    world.pod("b", "n2", 4, "Running", "job-pair");
    recheck();
    world.nodes.remove(ObjectKey.cluster("n2"));
    world.pod("a", "n2", 4, "Failed", "job-pair");
    world.node("n3", 4);
    world.pod("b", "n2", 4, "Succeeded", "job-pair");
    recheck();
    world.pod("a2", "n3", 4, "Running", "job-pair");
    recheck();

    world.now = world.now.plus(world.policy.lostNodeGracePeriod());
    assertThat(recheck("pair")).isInstanceOf(Verdict.Unchanged.class);
  }

  @Test
  void equalPodSetsLoseOnlyWhatEndedWithItsNode() {
    world.node("n2", 4);
    world.node("n3", 4);
    world.letThrough(Pods.inTwoSets("pair", 1, "{nvidia.com/gpu: 4}"));
    world.pod("a", "n2", 4, "Running", "job-pair");
    world.pod("b", "n3", 4, "Running", "job-pair");
    recheck();
    world.pod("b", "n3", 4, "Succeeded", "job-pair");
    world.pod("n3", 4, "another");
    world.offers.offer(world.now);
    world.now = world.now.plus(world.policy.lostNodeGracePeriod());
    assertThat(recheck("pair")).as("it succeeded").isInstanceOf(Verdict.Unchanged.class);

    world.nodes.remove(ObjectKey.cluster("n2"));
    world.pods.remove(new ObjectKey("team-a", "a"));
    recheck("pair");
    world.now = world.now.plus(world.policy.lostNodeGracePeriod());
    assertThat(retry(recheck("pair")).message()).startsWith("No node has room any more for 1");
  }

  @Test
  void nothingHappensWhereThePolicyDoesNotSaySo() {
    world.policy = GpuPolicy.defaults();
    world.nodes.remove(ObjectKey.cluster("n1"));
    recheck();
    world.now = world.now.plusSeconds(3600);

    assertThat(recheck()).isInstanceOf(Verdict.Unchanged.class);
  }

  private void notReady() {
    notReady("n1");
  }

  private void notReady(String name) {
    V1Node node = world.nodes.get(ObjectKey.cluster(name)).orElseThrow();
    node.getStatus().setConditions(List.of(new V1NodeCondition().type("Ready").status("False")));
    world.nodes.put(node);
  }
}
