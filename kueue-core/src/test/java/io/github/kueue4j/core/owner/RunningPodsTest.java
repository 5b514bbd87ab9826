// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunningPodsTest {
  private static final Instant NOW = Instant.parse("2026-06-01T10:00:00Z");
  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  @ParameterizedTest
  @CsvSource({
    "Running, true",
    "Pending, true",
    "Unknown, true",
    ", true",
    "Succeeded, false",
    "Failed, false"
  })
  void aPodRunsUntilItsContainersHaveEnded(@Nullable String phase, boolean counts) {
    RunningPods pods = running(List.of(pod("n1", phase, NOW.plusSeconds(30))), true);

    assertThat(pods.isNone()).isNotEqualTo(counts);
  }

  @ParameterizedTest
  @CsvSource({
    "-299, false, true",
    "-300, false, false",
    "-301, false, false",
    "-86400, true, true",
  })
  void aPodOfALostNodeCountsUntilItsTimeIsOver(long until, boolean ready, boolean counts) {
    RunningPods pods = running(List.of(pod("n1", "Running", NOW.plusSeconds(until))), ready);

    assertThat(pods.counted()).isEqualTo(counts ? Map.of("n1", 1) : Map.of());
    assertThat(RunningPods.byNode(pods.lost())).isEqualTo(counts ? Map.of() : Map.of("n1", 1));
  }

  @Test
  void aPodThatNobodyDeletesCountsForEver() {
    assertThat(running(List.of(pod("n1", "Running", null)), false).counted()).containsKey("n1");
  }

  @Test
  void saysHowManyRunWhere() {
    assertThat(RunningPods.describe(Map.of("n1", 1))).isEqualTo("1 pod: 1 on node n1");
    RunningPods pods =
        running(
            List.of(
                pod("n2", "Running", NOW),
                pod("n1", "Running", NOW),
                pod("n2", "Running", NOW),
                pod(null, "Pending", NOW)),
            true);

    assertThat(RunningPods.describe(pods.counted()))
        .isEqualTo("4 pods: 1 without a node, 1 on node n1, 2 on node n2");
  }

  private static RunningPods running(List<V1Pod> pods, boolean nodesReady) {
    return RunningPods.of(pods, NOW, TIMEOUT, node -> nodesReady);
  }

  private static V1Pod pod(
      @Nullable String node, @Nullable String phase, @Nullable Instant deletedAt) {
    return new V1Pod()
        .metadata(
            new V1ObjectMeta()
                .name("pod")
                .deletionTimestamp(deletedAt == null ? null : deletedAt.atOffset(ZoneOffset.UTC)))
        .spec(new V1PodSpec().nodeName(node))
        .status(new V1PodStatus().phase(phase));
  }
}
