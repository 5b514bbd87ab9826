// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import ch.qos.logback.classic.ClassicConstants;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import io.github.kueue4j.runtime.logging.ConsoleLogging;
import io.github.kueue4j.sdk.program.LogFormat;
import io.github.kueue4j.sdk.program.ProgramLogging;
import java.util.Map;
import org.apiguardian.api.API;
import org.slf4j.LoggerFactory;

/**
 * How much the launcher logs on standard error. Interactive commands stay quiet (errors only),
 * components that run for long say what they do. {@code KUEUE4J_LOG} overrides both.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class Logging {
  private Logging() {}

  /**
   * Logs on standard error as the variables ask for, unless Logback was given a file.
   *
   * @throws io.github.kueue4j.sdk.program.StartRefusedException if one has a value that is none
   */
  static void prepare(Map<String, String> environment) {
    LogFormat format = ProgramLogging.of(environment).format();
    System.setProperty(ProgramLogging.FORMAT, format.toString());
    if (System.getProperty(ClassicConstants.CONFIG_FILE_PROPERTY) == null
        && LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      switch (format) {
        case TEXT -> ConsoleLogging.text(context, Level.WARN, ConsoleLogging.BRIEF_TEXT);
        case JSON -> ConsoleLogging.json(context, Level.WARN);
      }
    }
    set(Level.WARN);
  }

  /** Whether {@link #prepare} has found that machines read the log. */
  static boolean isJson() {
    return LogFormat.JSON.toString().equals(System.getProperty(ProgramLogging.FORMAT));
  }

  /** Errors only. */
  public static void quiet() {
    set(Level.ERROR);
  }

  /** Logs the steps of components, too. */
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
