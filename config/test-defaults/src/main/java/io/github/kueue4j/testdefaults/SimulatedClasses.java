// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import java.util.Arrays;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The test classes that run in simulations: those that are {@code @Simulated}, on a JDK that has
 * simulations, unless {@code -Dkueue4j.simulated=false} says that none does.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class SimulatedClasses {
  private static final String PROPERTY = "kueue4j.simulated";
  private static final int FIRST_JDK = 25;

  /** By its name: what all modules test with doesn't know simulations. */
  private static final String ANNOTATION = "io.github.kueue4j.simulation.Simulated";

  private SimulatedClasses() {}

  /** Whether the tests of this class run in simulations. */
  public static boolean include(Class<?> type) {
    return include(type, System.getProperty(PROPERTY, "true"), Runtime.version().feature());
  }

  /**
   * The same elsewhere.
   *
   * @param wanted the property's value
   * @param jdk the JDK's feature version
   * @throws IllegalArgumentException if the value is neither {@code true} nor {@code false}
   */
  public static boolean include(Class<?> type, String wanted, int jdk) {
    boolean simulated =
        switch (wanted) {
          case "true" -> true;
          case "false" -> false;
          default ->
              throw new IllegalArgumentException(
                  "-D%s=%s says nothing; write true or false".formatted(PROPERTY, wanted));
        };
    return simulated
        && whyUnavailable(jdk).isEmpty()
        && Arrays.stream(type.getAnnotations())
            .anyMatch(each -> each.annotationType().getName().equals(ANNOTATION));
  }

  /** Why this JDK has no simulations; empty if it has. */
  public static Optional<String> whyUnavailable() {
    return whyUnavailable(Runtime.version().feature());
  }

  private static Optional<String> whyUnavailable(int jdk) {
    return jdk >= FIRST_JDK
        ? Optional.empty()
        : Optional.of("simulations need JDK " + FIRST_JDK + " or later, this is " + jdk);
  }
}
