// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.usage;

import io.github.kueue4j.api.FairSharing;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The usages on the path from an admission scope down to a LocalQueue, each divided by its weight;
 * the smaller vector comes first. The first difference decides; a missing level counts as no usage
 * (KEP-4136).
 *
 * @param levels from the top; none is negative or NaN
 */
@API(status = API.Status.INTERNAL)
public record UsageVector(List<Double> levels) implements Comparable<UsageVector> {
  private static final double PRECISION = 1e9;

  /** From this amount on, fractions of a unit are insignificant. */
  private static final double LARGE = 1e6;

  /** The number of units in the last place of a double that count as rounding error. */
  private static final double NOISE = 0x1p16;

  /** For LocalQueues whose usage doesn't count. */
  public static final UsageVector NONE = new UsageVector(List.of());

  public UsageVector {
    levels = List.copyOf(levels);
  }

  /** This vector with one more level at the end. */
  public UsageVector then(double usage) {
    List<Double> longer = new ArrayList<>(levels);
    longer.add(usage);
    return new UsageVector(longer);
  }

  /** This vector with one more level at the start. */
  public UsageVector under(double usage) {
    List<Double> longer = new ArrayList<>(levels);
    longer.addFirst(usage);
    return new UsageVector(longer);
  }

  /**
   * Usage divided by a weight, made {@link #comparable}. With weight 0 it is infinite even without
   * usage: such a queue comes last.
   *
   * @param sharing null for weight 1
   */
  public static double perWeight(double usage, @Nullable FairSharing sharing) {
    double weight = sharing == null ? 1 : sharing.weight().amount().doubleValue();
    return weight > 0 ? comparable(usage / weight) : Double.POSITIVE_INFINITY;
  }

  /**
   * Rounds a usage, so that values that differ only by floating-point error compare as equal: to
   * nine decimals; from a million on (bytes) to whole units; and where a double isn't that exact
   * after several sums, to eleven digits. Rounding is monotonic.
   */
  static double comparable(double usage) {
    if (usage < LARGE) {
      // Divide instead of multiplying by 1e-9: a quotient of two integers is correctly rounded.
      return Math.rint(usage * PRECISION) / PRECISION;
    }
    if (Double.isInfinite(usage)) {
      return usage;
    }
    // A power of two, so the division is exact and the rounding stays monotonic where steps grow.
    double step = Math.max(1, Math.ulp(usage) * NOISE);
    return Math.rint(usage / step) * step;
  }

  @Override
  public int compareTo(UsageVector other) {
    int common = Math.max(levels.size(), other.levels.size());
    for (int level = 0; level < common; level++) {
      int order = Double.compare(at(level), other.at(level));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private double at(int level) {
    return level < levels.size() ? levels.get(level) : 0;
  }
}
