// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.books;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.ledger.Payer;
import io.github.kueue4j.budget.ledger.Rate;
import io.github.kueue4j.budget.ledger.Reservation;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * A ledger that a check without accounts reads and writes, too, as in an upgrade and its reverse.
 */
class OlderLedgerTest {
  private static final Instant MAY = Instant.parse("2026-05-01T00:00:00Z");
  private static final Instant JUNE = Instant.parse("2026-06-01T00:00:00Z");
  private static final Payer NOBODY = new Payer("q", "");
  private static final Payer ADA = new Payer("q", "ada");
  private static final Payer BOB = new Payer("q", "bob");
  private static final Ledger LEDGER =
      new Ledger(
          JUNE,
          Amount.ZERO,
          new TreeMap<>(
              Map.of(
                  JUNE,
                  Map.of(
                      ADA,
                      Amount.units(30),
                      BOB,
                      Amount.units(20),
                      NOBODY,
                      Amount.units(10),
                      new Payer("r", "ada"),
                      Amount.units(5)))),
          new TreeMap<>(Map.of(MAY, Map.of(ADA, Amount.units(7), NOBODY, Amount.units(1)))),
          Map.of("u", open("ada")),
          4);

  @Test
  void anOlderCheckReadsAllThatIsSpent() {
    Map<String, BigInteger> read = new HashMap<>();
    // It keeps the last item of a slot and LocalQueue.
    for (JsonElement one : status(stored(LEDGER)).getAsJsonArray("settled")) {
      JsonObject item = one.getAsJsonObject();
      read.put(item.get("queue").getAsString(), item.get("ticks").getAsBigInteger());
    }

    assertThat(read).isEqualTo(Map.of("q", Amount.units(60).ticks(), "r", Amount.units(5).ticks()));
  }

  @Test
  void whatAnOlderCheckSettlesIsOfNoUserAndAccountsStay() {
    Ledger after = afterOlderCheck(settled(JUNE, "q", 75), settled(JUNE, "r", 5));

    assertThat(after.spent().get(JUNE))
        .isEqualTo(
            Map.of(
                ADA,
                Amount.units(30),
                BOB,
                Amount.units(20),
                NOBODY,
                Amount.units(25),
                new Payer("r", "ada"),
                Amount.units(5)));
    assertThat(after.past()).isEqualTo(LEDGER.past());
    assertThat(after.open()).isEqualTo(Map.of("u", open("")));
  }

  @Test
  void usersOfWhatAnOlderCheckNoLongerCountsAreDropped() {
    Instant july = Instant.parse("2026-07-01T00:00:00Z");

    assertThat(afterOlderCheck(settled(july, "q", 3)).spent())
        .as("another window")
        .isEqualTo(Map.of(july, Map.of(NOBODY, Amount.units(3))));
    assertThat(afterOlderCheck(settled(JUNE, "q", 49)).spent())
        .as("less than they have")
        .isEqualTo(Map.of(JUNE, Map.of(NOBODY, Amount.units(49))));
  }

  /** An older definition of the kind prunes the users. */
  @Test
  void aPrunedLedgerHasAllThatIsSpent() {
    JsonObject tree = stored(LEDGER);
    status(tree).remove("users");
    status(tree).remove("past");

    assertThat(read(tree).spent())
        .isEqualTo(
            Map.of(JUNE, Map.of(NOBODY, Amount.units(60), new Payer("r", ""), Amount.units(5))));
  }

  @Test
  void allOfItIsStored() {
    assertThat(StoredForm.restarted(LEDGER)).isEqualTo(LEDGER);
    assertThat(BudgetLedger.size(LEDGER)).isGreaterThanOrEqualTo(StoredForm.size(LEDGER));
  }

  /** A merge patch by a check that knows no accounts: lists as a whole, and other fields stay. */
  private static Ledger afterOlderCheck(JsonObject... settled) {
    JsonObject tree = stored(LEDGER);
    JsonArray items = new JsonArray();
    List.of(settled).forEach(items::add);
    status(tree).add("settled", items);
    status(tree).getAsJsonArray("open").forEach(one -> one.getAsJsonObject().remove("user"));
    return read(tree);
  }

  private static JsonObject settled(Instant from, String queue, int units) {
    JsonObject one = new JsonObject();
    one.addProperty("from", from.toString());
    one.addProperty("queue", queue);
    one.addProperty("ticks", Amount.units(units).ticks().toString());
    return one;
  }

  private static JsonObject stored(Ledger ledger) {
    return JsonParser.parseString(
            KueueJson.toJson(
                BudgetLedger.empty(new LedgerName("p", "a")).with(ledger, Summary.none())))
        .getAsJsonObject();
  }

  private static JsonObject status(JsonObject tree) {
    return tree.getAsJsonObject("status");
  }

  private static Ledger read(JsonObject tree) {
    return KueueJson.fromJson(tree.toString(), BudgetLedger.class).ledger();
  }

  private static Reservation open(String user) {
    return Reservation.of(
        new Reservation.Claimant("u", "w", new Payer("q", user), ""),
        new Reservation.Charge(new Rate(BigInteger.TEN), Duration.ofHours(1), false, "", null),
        JUNE);
  }
}
