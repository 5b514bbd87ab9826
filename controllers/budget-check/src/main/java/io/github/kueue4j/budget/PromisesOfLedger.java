// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.ledger.Answer;
import io.github.kueue4j.budget.ledger.Reckoned;
import io.github.kueue4j.budget.ledger.Reservation;
import io.github.kueue4j.budget.ledger.Terms;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The promises of one ledger; its monitor guards all of it. */
final class PromisesOfLedger {
  private static final Duration HELD_FOR = Duration.ofMinutes(2);

  // By the uid of the Workload, the oldest first.
  private final Map<String, Reservation> promised = new LinkedHashMap<>();

  // Ticks by LocalQueue, and of all under the empty one.
  private final Map<String, BigInteger> sums = new HashMap<>();

  // With this one what was kept has been dropped.
  private @Nullable Reckoned lastSeen;
  private boolean lapsed;

  synchronized Promises.Held look(Reckoned ledger, Instant now) {
    drop(ledger, now);
    Optional<Duration> next =
        promised.values().stream()
            .findFirst()
            .map(oldest -> Duration.between(now, oldest.at().plus(HELD_FOR)));
    Promises.Held held = new Promises.Held(lapsed, next);
    lapsed = false;
    return held;
  }

  synchronized Answer ask(Reckoned ledger, Reservation asked, Terms terms, Instant now) {
    drop(ledger, now);
    remove(asked.uid());
    Map<String, Amount> besides = new HashMap<>();
    sums.forEach((queue, ticks) -> besides.put(queue, new Amount(ticks)));
    Answer answer = ledger.judge(asked, terms, now, besides);
    if (answer instanceof Answer.Granted) {
      promised.put(asked.uid(), asked);
      add(asked, asked.cost().ticks());
    }
    return answer;
  }

  private void drop(Reckoned ledger, Instant now) {
    if (!ledger.equals(lastSeen)) {
      List.copyOf(promised.keySet()).stream()
          .filter(ledger.ledger().open()::containsKey)
          .forEach(this::remove);
      lastSeen = ledger;
    }
    while (!promised.isEmpty()) {
      Reservation oldest = promised.values().iterator().next();
      if (Duration.between(oldest.at(), now).compareTo(HELD_FOR) <= 0) {
        return;
      }
      remove(oldest.uid());
      lapsed = true;
    }
  }

  private void remove(String uid) {
    @Nullable Reservation one = promised.remove(uid);
    if (one != null) {
      add(one, one.cost().ticks().negate());
    }
  }

  private void add(Reservation one, BigInteger ticks) {
    sums.merge("", ticks, BigInteger::add);
    if (!one.queue().isEmpty()) {
      sums.merge(one.queue(), ticks, BigInteger::add);
    }
    sums.values().removeIf(sum -> sum.signum() == 0);
  }
}
