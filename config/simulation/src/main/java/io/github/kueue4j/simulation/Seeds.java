// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.simulation;

import io.github.kueue4j.testdefaults.SimulatedClasses;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.apiguardian.api.API;
import org.junit.jupiter.api.Assumptions;

/** Where seeds come from, and how a run is repeated. */
@API(status = API.Status.INTERNAL)
public final class Seeds {
  static final String PROPERTY = "kueue4j.sim.seed";

  /** The first and the last seed of {@link #each}, as {@link #range} reads them. */
  private static final String RANGE = "kueue4j.sim.seeds";

  private static final Pattern FIRST_AND_LAST = Pattern.compile("(\\d{1,9})-(\\d{1,9})");

  private Seeds() {}

  /**
   * The seed of a test: the property's, otherwise always the same one.
   *
   * @throws IllegalArgumentException if the property is no number
   */
  static long of(String test) {
    return given(PROPERTY).orElse(test.hashCode());
  }

  /** A life in a simulation. */
  public interface Life {
    void live(Simulation simulation) throws Exception;
  }

  /**
   * Lives with the seeds 1 to {@code count}, with those of the property {@code kueue4j.sim.seeds},
   * or with that of {@code kueue4j.sim.seed} only.
   *
   * @throws Exception what a life throws, with its seed
   */
  public static void each(int count, Life life) throws Exception {
    Optional<String> unavailable = SimulatedClasses.whyUnavailable();
    if (unavailable.isPresent()) {
      Assumptions.abort(unavailable.get());
    }
    OptionalLong wanted = given(PROPERTY);
    LongStream seeds =
        wanted.isPresent()
            ? wanted.stream()
            : range(RANGE, System.getProperty(RANGE, "1-" + count));
    for (long seed : seeds.toArray()) {
      Simulation simulation = Simulation.of(seed);
      try (simulation) {
        life.live(simulation);
      } catch (Exception | AssertionError failure) {
        failure.addSuppressed(new Failed(simulation));
        throw failure;
      }
    }
  }

  /** Whether this run was asked to repeat one seed or a range, and so doesn't live through all. */
  public static boolean chosen() {
    return given(PROPERTY).isPresent() || System.getProperty(RANGE) != null;
  }

  /**
   * The seeds from the first to the last, such as {@code 251-500}.
   *
   * @param text the value of the property
   * @throws IllegalArgumentException if it is no such range; the message is one line that names it
   */
  public static LongStream range(String property, String text) {
    Matcher matcher = FIRST_AND_LAST.matcher(text);
    if (matcher.matches()) {
      long first = Long.parseLong(matcher.group(1));
      long last = Long.parseLong(matcher.group(2));
      if (first <= last) {
        return LongStream.rangeClosed(first, last);
      }
    }
    throw new IllegalArgumentException(
        "-D%s=%s is no range of seeds; write the first and the last, such as -D%s=251-500"
            .formatted(property, text, property));
  }

  /**
   * The seed that a system property gives; empty if it isn't set.
   *
   * @throws IllegalArgumentException if it is no number; the message is one line that names it
   */
  public static OptionalLong given(String property) {
    return read(property, System.getProperty(property, ""));
  }

  /** The same of a text that stands for the property's value; empty for the empty one. */
  public static OptionalLong read(String property, String text) {
    if (text.isEmpty()) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Long.parseLong(text));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "-D%s=%s is no seed; write a whole number, such as -D%s=7"
              .formatted(property, text, property),
          e);
    }
  }

  /** Says with which seed a test failed, and how to see that again. */
  static final class Failed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Failed(Simulation simulation) {
      super(
          "seed "
              + simulation.seed()
              + " after "
              + simulation.steps()
              + " steps; this test with -D"
              + PROPERTY
              + '='
              + simulation.seed()
              + " does the same again",
          null,
          false,
          false);
    }
  }
}
