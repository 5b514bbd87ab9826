// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.books;

import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.sdk.objects.ConflictException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** An API server with optimistic locks, which counts what is written. */
public final class LedgerServer implements LedgerObjects {
  private final Map<ObjectKey, String> stored = new HashMap<>();
  private int writes;
  private long bytes;
  private int reads;
  private long version;
  private boolean down;
  private boolean losesAnswers;

  @Override
  public synchronized Optional<BudgetLedger> get(ObjectKey key) {
    reads++;
    return read(key);
  }

  private Optional<BudgetLedger> read(ObjectKey key) {
    return Optional.ofNullable(stored.get(key))
        .map(json -> KueueJson.fromJson(json, BudgetLedger.class));
  }

  @Override
  public synchronized BudgetLedger createIfAbsent(BudgetLedger ledger) {
    ObjectKey key = ObjectKey.of(ledger);
    if (!stored.containsKey(key)) {
      put(key, ledger);
    }
    return read(key).orElseThrow();
  }

  @Override
  public synchronized Optional<BudgetLedger> replace(BudgetLedger ledger) {
    if (down) {
      throw new IllegalStateException("the server is down");
    }
    ObjectKey key = ObjectKey.of(ledger);
    Optional<BudgetLedger> present = read(key);
    if (present.isEmpty() || !version(present.get()).equals(version(ledger))) {
      return Optional.empty();
    }
    put(key, ledger);
    if (losesAnswers) {
      losesAnswers = false;
      throw new IllegalStateException("the answer was lost");
    }
    return read(key);
  }

  private void put(ObjectKey key, BudgetLedger ledger) {
    ledger.metadata().setResourceVersion(Long.toString(++version));
    ledger.metadata().setGeneration(version);
    String json = KueueJson.toJson(ledger);
    stored.put(key, json);
    writes++;
    bytes += json.length();
  }

  private static String version(BudgetLedger ledger) {
    return String.valueOf(ledger.metadata().getResourceVersion());
  }

  /** What is stored of a ledger. */
  public synchronized Ledger ledger(LedgerName name) {
    return object(name).map(BudgetLedger::ledger).orElseGet(Ledger::empty);
  }

  /** The object, without counting the look. */
  public synchronized Optional<BudgetLedger> object(LedgerName name) {
    return read(name.key());
  }

  /** Deletes it, unless it was changed since it was read. */
  public synchronized boolean deleteUnchanged(BudgetLedger seen) {
    Optional<BudgetLedger> present = read(ObjectKey.of(seen));
    if (present.isPresent() && !version(present.get()).equals(version(seen))) {
      throw new ConflictException(
          "it was changed since it was read", new IllegalStateException("409"));
    }
    return stored.remove(ObjectKey.of(seen)) != null;
  }

  /** What happens when a person deletes them. */
  public synchronized void deleteAll() {
    stored.clear();
  }

  /** From now on it fails, or not. */
  public synchronized void down(boolean now) {
    down = now;
  }

  /** The next write is stored, but not answered. */
  public synchronized void loseTheNextAnswer() {
    losesAnswers = true;
  }

  /** How often something was stored. */
  public synchronized int writes() {
    return writes;
  }

  /** How many bytes were stored. */
  public synchronized long bytes() {
    return bytes;
  }

  /** How often a ledger was read. */
  public synchronized int reads() {
    return reads;
  }
}
