// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.simulation;

import io.github.kueue4j.testdefaults.SimulatedClasses;
import java.util.Optional;
import org.apiguardian.api.API;
import org.junit.jupiter.api.Assumptions;

/** Where seeds come from, and how a run is repeated. */
@API(status = API.Status.INTERNAL)
public final class Seeds {
  static final String PROPERTY = "kueue4j.sim.seed";

  private Seeds() {}

  /**
   * The seed of a test: the property's, otherwise always the same one.
   *
   * @throws IllegalArgumentException if the property is no number
   */
  static long of(String test) {
    String wanted = System.getProperty(PROPERTY, "");
    return wanted.isEmpty() ? test.hashCode() : parse(wanted);
  }

  /** A life in a simulation. */
  public interface Life {
    void live(Simulation simulation) throws Exception;
  }

  /**
   * Lives with the seeds 1 to {@code count}, or with that of the property only.
   *
   * @throws Exception what a life throws, with its seed
   */
  public static void each(int count, Life life) throws Exception {
    Optional<String> unavailable = SimulatedClasses.whyUnavailable();
    if (unavailable.isPresent()) {
      Assumptions.abort(unavailable.get());
    }
    String wanted = System.getProperty(PROPERTY, "");
    long first = wanted.isEmpty() ? 1 : parse(wanted);
    long last = wanted.isEmpty() ? count : first;
    for (long seed = first; seed <= last; seed++) {
      Simulation simulation = Simulation.of(seed);
      try (simulation) {
        life.live(simulation);
      } catch (Exception | AssertionError failure) {
        failure.addSuppressed(new Failed(simulation));
        throw failure;
      }
    }
  }

  private static long parse(String wanted) {
    try {
      return Long.parseLong(wanted);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "-D" + PROPERTY + " is '" + wanted + "' but must be a whole number", e);
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
