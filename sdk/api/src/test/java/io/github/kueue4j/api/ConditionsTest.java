// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConditionsTest {

  private static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");

  private final List<Condition> conditions =
      List.of(
          Condition.isTrue("QuotaReserved", "QuotaReserved", "by cq", T0),
          Condition.isFalse("Admitted", "NoReservation", "", T0));

  @Test
  void aChangeOfStatusMovesTheTimeAndKeepsThePosition() {
    List<Condition> changed =
        Conditions.set(
            conditions, Condition.isFalse("QuotaReserved", "Pending", "", T0.plusSeconds(9)));

    assertThat(changed)
        .extracting(Condition::type, Condition::status, Condition::lastTransitionTime)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("QuotaReserved", "False", T0.plusSeconds(9)),
            org.assertj.core.groups.Tuple.tuple("Admitted", "False", T0));
  }

  @Test
  void anUnchangedStatusKeepsTheTimeAndUpdatesReasonAndMessage() {
    Condition written = new Condition("Admitted", "False", "Other", "words", T0.plusSeconds(9), 4L);

    assertThat(Conditions.find(Conditions.set(conditions, written), "Admitted"))
        .contains(new Condition("Admitted", "False", "Other", "words", T0, 4L));
  }

  @Test
  void aNewConditionComesLast() {
    Condition evicted = Condition.isTrue("Evicted", "Preempted", "", T0);

    assertThat(Conditions.set(conditions, evicted)).endsWith(evicted).hasSize(3);
  }

  @Test
  void absentIsNeitherTrueNorFalse() {
    assertThat(Conditions.isTrue(conditions, "Evicted")).isFalse();
    assertThat(Conditions.isFalse(conditions, "Evicted")).isFalse();
    assertThat(Conditions.isTrue(conditions, "QuotaReserved")).isTrue();
    assertThat(Conditions.isFalse(conditions, "Admitted")).isTrue();
    assertThat(Conditions.is(conditions, "Admitted", "False", "NoReservation")).isTrue();
    assertThat(Conditions.is(conditions, "Admitted", "False", "Other")).isFalse();
    assertThat(Conditions.remove(conditions, "Admitted")).hasSize(1);
  }

  @Test
  void fractionsOfASecondAreCutOffAsTheApiDoes() {
    assertThat(Condition.isTrue("A", "B", "", T0.plusMillis(999)).lastTransitionTime())
        .isEqualTo(T0);
  }
}
