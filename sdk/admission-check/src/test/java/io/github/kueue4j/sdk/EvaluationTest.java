// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.PodSetUpdate;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.fixture.Evaluations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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

  /** What the last round has left in the entry doesn't last. */
  @Test
  void theEntryAfterAVerdictIsTheOneThatAControllerWouldWrite() {
    AdmissionCheckState refused =
        AdmissionCheckState.pending("license", NOW)
            .withState(CheckState.RETRY)
            .withRequeueAfterSeconds(3600)
            .withRetryCount(2)
            .withPodSetUpdates(
                List.of(new PodSetUpdate("main", Map.of(), Map.of(), Map.of("a", "b"), List.of())));
    Workload waiting = Workload.named("team-a", "train");
    Instant later = NOW.plusSeconds(60);
    Evaluation<NoParameters> evaluation =
        Evaluation.of(
            "license",
            waiting.withStatus(waiting.status().withAdmissionCheck(refused)),
            NoParameters.INSTANCE,
            later);

    assertThat(evaluation.entryAfter(Verdict.ready("x".repeat(40_000)), Guards.defaults()))
        .hasValueSatisfying(
            entry -> {
              assertThat(entry)
                  .isEqualTo(
                      AdmissionCheckState.pending("license", later)
                          .withState(CheckState.READY)
                          .withMessage(entry.message())
                          .withRetryCount(2));
              assertThat(entry.message()).hasSize(32_768);
            });
    Verdict.Retry retry =
        new Verdict.Retry(
            Reason.of("Full"), "In {delay}.", Delay.exactly(Duration.ofMillis(59_500)));
    assertThat(evaluation.entryAfter(retry, Guards.defaults()))
        .contains(
            refused
                .withRequeueAfterSeconds(60)
                .withMessage("In 60 s.")
                .withPodSetUpdates(List.of()));
  }
}
