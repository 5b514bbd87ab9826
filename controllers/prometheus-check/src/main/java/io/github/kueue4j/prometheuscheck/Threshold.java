// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.prometheuscheck;

import io.github.kueue4j.http.prometheus.Sample;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The condition on the values of a query: {@code < 0.5}.
 *
 * @param bound finite
 */
record Threshold(Operator operator, double bound) {
  private static final Pattern TEXT = Pattern.compile("\\s*(<=|>=|<|>)\\s*(\\S+)\\s*");
  private static final Duration FINEST_STEP = Duration.ofSeconds(1);
  private static final Duration COARSEST_STEP = Duration.ofMinutes(1);
  private static final int STEPS = 30;
  private static final MathContext DIGITS = new MathContext(6);
  private static final double LARGE = 1e15;
  private static final double SMALL = 1e-6;

  /** How a value is compared with the bound. */
  enum Operator {
    LESS("<"),
    AT_MOST("<="),
    MORE(">"),
    AT_LEAST(">=");

    private final String symbol;

    Operator(String symbol) {
      this.symbol = symbol;
    }

    boolean limitsFromAbove() {
      return this == LESS || this == AT_MOST;
    }
  }

  /**
   * Reads an operator and a number.
   *
   * @throws IllegalArgumentException if it is none
   */
  static Threshold parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (matcher.matches()) {
      double bound = number(matcher.group(2));
      for (Operator operator : Operator.values()) {
        if (operator.symbol.equals(matcher.group(1)) && Double.isFinite(bound)) {
          return new Threshold(operator, bound);
        }
      }
    }
    throw new IllegalArgumentException("no condition: " + text);
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** Whether a value that is a number or infinite is as it must be. */
  boolean holds(double value) {
    return switch (operator) {
      case LESS -> value < bound;
      case AT_MOST -> value <= bound;
      case MORE -> value > bound;
      case AT_LEAST -> value >= bound;
    };
  }

  /** The sample that is the farthest from what it must be; empty without a number. */
  Optional<Sample> worst(List<Sample> samples) {
    Comparator<Sample> byValue = Comparator.comparingDouble(Sample::value);
    return samples.stream()
        .filter(sample -> !Double.isNaN(sample.value()))
        .max(operator.limitsFromAbove() ? byValue : byValue.reversed());
  }

  /** A query for the worst value of another one during this positive time until now. */
  String during(Duration time, String query) {
    Duration step = time.dividedBy(STEPS);
    if (step.compareTo(FINEST_STEP) < 0) {
      step = FINEST_STEP;
    } else if (step.compareTo(COARSEST_STEP) > 0) {
      step = COARSEST_STEP;
    }
    // On lines of its own, since it may end with a comment.
    return (operator.limitsFromAbove() ? "max" : "min")
        + "_over_time((\n"
        + query
        + "\n)["
        + time.toMillis()
        + "ms:"
        + step.toMillis()
        + "ms])";
  }

  /** How far a value is from the bound on the way to that of full stress: 0 to 1. */
  double stress(double value, double stressedAt) {
    double stress = (value - bound) / (stressedAt - bound);
    return Double.isNaN(stress) ? 1 : Math.clamp(stress, 0.0, 1.0);
  }

  /** Whether this value lies on the side of the bound that isn't wanted. */
  boolean isBeyond(double value) {
    return operator.limitsFromAbove() ? value > bound : value < bound;
  }

  /** As it was written: {@code < 0.5}. */
  @Override
  public String toString() {
    return operator.symbol + ' ' + text(bound);
  }

  /** A value for people, rounded to six digits. */
  static String text(double value) {
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    if (value == Math.rint(value) && Math.abs(value) < LARGE) {
      return Long.toString((long) value);
    }
    BigDecimal rounded = new BigDecimal(value).round(DIGITS).stripTrailingZeros();
    boolean plain = Math.abs(value) < LARGE && Math.abs(value) >= SMALL;
    return plain ? rounded.toPlainString() : rounded.toString();
  }
}
