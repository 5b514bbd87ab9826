// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.budget.consumption.Consumption;
import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.ledger.Limit;
import io.github.kueue4j.budget.policy.BudgetSpec;
import io.github.kueue4j.budget.policy.Policy;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AgreementsTest {

  private final Shown<CustomResource<BudgetSpec>> budgets = new Shown<>();
  private final Agreements agreements =
      new Agreements(
          new Listed<>(List.of(new V1Namespace().metadata(new V1ObjectMeta().name("team-a")))),
          budgets,
          new Listed<>(List.of()),
          Consumption.ofLedger(),
          InstantSource.fixed(Instant.parse("2026-06-01T08:00:00Z")));

  @Test
  void aBudgetThatMakesNoSenseLeavesALimitThatItCouldOnlyLower() {
    budget("bad", "daily", -1);
    budget("good", "daily", 40);

    assertThat(of(Map.of("limit", 100, "budgets", "Lower")))
        .isInstanceOfSatisfying(
            Agreements.Agreement.Agreed.class,
            agreed ->
                assertThat(agreed.terms().limits())
                    .containsExactly(Limit.ofNamespace(Amount.units(40))));
  }

  @Test
  void whereItCouldSetTheLimitNothingIsAgreed() {
    budget("bad", "daily", -1);

    assertThat(of(Map.of("limit", 100, "budgets", "Override")))
        .isInstanceOfSatisfying(
            Agreements.Agreement.Invalid.class,
            invalid -> assertThat(invalid.message()).startsWith("The Budget 'bad' can't be used:"));
    assertThat(of(Map.of("budgets", "Lower"))).isInstanceOf(Agreements.Agreement.Invalid.class);
  }

  @Test
  void thoseOfOtherPoliciesAreNotJudged() {
    budget("bad", "other", -1);

    assertThat(of(Map.of("limit", 100, "budgets", "Override")))
        .isInstanceOf(Agreements.Agreement.Agreed.class);
  }

  private Agreements.Agreement of(Map<String, ?> spec) {
    Map<String, Object> all = new HashMap<>(spec);
    all.put("window", Map.of("type", "Daily"));
    return agreements.of(
        Policy.of(CustomResource.of(Policy.POLICIES, new V1ObjectMeta().name("daily"), all)),
        "team-a");
  }

  private void budget(String name, String policy, int limit) {
    budgets.show(
        CustomResource.of(
            Policy.BUDGETS,
            new V1ObjectMeta().name(name).namespace("team-a"),
            Map.of("policy", policy, "limit", limit)));
  }
}
