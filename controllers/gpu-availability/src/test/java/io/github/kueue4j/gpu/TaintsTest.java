// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import static io.github.kueue4j.gpu.GpuWorld.A100;
import static io.github.kueue4j.sdk.fixture.Evaluations.retry;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.sdk.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Taints of nodes: which ones pods tolerate, and what is said of the others. */
class TaintsTest {

  private final GpuWorld world = new GpuWorld();

  /** What the admission plugin ExtendedResourceToleration adds to a pod that is made. */
  @ParameterizedTest
  @CsvSource({
    "nvidia.com/gpu, present, NoSchedule, true",
    "nvidia.com/gpu, '', NoSchedule, true",
    "nvidia.com/gpu, present, NoExecute, false",
    "amd.com/gpu, present, NoSchedule, false",
    "dedicated, ml, NoSchedule, false",
  })
  void theTaintThatIsNamedAsARequestedResourceIsTolerated(
      String key, String value, String effect, boolean tolerated) {
    tainted("n1", key, value, effect);

    assertThat(world.ask("train", 1) instanceof Verdict.Ready).isEqualTo(tolerated);
  }

  @Test
  void theSameWhereThePodsSayThemselvesWhatTheyNeed() {
    tainted("n1", "nvidia.com/gpu", "present", "NoSchedule");

    assertThat(world.ask(Pods.asking("train", "{cpu: 1, nvidia.com/gpu: 1}", "")))
        .isInstanceOf(Verdict.Ready.class);
  }

  @Test
  void notWhereTheClusterAddsNoTolerations() {
    world.policy = Policies.withoutExtendedResourceToleration(world.policy);
    tainted("n1", "nvidia.com/gpu", "present", "NoSchedule");

    assertThat(retry(world.ask("train", 1)).message())
        .contains(
            "The node n1 has the taint nvidia.com/gpu=present:NoSchedule, and the pods don't"
                + " tolerate it.");
  }

  @Test
  void ofSeveralNodesThatArePassedOverOneIsNamed() {
    world.node("free", 2);
    world.pod("free", 2, "another-job");
    tainted("gpu-1", "dedicated", "ml", "NoSchedule");
    tainted("gpu-2", "dedicated", "ml", "NoSchedule");
    tainted("gpu-3", "dedicated", "ml", "NoSchedule");

    assertThat(retry(world.ask("train", 2)).message())
        .isEqualTo(
            "No A100 GPUs available. 3 nodes have the taint dedicated=ml:NoSchedule, such as gpu-1,"
                + " and the pods don't tolerate it. Retrying in {delay} (attempt {attempt})");
  }

  @Test
  void nodesThatWouldBeTooSmallAreNotNamed() {
    world.node("free", 2);
    world.pod("free", 2, "another-job");
    world.node("master", A100, 0, taint("node-role.kubernetes.io/control-plane", "", "NoSchedule"));

    assertThat(retry(world.ask("train", 2)).message()).startsWith("No A100 GPUs available. Retry");
  }

  private void tainted(String node, String key, String value, String effect) {
    world.node(node, A100, 4, taint(key, value, effect));
  }

  private static String taint(String key, String value, String effect) {
    return """
        "spec": {"taints": [{"key": "%s", "value": "%s", "effect": "%s"}]}
        """
        .formatted(key, value, effect)
        .strip();
  }
}
