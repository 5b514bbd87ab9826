// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckParametersReference;
import io.github.kueue4j.api.AdmissionCheckSpec;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckMode;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObservedAnswer;
import io.github.kueue4j.api.Workload;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkloadObservedCommandTest {

  private static AdmissionCheck check(String name, String mode) {
    return AdmissionCheck.named(name)
        .withMetadata(
            new V1ObjectMeta().name(name).annotations(Map.of(CheckMode.ANNOTATION, mode)));
  }

  private static Workload workload(String name, String check, CheckState state, String message) {
    Workload workload = Workload.named("ml", name);
    return workload.withStatus(
        workload
            .status()
            .withAdmissionChecks(
                List.of(
                    AdmissionCheckState.pending(check, Instant.EPOCH)
                        .withState(state)
                        .withMessage(message))));
  }

  private static String record(CheckState state, String reason) {
    return new ObservedAnswer(state, reason, "why (not): this").text();
  }

  @Test
  void countsByCheckAnswerAndReason() {
    List<AdmissionCheck> checks =
        List.of(check("trial", "Observe"), check("former", "Enforce"), check("budget", "Enforce"));
    List<Workload> workloads =
        List.of(
            workload("a", "trial", CheckState.READY, record(CheckState.RETRY, "Full")),
            workload("b", "trial", CheckState.READY, record(CheckState.RETRY, "Full")),
            workload("c", "trial", CheckState.READY, record(CheckState.RETRY, "Late")),
            workload("d", "trial", CheckState.PENDING, ""),
            workload("e", "former", CheckState.READY, record(CheckState.READY, "")),
            workload("f", "former", CheckState.READY, "fine"),
            workload("g", "budget", CheckState.RETRY, "no"));

    assertThat(WorkloadObservedCommand.count(checks, workloads))
        .containsExactly(
            entry(new WorkloadObservedCommand.Answer("former", "Ready", "", ""), List.of("ml/e")),
            entry(new WorkloadObservedCommand.Answer("trial", "None", "", ""), List.of("ml/d")),
            entry(
                new WorkloadObservedCommand.Answer("trial", "Retry", "Full", ""),
                List.of("ml/a", "ml/b")),
            entry(
                new WorkloadObservedCommand.Answer("trial", "Retry", "Late", ""), List.of("ml/c")));
  }

  /** A message that only looks like one of the policy check's names no rule. */
  @Test
  void countsByRulesOfAPolicy() {
    AdmissionCheck observed = check("trial", "Observe");
    AdmissionCheck policy =
        observed.withSpec(
            new AdmissionCheckSpec(
                "kueue4j.io/policy",
                new AdmissionCheckParametersReference(
                    "checks.kueue4j.io", "PolicyCheck", "house-rules"),
                null,
                null,
                null,
                observed.spec().preemptionPolicy()));
    List<Workload> workloads =
        List.of(
            workload("a", "trial", CheckState.READY, ruled("freeze", "Asking again in 3 h.")),
            workload("b", "trial", CheckState.READY, ruled("freeze", "Asking again in 2 h.")),
            workload("c", "trial", CheckState.READY, ruled("large", "")),
            workload("d", "trial", CheckState.READY, record(CheckState.READY, "")),
            workload("e", "other", CheckState.READY, ruled("freeze", "")));

    assertThat(WorkloadObservedCommand.count(List.of(policy, check("other", "Observe")), workloads))
        .containsExactly(
            entry(answer("other", "Retry", "RuleSaysRetry", ""), List.of("ml/e")),
            entry(answer("trial", "Ready", "", ""), List.of("ml/d")),
            entry(answer("trial", "Retry", "RuleSaysRetry", "freeze"), List.of("ml/a", "ml/b")),
            entry(answer("trial", "Retry", "RuleSaysRetry", "large"), List.of("ml/c")));
  }

  private static String ruled(String rule, String more) {
    return new ObservedAnswer(CheckState.RETRY, "RuleSaysRetry", "Rule " + rule + ": Wait. " + more)
        .text();
  }

  private static WorkloadObservedCommand.Answer answer(
      String check, String answer, String reason, String rule) {
    return new WorkloadObservedCommand.Answer(check, answer, reason, rule);
  }
}
