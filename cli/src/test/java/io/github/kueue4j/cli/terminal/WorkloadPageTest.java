// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckOrder;
import io.github.kueue4j.api.CheckStage;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObservedAnswer;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.observe.explain.ExplainInput;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class WorkloadPageTest {
  private static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");

  private static final Condition RESERVED =
      Condition.isTrue("QuotaReserved", "QuotaReserved", "", NOW.minusSeconds(300));

  private static final ClusterQueue QUEUE =
      KueueJson.fromJson(
          """
          {"metadata": {"name": "cq"}, "spec": {"admissionChecksStrategy": {"admissionChecks":
            [{"name": "budget"}, {"name": "gpu"}, {"name": "cpu"}]}}}
          """,
          ClusterQueue.class);

  @Test
  void aCheckThatComesAfterAnotherIsARowOfItsOwn() {
    assertThat(page(CheckState.PENDING))
        .containsSequence(
            "CHECK    STATE           SINCE    MESSAGE",
            "budget   Pending         5m",
            "gpu      not asked yet   <none>   after budget");
    assertThat(page(CheckState.READY)).noneMatch(line -> line.contains("not asked yet"));
  }

  @Test
  void whatACheckWouldHaveSaidIsNoAnswerToWaitFor() {
    AdmissionCheckState record =
        AdmissionCheckState.pending("budget", NOW.minusSeconds(300))
            .withState(CheckState.READY)
            .withMessage(new ObservedAnswer(CheckState.RETRY, "Full", "none").text());

    assertThat(page(workload(RESERVED, record), Set.of()))
        .anyMatch(line -> line.startsWith("gpu      not asked yet"));
  }

  /** Of those that are asked before quota only. */
  @Test
  void beforeQuotaThereAreRowsToo() {
    Condition asks =
        Condition.isFalse("QuotaReserved", CheckStage.WAITING_FOR_CHECKS, "", NOW)
            .withObservedGeneration(1L);
    Workload workload = workload(asks, AdmissionCheckState.pending("budget", NOW));

    assertThat(
            WorkloadPage.of(
                workload,
                around(
                    workload,
                    Set.of(),
                    check("budget", Map.of(CheckStage.ANNOTATION, "BeforeQuota")),
                    check(
                        "gpu",
                        Map.of(
                            CheckStage.ANNOTATION, "BeforeQuota", CheckOrder.ANNOTATION, "budget")),
                    after("cpu", "gpu")),
                NOW))
        .anyMatch(line -> line.matches("gpu +not asked yet +<none> +after budget"))
        .noneMatch(line -> line.startsWith("cpu "));
  }

  @Test
  void aWorkloadThatWaitsForQuotaAlonePutsNoCheckOff() {
    Condition waits = Condition.isFalse("QuotaReserved", "Pending", "", NOW);

    assertThat(page(workload(waits), Set.of())).noneMatch(line -> line.contains("not asked yet"));
  }

  @Test
  void whereChecksMayNotBeReadTheOthersAreNotNamed() {
    Workload plain = workload(RESERVED, AdmissionCheckState.pending("budget", NOW));
    Workload workload =
        plain.withStatus(
            plain
                .status()
                .withConditions(
                    List.of(
                        RESERVED,
                        Condition.isTrue(
                            WorkloadConditions.WITHHELD_CHECKS, "Withheld", "gpu=0", NOW))));

    assertThat(WorkloadPage.of(workload, around(workload, Set.of(KueueTypes.ADMISSION_CHECK)), NOW))
        .anyMatch(line -> line.matches("gpu +not asked yet +<none> +after others"));
  }

  private static List<String> page(CheckState budget) {
    return page(
        workload(
            RESERVED,
            AdmissionCheckState.pending("budget", NOW.minusSeconds(300)).withState(budget)),
        Set.of());
  }

  private static List<String> page(Workload workload, Set<ResourceType<?>> unreadable) {
    return WorkloadPage.of(
        workload,
        around(workload, unreadable, check("budget", Map.of()), after("gpu", "budget")),
        NOW);
  }

  private static Workload workload(Condition reserved, AdmissionCheckState... checks) {
    Workload plain = Workload.named("team", "train");
    return plain
        .withMetadata(plain.metadata().generation(1L))
        .withStatus(
            plain
                .status()
                .withConditions(List.of(reserved))
                .withAdmission(reserved.isTrue() ? new Admission("cq", List.of()) : null)
                .withAdmissionChecks(List.of(checks)));
  }

  private static AdmissionCheck after(String name, String other) {
    return check(name, Map.of(CheckOrder.ANNOTATION, other));
  }

  private static AdmissionCheck check(String name, Map<String, String> annotations) {
    return AdmissionCheck.named(name)
        .withMetadata(new V1ObjectMeta().name(name).annotations(annotations));
  }

  private static ExplainInput around(
      Workload workload, Set<ResourceType<?>> unreadable, AdmissionCheck... checks) {
    return new ExplainInput(
        workload,
        null,
        List.of(),
        null,
        QUEUE,
        Map.of(),
        List.of(checks).stream()
            .collect(Collectors.toMap(check -> check.key().name(), check -> check)),
        Map.of(),
        Set.of(),
        List.of(),
        List.of(),
        Map.of(),
        List.of(),
        List.of(),
        Map.of(),
        null,
        null,
        unreadable);
  }
}
