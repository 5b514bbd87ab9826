// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckStage;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.PodSetUpdate;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.internal.Attempts;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The fence without a reservation: an answer counts for the question that it was given to. */
class FenceBeforeQuotaTest {
  private static final Instant T0 = Instant.parse("2026-06-01T12:00:00Z");
  private static final Instant NOW = T0.plusSeconds(30);
  private static final Verdict READY = Verdict.ready("fine", List.of(PodSetUpdate.of("main")));
  private static final Verdict RETRY =
      Verdict.retry(Reason.of("Full"), "full", Delay.exactly(Duration.ofMinutes(5)));

  /** Asked about this generation of the spec, which is the present one. */
  private static Workload asked(long generation, Instant date) {
    return workload(generation, date, CheckStage.WAITING_FOR_CHECKS);
  }

  private static Workload workload(long generation, Instant date, String reason) {
    Workload workload =
        Workload.named("ns", "wl")
            .withMetadata(
                new V1ObjectMeta().namespace("ns").name("wl").uid("1").generation(generation));
    return workload.withStatus(
        workload
            .status()
            .withConditions(
                List.of(
                    new Condition(
                        WorkloadConditions.QUOTA_RESERVED,
                        Condition.FALSE,
                        reason,
                        "",
                        T0,
                        generation)))
            .withAdmissionChecks(List.of(AdmissionCheckState.pending("budget", date))));
  }

  private static Decision decide(Workload newest, Verdict verdict) {
    return FenceTest.decide(Token.of(asked(1, T0), "budget").orElseThrow(), newest, verdict, NOW);
  }

  @Test
  void theAnswerToThisQuestionIsWrittenWithoutWhatIsAboutAReservation() {
    assertThat(decide(asked(1, T0), READY))
        .isInstanceOfSatisfying(
            Decision.Write.class,
            write -> {
              assertThat(write.after().state()).isEqualTo(CheckState.READY);
              assertThat(write.after().lastTransitionTime()).isEqualTo(NOW);
              assertThat(write.after().podSetUpdates()).isEmpty();
            });
    assertThat(decide(asked(1, T0), RETRY))
        .isInstanceOfSatisfying(
            Decision.Write.class,
            write -> assertThat(write.after().requeueAfterSeconds()).isEqualTo(300));
  }

  @Test
  void anAnswerToAnotherQuestionIsDropped() {
    List<Workload> others =
        List.of(
            asked(2, T0),
            asked(1, T0.plusSeconds(1)),
            workload(1, T0, "WaitingForQuota"),
            workload(2, T0, "WaitingForQuota"));
    for (Workload other : others) {
      assertThat(decide(other, READY)).isInstanceOf(Decision.DropAndEvaluateAnew.class);
      assertThat(decide(other, RETRY)).isInstanceOf(Decision.DropAndEvaluateAnew.class);
    }
  }

  /** An endpoint that answers a key as it did before would repeat its first Retry for ever. */
  @Test
  void eachQuestionHasAnIdOfItsOwn() {
    assertThat(
            Set.of(
                Attempts.id(asked(1, T0), "budget"),
                Attempts.id(asked(1, T0.plusSeconds(1)), "budget"),
                Attempts.id(asked(2, T0), "budget"),
                Attempts.id(asked(1, T0), "other")))
        .hasSize(4);
    assertThat(Attempts.id(asked(1, T0), "budget")).isEqualTo(Attempts.id(asked(1, T0), "budget"));
  }
}
