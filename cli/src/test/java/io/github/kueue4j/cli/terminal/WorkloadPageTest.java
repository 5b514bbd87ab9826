// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckOrder;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.Workload;
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

  @Test
  void aCheckThatComesAfterAnotherIsARowOfItsOwn() {
    assertThat(page(CheckState.PENDING))
        .containsSequence(
            "CHECK    STATE           SINCE    MESSAGE",
            "budget   Pending         5m",
            "gpu      not asked yet   <none>   after budget");
    assertThat(page(CheckState.READY)).noneMatch(line -> line.contains("not asked yet"));
  }

  private static List<String> page(CheckState budget) {
    ClusterQueue queue =
        KueueJson.fromJson(
            """
            {"metadata": {"name": "cq"}, "spec": {"admissionChecksStrategy": {"admissionChecks":
              [{"name": "budget"}, {"name": "gpu"}]}}}
            """,
            ClusterQueue.class);
    Workload plain = Workload.named("team", "train");
    Workload workload =
        plain.withStatus(
            plain
                .status()
                .withConditions(
                    List.of(
                        Condition.isTrue(
                            "QuotaReserved", "QuotaReserved", "", NOW.minusSeconds(300))))
                .withAdmission(new Admission("cq", List.of()))
                .withAdmissionChecks(
                    List.of(
                        AdmissionCheckState.pending("budget", NOW.minusSeconds(300))
                            .withState(budget))));
    return WorkloadPage.of(
        workload,
        around(workload, queue, AdmissionCheck.named("budget"), after("gpu", "budget")),
        NOW);
  }

  private static AdmissionCheck after(String name, String other) {
    return AdmissionCheck.named(name)
        .withMetadata(
            new V1ObjectMeta().name(name).annotations(Map.of(CheckOrder.ANNOTATION, other)));
  }

  private static ExplainInput around(
      Workload workload, ClusterQueue queue, AdmissionCheck... checks) {
    return new ExplainInput(
        workload,
        null,
        List.of(),
        null,
        queue,
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
        Set.of());
  }
}
