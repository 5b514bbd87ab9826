// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.fixture.Evaluations;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EvaluationTest {
  private static final Instant NOW = Instant.parse("2026-06-01T12:00:00Z");

  @Test
  void aWorkloadWithoutAnEntryIsAskedForTheFirstTime() {
    Evaluation<String> evaluation =
        Evaluation.of("license", Workload.named("team-a", "train"), "three", NOW);

    assertThat(evaluation.entry()).isEqualTo(AdmissionCheckState.pending("license", NOW));
    assertThat(evaluation.parameters()).isEqualTo("three");
    assertThat(evaluation.clusterQueue()).isEmpty();
    assertThat(evaluation.deadline()).isEqualTo(NOW.plusSeconds(30));
  }

  @Test
  void theReservationAndTheEntryAreThoseOfTheWorkload() {
    AdmissionCheckState entry =
        AdmissionCheckState.pending("license", NOW).withRetryCount(2).withState(CheckState.READY);
    PodSetAssignment gpus =
        new PodSetAssignment(
            "main",
            Map.of("nvidia.com/gpu", "a100"),
            Map.of("nvidia.com/gpu", Quantity.parse("4")),
            2);
    Workload workload = Evaluations.reserved("team-a", "train", gpus, entry, NOW);

    Evaluation<NoParameters> evaluation =
        Evaluation.of("license", workload, NoParameters.INSTANCE, NOW);

    assertThat(evaluation.attempt()).isEqualTo(2);
    assertThat(evaluation.clusterQueue()).contains("cq");
    assertThat(evaluation.entry()).isEqualTo(entry);
  }

  @Test
  void theEntryAfterAVerdictHasItsDelayAndMessage() {
    Evaluation<NoParameters> evaluation =
        Evaluation.of("license", Workload.named("team-a", "train"), NoParameters.INSTANCE, NOW);
    Verdict retry =
        Verdict.retry(
            Reason.of("Full"),
            "Full. Asking again in {delay}.",
            Backoff.exponential(Duration.ofHours(1), 2));
    AdmissionCheckState entry = AdmissionCheckState.pending("license", NOW);

    assertThat(evaluation.entryAfter(retry, Guards.defaults()))
        .contains(
            entry
                .withState(CheckState.RETRY)
                .withMessage("Full. Asking again in 60 min.")
                .withRequeueAfterSeconds(3600));
    assertThat(
            evaluation.entryAfter(
                retry, Guards.defaults().withLongestDelay(Duration.ofMinutes(10))))
        .get()
        .satisfies(limited -> assertThat(limited.requeueAfterSeconds()).isBetween(300, 600));
    assertThat(evaluation.entryAfter(Verdict.ready("Yes."), Guards.defaults()))
        .contains(entry.withState(CheckState.READY).withMessage("Yes."));
    assertThat(evaluation.entryAfter(Verdict.unchanged("offline"), Guards.defaults())).isEmpty();
  }
}
