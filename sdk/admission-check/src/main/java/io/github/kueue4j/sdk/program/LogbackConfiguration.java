// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.program;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.ContextInitializer;
import ch.qos.logback.core.joran.spi.JoranException;
import io.github.kueue4j.runtime.logging.ConsoleLogging;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/**
 * Configures Logback once more, after the command line is known. Loaded only where Logback is on
 * the class path.
 */
final class LogbackConfiguration {
  private LogbackConfiguration() {}

  /**
   * The program's own {@code logback.xml} if it has one, which may use the two variables as {@code
   * logback-console.xml} does, else what that file says. Where it has one and nothing was asked for
   * on the command line, that file was read already.
   */
  static void apply(ProgramLogging logging) {
    boolean own = hasItsOwn();
    if (own && !logging.chosen()) {
      return;
    }
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    if (!own) {
      Level level = Level.convertAnSLF4JLevel(logging.level());
      switch (logging.format()) {
        case TEXT -> ConsoleLogging.text(context, level, ConsoleLogging.TEXT);
        case JSON -> ConsoleLogging.json(context, level);
      }
      return;
    }
    System.setProperty(ProgramLogging.LEVEL, logging.level().name());
    System.setProperty(ProgramLogging.FORMAT, logging.format().toString());
    context.reset();
    try {
      new ContextInitializer(context).autoConfig();
    } catch (JoranException e) {
      throw StartRefusedException.of(e);
    }
  }

  private static boolean hasItsOwn() {
    ClassLoader loader = LogbackConfiguration.class.getClassLoader();
    return System.getProperty("logback.configurationFile") != null
        || Stream.of("logback.xml", "logback-test.xml")
            .anyMatch(file -> loader.getResource(file) != null);
  }
}
