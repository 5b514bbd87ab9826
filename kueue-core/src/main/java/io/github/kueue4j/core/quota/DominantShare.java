/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.quota;

import java.util.Comparator;
import org.apiguardian.api.API;

/**
 * How much of what its siblings could have a node of the quota tree borrows, of the resource of
 * which it borrows most, in thousandths: the dominant resource share (KEP-1714).
 *
 * @param ratio borrowed / lendable · 1000, before the weight; 0 when nothing is borrowed
 * @param weight the node's weight, 0 or more
 * @param resource the dominant resource; empty when nothing is borrowed
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

  /** As a status states it: rounded up, the largest number for infinite. */
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
