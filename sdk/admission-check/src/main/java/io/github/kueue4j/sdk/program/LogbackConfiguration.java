// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.program;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.ContextInitializer;
import ch.qos.logback.core.joran.spi.JoranException;
import java.util.Objects;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/**
 * Reads Logback's configuration once more, after the command line is known. Loaded only where
 * Logback is on the class path.
 */
final class LogbackConfiguration {
  private static final String OURS = "/io/github/kueue4j/runtime/logback-default.xml";

  private LogbackConfiguration() {}

  /**
   * The program's own {@code logback.xml} if it has one, which may use the two variables as {@code
   * logback-console.xml} does, else that file alone. Where it has one and nothing was asked for on
   * the command line, that file was read already.
   */
  static void apply(ProgramLogging logging) {
    boolean own = hasItsOwn();
    if (own && !logging.chosen()) {
      return;
    }
    System.setProperty(ProgramLogging.LEVEL, logging.level().name());
    System.setProperty(ProgramLogging.FORMAT, logging.format().toString());
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    try {
      if (own) {
        new ContextInitializer(context).autoConfig();
      } else {
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(
            Objects.requireNonNull(LogbackConfiguration.class.getResource(OURS), OURS));
      }
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
