// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import java.util.List;
import java.util.Objects;
import org.apiguardian.api.API;
import org.slf4j.event.Level;

/** The log of the class of tests that is running here, at level WARN and above. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class TestLog {
  private TestLog() {}

  /**
   * The records of a logger so far, the last thousand of all at most, in their order.
   *
   * @param logger the class whose logger it is
   */
  public static List<LogEntry> of(Class<?> logger) {
    return current().entries().stream()
        .filter(entry -> entry.logger().equals(logger.getName()))
        .toList();
  }

  /**
   * Says for all tests that use a fixture what {@link PossibleLog} says for one. Called before such
   * a record may come.
   */
  public static void possible(Level level, String logger, String message, String because) {
    Objects.requireNonNull(because);
    current().declare(List.of(new LogDeclaration(level, logger, message, false, TestLog.class)));
  }

  private static ClassLog current() {
    TestOwner owner = TestOwner.current();
    if (owner == null) {
      throw new IllegalStateException("no test runs in this thread");
    }
    return owner.log();
  }
}
