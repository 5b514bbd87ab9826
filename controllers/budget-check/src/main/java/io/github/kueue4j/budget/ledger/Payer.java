// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.ledger;

import java.util.Comparator;
import org.apiguardian.api.API;

/**
 * To whom of a namespace an amount is booked.
 *
 * @param queue the LocalQueue; may be empty
 * @param user what the policy's label said when the amount was reserved; empty: there was no such
 *     label. {@link #OTHERS}: several, whose names are not kept
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Payer(String queue, String user) implements Comparable<Payer> {

  /** Stands for users that are not kept apart; no label can have this value. */
  public static final String OTHERS = "*";

  /** Several LocalQueues and users. */
  public static final Payer ALL_OTHERS = new Payer(OTHERS, OTHERS);

  private static final Comparator<Payer> ORDER =
      Comparator.comparing(Payer::queue).thenComparing(Payer::user);

  /** The same LocalQueue, with its user not kept apart. */
  Payer ofOthers() {
    return user.isEmpty() ? this : new Payer(queue, OTHERS);
  }

  /** Whether a user is kept apart. */
  boolean isNamed() {
    return !user.isEmpty() && !user.equals(OTHERS);
  }

  @Override
  public int compareTo(Payer other) {
    return ORDER.compare(this, other);
  }
}
