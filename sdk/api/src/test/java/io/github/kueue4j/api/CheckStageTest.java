// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckStageTest {
  private static AdmissionCheck check(Map<String, String> annotations) {
    AdmissionCheck check = AdmissionCheck.named("license");
    check.metadata().setAnnotations(annotations);
    return check;
  }

  @Test
  void withoutTheAnnotationItIsAskedWithQuota() {
    assertThat(CheckStage.beforeQuota(check(Map.of()))).isFalse();
    assertThat(CheckStage.beforeQuota(check(Map.of("kueue4j.io/stage", "WithQuota")))).isFalse();
    assertThat(CheckStage.beforeQuota(check(Map.of("kueue4j.io/stage", "BeforeQuota")))).isTrue();
  }

  @Test
  void oneThatOnlyObservesIsAskedWithQuota() {
    AdmissionCheck both =
        check(Map.of("kueue4j.io/stage", "BeforeQuota", "kueue4j.io/mode", "Observe"));
    assertThat(CheckStage.beforeQuota(both)).isFalse();
    assertThat(CheckStage.isSetBeforeQuota(both)).isTrue();
  }

  @Test
  void anotherStageIsAProblem() {
    assertThat(CheckStage.problem(check(Map.of("kueue4j.io/stage", "before"))))
        .hasValueSatisfying(
            problem ->
                assertThat(problem)
                    .contains("metadata.annotations['kueue4j.io/stage'] is 'before'")
                    .contains("write BeforeQuota or WithQuota"));
    assertThat(CheckStage.problem(check(Map.of("kueue4j.io/stage", "BeforeQuota")))).isEmpty();
    assertThat(CheckStage.problem(check(Map.of("kueue4j.io/stage", "x".repeat(10_000)))))
        .hasValueSatisfying(problem -> assertThat(problem).hasSizeLessThan(1000));
  }

  @ParameterizedTest
  @ValueSource(strings = {"59s", "169h", "ten minutes", "10", "-5m"})
  void aTimeOutOfBoundsIsAProblemAndMeansTheDefault(String readyFor) {
    AdmissionCheck check = check(Map.of("kueue4j.io/ready-for", readyFor));
    assertThat(CheckStage.problem(check)).isPresent();
    assertThat(CheckStage.readyFor(check)).isEqualTo(CheckStage.DEFAULT_READY_FOR);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1m", "90s", "168h"})
  void aTimeWithinTheBoundsCounts(String readyFor) {
    AdmissionCheck check = check(Map.of("kueue4j.io/ready-for", readyFor));
    assertThat(CheckStage.problem(check)).isEmpty();
    assertThat(CheckStage.readyFor(check))
        .isBetween(CheckStage.SHORTEST_READY_FOR, CheckStage.LONGEST_READY_FOR);
    assertThat(CheckStage.readyFor(check(Map.of()))).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void aTimeWithoutTheStageHasNoEffect() {
    Map<String, String> time = Map.of("kueue4j.io/ready-for", "5m");
    assertThat(CheckStage.readyForIsUnused(check(time))).isTrue();
    assertThat(CheckStage.readyForIsUnused(check(Map.of()))).isFalse();
    assertThat(
            CheckStage.readyForIsUnused(
                check(Map.of("kueue4j.io/ready-for", "5m", "kueue4j.io/stage", "BeforeQuota"))))
        .isFalse();
  }

  @Test
  void theCoreAsksAboutOneGenerationOfTheSpec() {
    assertThat(CheckStage.asks(workload(2, 2, CheckStage.WAITING_FOR_CHECKS))).isTrue();
    assertThat(CheckStage.asks(workload(3, 2, CheckStage.WAITING_FOR_CHECKS))).isFalse();
    assertThat(CheckStage.asks(workload(2, 2, "WaitingForQuota"))).isFalse();
  }

  private static Workload workload(long generation, long asked, String reason) {
    Workload workload =
        Workload.named("ns", "wl")
            .withMetadata(new V1ObjectMeta().namespace("ns").name("wl").generation(generation));
    Condition condition =
        new Condition(
            WorkloadConditions.QUOTA_RESERVED, Condition.FALSE, reason, "", Instant.EPOCH, asked);
    return workload.withStatus(workload.status().withConditions(List.of(condition)));
  }
}
