// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.ledger;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * The spending of one payer.
 *
 * @param used on what ran, also on what still runs
 * @param running of that, on what still runs
 * @param reserved for what may still run
 * @param ahead of that, for the time until the present window ends
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Spending(Amount used, Amount running, Amount reserved, Amount ahead) {

  /** Nothing. */
  public static final Spending NONE =
      new Spending(Amount.ZERO, Amount.ZERO, Amount.ZERO, Amount.ZERO);

  /** The sum of both. */
  public Spending plus(Spending other) {
    return new Spending(
        used.plus(other.used),
        running.plus(other.running),
        reserved.plus(other.reserved),
        ahead.plus(other.ahead));
  }

  /**
   * The spending of each payer of a ledger: of the present window their sum is {@link
   * Ledger#use(Window, Instant, String)} exactly.
   *
   * @param rolled to the window of this time
   * @param from the beginning of the window, or of a {@link Window#period} before it
   */
  public static SortedMap<Payer, Spending> of(
      Ledger rolled, Window window, Instant from, Instant now) {
    TreeMap<Payer, Spending> accounts = new TreeMap<>();
    Instant start = window.start(now);
    if (from.isBefore(start)) {
      rolled.past().tailMap(from).values().forEach(sums -> addTo(accounts, sums));
    }
    rolled.spent().tailMap(start).values().forEach(sums -> addTo(accounts, sums));
    for (Reservation one : rolled.open().values()) {
      Amount ran = one.ran(from, now);
      Amount reserved = one.remaining(now);
      Amount ahead = reserved.min(one.rate().during(Duration.between(now, window.end(now))));
      accounts.merge(
          one.claimant().payer(), new Spending(ran, ran, reserved, ahead), Spending::plus);
    }
    return accounts;
  }

  private static void addTo(Map<Payer, Spending> accounts, Map<Payer, Amount> sums) {
    sums.forEach(
        (payer, sum) ->
            accounts.merge(
                payer, new Spending(sum, Amount.ZERO, Amount.ZERO, Amount.ZERO), Spending::plus));
  }

  /**
   * The expected further use until the end of the present window if it goes on like this, and no
   * less than what is reserved for that time.
   *
   * @param days how long it took to use this, positive
   * @param left until the present window ends
   */
  public Amount more(Duration days, Duration left) {
    return new Amount(
            used.ticks()
                .multiply(BigInteger.valueOf(left.toSeconds()))
                .divide(BigInteger.valueOf(Math.max(1, days.toSeconds()))))
        .max(ahead);
  }
}
