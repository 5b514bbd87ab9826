// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.ledger;

import java.time.Duration;
import java.time.Instant;

/** Reservations whose attempts begin with them, of Workloads that are named as their uid. */
public final class Reservations {
  private Reservations() {}

  /** One whose time is not enforced. */
  public static Reservation of(String uid, String queue, Rate rate, Duration time, Instant at) {
    return of(uid, new Payer(queue, ""), new Reservation.Charge(rate, time, false, "", null), at);
  }

  /** One whose time the queue controller enforces. */
  public static Reservation limited(String uid, Payer payer, Rate rate, Duration time, Instant at) {
    return of(uid, payer, new Reservation.Charge(rate, time, true, "", null), at);
  }

  /** One at these costs. */
  public static Reservation of(String uid, Payer payer, Reservation.Charge charge, Instant at) {
    return Reservation.of(new Reservation.Claimant(uid, uid, payer, ""), charge, at);
  }
}
