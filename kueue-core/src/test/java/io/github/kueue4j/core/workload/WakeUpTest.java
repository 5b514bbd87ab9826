// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.runtime.controller.Requeue;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When a Workload for which there is nothing to write now is reconciled again. */
class WakeUpTest {
  private static final Instant PLANNED = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  void wakesAtOnceForWhatHasBecomeDueSinceTheStepWasPlanned() {
    Instant due = PLANNED.plusNanos(1);

    assertThat(
            JobUpkeep.wakeUp(PLANNED, null, Optional.of(due), Optional.empty(), Optional.empty()))
        .isEqualTo(Requeue.at(due));
  }

  @Test
  void wakesAtOnceForARefusedChangeThatMayBeAskedForAgainSinceTheStepBegan() {
    Instant begun = PLANNED.minusNanos(1);

    assertThat(
            JobUpkeep.wakeUp(PLANNED, null, Optional.empty(), Optional.of(begun), Optional.empty()))
        .isEqualTo(Requeue.at(begun));
  }

  @Test
  void doesNotWakeForWhatThePlanHasTakenIntoAccount() {
    assertThat(
            JobUpkeep.wakeUp(
                PLANNED, null, Optional.of(PLANNED), Optional.empty(), Optional.empty()))
        .isEqualTo(Requeue.never());
  }

  @Test
  void wakesForTheEarliest() {
    Instant first = PLANNED.plusSeconds(1);
    Instant second = PLANNED.plusSeconds(2);
    Instant third = PLANNED.plusSeconds(3);

    assertThat(
            JobUpkeep.wakeUp(
                PLANNED, first, Optional.of(second), Optional.of(third), Optional.empty()))
        .isEqualTo(Requeue.at(first));
    assertThat(
            JobUpkeep.wakeUp(
                PLANNED, third, Optional.of(second), Optional.of(first), Optional.empty()))
        .isEqualTo(Requeue.at(first));
  }
}
