// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.internal.fence.Phase;
import io.github.kueue4j.sdk.internal.fence.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a check is asked, by the entry, the phase and what is remembered. */
class DueTest {
  private static final Instant SAID = Instant.parse("2026-06-01T10:00:00Z");
  private static final Instant NOW = SAID.plusSeconds(60);
  private static final Due.Rechecks NONE = new Due.Rechecks(null, false);
  private static final Due.Rechecks EACH_HOUR = new Due.Rechecks(Duration.ofHours(1), false);
  private static final Due.Rechecks UNTIL_ADMISSION =
      new Due.Rechecks(Duration.ofHours(1), true, false);
  private static final Due.Rechecks DELAYS = new Due.Rechecks(null, true);

  private final CheckMemory memory = new CheckMemory();

  private OwnEntry<NoParameters> entry(
      String state, Phase phase, boolean beforeQuota, boolean observes) {
    Workload workload =
        KueueJson.fromJson(
            """
            {"metadata": {"namespace": "team", "name": "w", "uid": "u", "generation": 1},
             "spec": {"queueName": "lq", "podSets": []},
             "status": {"admissionChecks": [{"name": "check", "state": "%s", "message": "",
               "lastTransitionTime": "%s"}]}}
            """
                .formatted(state, SAID),
            Workload.class);
    AdmissionCheckState own = workload.status().admissionCheck("check").orElseThrow();
    Resolution<NoParameters> parameters = new Resolution.Found<>(NoParameters.INSTANCE, "");
    return new OwnEntry<>(
        workload,
        own,
        phase,
        beforeQuota,
        parameters,
        new Progress.Basis(Token.of(workload, "check").orElseThrow(), 1, parameters, observes),
        memory,
        memory.isWoken(),
        memory.newParameters(),
        NOW);
  }

  private Due due(String state, Phase phase, Due.Rechecks rechecks) {
    return Due.of(entry(state, phase, false, false), rechecks);
  }

  /** Remembers an answer to what this entry says, and when to ask again. */
  private void answered(String state, Phase phase, @Nullable Instant next) {
    memory.progress(Progress.answered(entry(state, phase, false, false).basis(), next));
  }

  private void readyAboutThis() {
    memory.readyAbout(ReadySubject.of(entry("Ready", Phase.RESERVED, false, false).workload()));
  }

  @ParameterizedTest
  @CsvSource({
    "RESERVED, false, false, true",
    "RESERVED, false, true, true",
    "ADMITTED, false, false, false",
    "ADMITTED, false, true, true",
    "QUEUED, false, false, false",
    "QUEUED, true, false, true",
    "QUEUED, true, true, false",
    "BACKOFF, true, false, false",
    "EVICTING, true, true, false",
    "DEACTIVATED, true, true, false",
    "FINISHED, true, true, false",
    "DELETING, true, true, false"
  })
  void aPendingEntryIsDueWhereItsWorkloadWaitsForIt(
      Phase phase, boolean beforeQuota, boolean observes, boolean now) {
    assertThat(Due.of(entry("Pending", phase, beforeQuota, observes), NONE))
        .isEqualTo(now ? new Due.Now() : new Due.Never());
  }

  @Test
  void aPendingEntryThatWasAnsweredIsDueAtItsTimeOrWhenTheCheckIsWoken() {
    answered("Pending", Phase.RESERVED, null);
    assertThat(due("Pending", Phase.RESERVED, NONE)).isEqualTo(new Due.Never());

    answered("Pending", Phase.RESERVED, NOW.plusSeconds(1));
    assertThat(due("Pending", Phase.RESERVED, NONE)).isEqualTo(new Due.At(NOW.plusSeconds(1)));

    answered("Pending", Phase.RESERVED, NOW);
    assertThat(due("Pending", Phase.RESERVED, NONE)).isEqualTo(new Due.Now());

    answered("Pending", Phase.RESERVED, null);
    memory.wake();
    assertThat(due("Pending", Phase.RESERVED, NONE)).isEqualTo(new Due.Now());
  }

  @Test
  void aWakeUpBringsNeitherAFailedNorADecidedOneForward() {
    Instant next = NOW.plusSeconds(9);
    Progress.Basis basis = entry("Pending", Phase.RESERVED, false, false).basis();
    memory.wake();

    memory.progress(Progress.failed(basis, null, NOW, next));
    assertThat(due("Pending", Phase.RESERVED, NONE)).isEqualTo(new Due.At(next));

    memory.progress(Progress.decided(basis, next));
    assertThat(due("Pending", Phase.RESERVED, NONE)).isEqualTo(new Due.At(next));
  }

  @Test
  void aReadyIsDueAnIntervalAfterItWasGivenOrLastAsked() {
    readyAboutThis();
    assertThat(due("Ready", Phase.ADMITTED, NONE)).isEqualTo(new Due.Never());
    assertThat(due("Ready", Phase.ADMITTED, EACH_HOUR))
        .isEqualTo(new Due.At(SAID.plus(Duration.ofHours(1))));
    assertThat(due("Ready", Phase.QUEUED, EACH_HOUR)).isEqualTo(new Due.Never());
    assertThat(due("Ready", Phase.ADMITTED, UNTIL_ADMISSION)).isEqualTo(new Due.Never());
    assertThat(due("Ready", Phase.RESERVED, UNTIL_ADMISSION)).isInstanceOf(Due.At.class);

    answered("Ready", Phase.ADMITTED, NOW.plusSeconds(7));
    assertThat(due("Ready", Phase.ADMITTED, EACH_HOUR)).isEqualTo(new Due.At(NOW.plusSeconds(7)));
    memory.wake();
    assertThat(due("Ready", Phase.ADMITTED, EACH_HOUR)).isEqualTo(new Due.Now());
  }

  @Test
  void aReadyAboutAnotherWorkloadIsDueBeforeTheAdmission() {
    memory.readyAbout(new ReadySubject("u", 0, Map.of(), Map.of()));

    assertThat(due("Ready", Phase.RESERVED, NONE)).isEqualTo(new Due.Now());
    assertThat(due("Ready", Phase.ADMITTED, NONE)).isEqualTo(new Due.Never());
    assertThat(due("Ready", Phase.ADMITTED, EACH_HOUR)).isEqualTo(new Due.Now());
  }

  /** After a restart nothing is known of what the Ready was about. */
  @Test
  void aReadyOfWhichNothingIsKnownIsDueOnceWhereReadysAreRechecked() {
    assertThat(due("Ready", Phase.RESERVED, NONE)).isEqualTo(new Due.Never());
    assertThat(due("Ready", Phase.RESERVED, EACH_HOUR)).isEqualTo(new Due.Now());
    assertThat(due("Ready", Phase.ADMITTED, EACH_HOUR)).isInstanceOf(Due.At.class);

    Instant next = NOW.plus(Duration.ofHours(1));
    readyAboutThis();
    answered("Ready", Phase.RESERVED, next);
    assertThat(due("Ready", Phase.RESERVED, EACH_HOUR)).isEqualTo(new Due.At(next));
  }

  @Test
  void aRetryIsDueWhereItsDelayMayEnd() {
    assertThat(due("Retry", Phase.BACKOFF, NONE)).isEqualTo(new Due.Never());
    assertThat(due("Retry", Phase.BACKOFF, DELAYS)).as("after a restart").isEqualTo(new Due.Now());
    assertThat(due("Retry", Phase.EVICTING, DELAYS)).isEqualTo(new Due.Never());

    answered("Retry", Phase.BACKOFF, null);
    assertThat(due("Retry", Phase.BACKOFF, DELAYS)).isEqualTo(new Due.Never());
    memory.wake();
    assertThat(due("Retry", Phase.BACKOFF, DELAYS)).isEqualTo(new Due.Now());
    assertThat(due("Retry", Phase.BACKOFF, NONE)).isEqualTo(new Due.Never());

    memory.parametersChange(new Resolution.Found<>("others", "2"));
    assertThat(due("Retry", Phase.BACKOFF, NONE)).isEqualTo(new Due.Now());
  }

  @Test
  void whatIsRejectedIsNeverDue() {
    assertThat(due("Rejected", Phase.RESERVED, EACH_HOUR)).isEqualTo(new Due.Never());
  }
}
