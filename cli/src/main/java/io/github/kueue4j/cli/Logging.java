// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.apiguardian.api.API;
import org.slf4j.LoggerFactory;

/**
 * How much the launcher logs on standard error. Interactive commands stay quiet (errors only),
 * components that run for long say what they do. {@code KUEUE4J_LOG} overrides both.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class Logging {
  private Logging() {}

  /** Errors only. */
  public static void quiet() {
    set(Level.ERROR);
  }

  /** What a component does, too. */
  public static void verbose() {
    set(Level.INFO);
  }

  private static void set(Level level) {
    String wanted = System.getenv("KUEUE4J_LOG");
    if (LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME) instanceof Logger root) {
      root.setLevel(Level.toLevel(wanted, level));
    }
  }
}
