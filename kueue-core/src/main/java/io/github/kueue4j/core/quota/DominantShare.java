// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.quota;

import java.util.Comparator;
import org.apiguardian.api.API;

/**
 * The dominant resource share of a node of the quota tree (KEP-1714): the quota that it borrows in
 * thousandths of the quota that its parent's subtree could lend, for the resource where that is
 * largest.
 *
 * @param ratio borrowed / lendable · 1000, before the weight; not negative, 0 if the node doesn't
 *     borrow
 * @param weight the node's weight, 0 or more
 * @param resource the dominant resource; empty if the node doesn't borrow
 */
@API(status = API.Status.INTERNAL)
public record DominantShare(double ratio, double weight, String resource)
    implements Comparable<DominantShare> {
  /** Borrowing nodes of weight 0 come after all others, and among each other by their ratio. */
  private static final Comparator<DominantShare> ORDER =
      Comparator.comparingDouble(DominantShare::weighted)
          .thenComparingDouble(share -> share.infinite() ? share.ratio : 0);

  /** The share of a node that doesn't borrow. */
  public static DominantShare none(double weight) {
    return new DominantShare(0, weight, "");
  }

  public boolean borrows() {
    return ratio > 0;
  }

  /** The share divided by the weight; infinite for a node of weight 0 that borrows, never NaN. */
  public double weighted() {
    return ratio == 0 ? 0 : infinite() ? Double.POSITIVE_INFINITY : ratio / weight;
  }

  /** The weighted share as in a status: rounded up, {@link Long#MAX_VALUE} for infinite. */
  public long rounded() {
    double weighted = weighted();
    return weighted >= Long.MAX_VALUE ? Long.MAX_VALUE : (long) Math.ceil(weighted);
  }

  private boolean infinite() {
    return weight == 0 && ratio > 0;
  }

  @Override
  public int compareTo(DominantShare other) {
    return ORDER.compare(this, other);
  }
}
