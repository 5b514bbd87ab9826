// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import static io.github.kueue4j.sdk.fixture.Evaluations.retry;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.sdk.Verdict;
import io.kubernetes.client.openapi.models.V1Pod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods without a Workload that wait to be bound. */
class UnboundPodsTest {

  private static final Duration TIMEOUT = Duration.ofMinutes(10);

  private final GpuWorld world = new GpuWorld();

  @Test
  void theirRoomIsLeftToThem() {
    world.node("n1", 4);
    pending("stranger", 3, "a-service", "");

    assertThat(retry(world.ask("large", 2)).message())
        .startsWith(
            "Only 1 of 2 A100 GPUs available. Room is left to a pod without a Workload that is"
                + " about to be bound.");
    assertThat(world.ask("small", 1)).isInstanceOf(Verdict.Ready.class);
    world.workloads.remove(new ObjectKey("team-a", "small"));

    world.pod("stranger", "n1", 3, "Running", "a-service");
    assertThat(world.ask("large", 2)).isInstanceOf(Verdict.Retry.class);
    assertThat(world.ask("small", 1)).isInstanceOf(Verdict.Ready.class);
  }

  @Test
  void itIsFreeWhenTheyAreGone() {
    world.node("n1", 4);
    pending("stranger", 3, "a-service", "");
    world.sendBack("large", 2);
    assertThat(world.wake("large")).isFalse();

    world.pods.remove(new ObjectKey("team-a", "stranger"));

    assertThat(world.wake("large")).isTrue();
  }

  /** Else it would be counted twice. */
  @Test
  void thoseOfAWorkloadHaveItsReservation() {
    world.node("n1", 4);
    world.letThrough(GpuWorld.workload("first", CheckState.PENDING, 2));
    pending("of-first", 2, "job-first", "");

    assertThat(world.ask("second", 2)).isInstanceOf(Verdict.Ready.class);
  }

  @Test
  void whatNoNodeHasRoomForTakesNone() {
    world.node("n1", 4);
    pending("stranger", 5, "a-service", "");

    assertThat(world.ask("train", 4)).isInstanceOf(Verdict.Ready.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"nodeSelector\": {\"zone\": \"elsewhere\"},",
        "\"schedulingGates\": [{\"name\": \"example.com/later\"}],",
      })
  void thoseThatCannotBeBoundThereTakeNone(String spec) {
    world.node("n1", 4);
    pending("stranger", 3, "a-service", spec);

    assertThat(world.ask("train", 4)).isInstanceOf(Verdict.Ready.class);
  }

  @Test
  void theMetricsCountThemAsKept() {
    world.node("n1", 4);
    pending("stranger", 3, "a-service", "");
    assertThat(world.ask("train", 2)).isInstanceOf(Verdict.Retry.class);

    assertThat(world.capacity.usage(world.policy).values()).containsExactly(new GpuUsage(4, 0, 3));
  }

  @Test
  void theMetricsNameTheKindByTheFirstOfThePolicysLabels() {
    world.node("n1", Map.of("nvidia.com/gpu.product", "A100", "example.com/model", "fast"), 4, "");
    GpuPolicy policy =
        Policies.kindLabels(world.policy, List.of("example.com/model", "nvidia.com/gpu.product"));

    assertThat(world.capacity.usage(policy))
        .containsOnlyKeys(new GpuUsage.Series("nvidia.com/gpu", "fast"));
  }

  /** The scheduler would have bound it if nothing else kept it back. */
  @Test
  void oneThatIsNotBoundForLongTakesNoneAnyMore() {
    world.node("n1", 4);
    pending("stranger", 3, "a-service", "");
    world.sendBack("large", 2);
    assertThat(world.capacity.nextLapse()).contains(world.now.plus(TIMEOUT));

    world.now = world.now.plus(TIMEOUT).minusSeconds(1);
    assertThat(world.wake("large")).isFalse();
    world.now = world.now.plusSeconds(1);
    assertThat(world.wake("large")).isTrue();
  }

  private void pending(String name, int gpus, String owner, String spec) {
    world.pods.put(
        Trimming.pod(
            KueueJson.fromJson(
                """
                {"metadata": {"namespace": "team-a", "name": "%s", "uid": "uid-of-%s",
                   "ownerReferences": [{"controller": true, "uid": "%s", "name": "o", "kind": "Job",
                     "apiVersion": "batch/v1"}]},
                 "spec": {%s "containers": [{"name": "c", "resources":
                   {"limits": {"nvidia.com/gpu": "%d"}}}]},
                 "status": {"phase": "Pending"}}
                """
                    .formatted(name, name, owner, spec, gpus),
                V1Pod.class)));
  }
}
