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
package io.github.kueue4j.core.usage;

import io.github.kueue4j.api.FairSharing;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The usage on the way from an admission scope down to a LocalQueue, each divided by its weight;
 * who has the smaller one goes first. The first difference decides; a level that is missing counts
 * as no usage (KEP-4136).
 *
 * @param levels from the top; none is negative or NaN
 */
@API(status = API.Status.INTERNAL)
public record UsageVector(List<Double> levels) implements Comparable<UsageVector> {
  private static final double PRECISION = 1e9;

  /** From here on fractions of a unit say nothing. */
  private static final double LARGE = 1e6;

  /** How many of the smallest steps that a double can take are noise, for an amount of any size. */
  private static final double NOISE = 0x1p16;

  /** Where usage doesn't matter. */
  public static final UsageVector NONE = new UsageVector(List.of());

  public UsageVector {
    levels = List.copyOf(levels);
  }

  /** With one more level below. */
  public UsageVector then(double usage) {
    List<Double> longer = new ArrayList<>(levels);
    longer.add(usage);
    return new UsageVector(longer);
  }

  /** With one more level on top. */
  public UsageVector under(double usage) {
    List<Double> longer = new ArrayList<>(levels);
    longer.addFirst(usage);
    return new UsageVector(longer);
  }

  /**
   * Usage in proportion to a weight, {@link #comparable}. Without a weight, that is with 0, it is
   * infinite even where nothing was used: such a queue goes last.
   *
   * @param sharing null for weight 1
   */
  public static double perWeight(double usage, @Nullable FairSharing sharing) {
    double weight = sharing == null ? 1 : sharing.weight().amount().doubleValue();
    return weight > 0 ? comparable(usage / weight) : Double.POSITIVE_INFINITY;
  }

  /**
   * Rounded, so that what differs only by the order of a sum, or by what it was divided by,
   * compares as equal: to nine decimals, from a million on (bytes) to whole units, and where those
   * are finer than a double can tell apart after some sums, to eleven digits. What is less never
   * becomes more.
   */
  static double comparable(double usage) {
    if (usage < LARGE) {
      // The quotient of two whole numbers is the double next to the decimal; a product need not be.
      return Math.rint(usage * PRECISION) / PRECISION;
    }
    if (Double.isInfinite(usage)) {
      return usage;
    }
    // A power of two: nothing is lost by dividing, and steps meet where they grow.
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
