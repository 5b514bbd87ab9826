// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.budget.books.BudgetLedger;
import io.github.kueue4j.budget.books.LedgerName;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReleasesTest {

  private static final LedgerName NAME = new LedgerName("daily", "team-a");

  private final Releases releases = new Releases();

  @Test
  void onlySettlementsAreOfInterestAndWhatIsGoneIsForgotten() {
    assertThat(of(Optional.of(ledger(1)))).contains(NAME);
    assertThat(of(Optional.of(ledger(1)))).isEmpty();
    assertThat(of(Optional.of(ledger(2)))).contains(NAME);

    // A deleted ledger has forgotten what was spent.
    assertThat(of(Optional.empty())).contains(NAME);
    assertThat(releases.size()).isZero();
  }

  private Optional<LedgerName> of(Optional<BudgetLedger> ledger) {
    return releases.of(NAME.key(), ledger);
  }

  private static BudgetLedger ledger(int settlements) {
    ObjectKey key = NAME.key();
    return KueueJson.fromJson(
        "{\"metadata\": {\"name\": \"%s\"}, \"status\": {\"settlements\": %d}}"
            .formatted(key.name(), settlements),
        BudgetLedger.class);
  }
}
