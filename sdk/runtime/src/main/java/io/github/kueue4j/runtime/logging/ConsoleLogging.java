// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * Logging on standard error as {@code logback-console.xml} describes it, for programs without a
 * configuration of their own: reading XML costs a start 500 classes and 4 MB.
 *
 * <pre>{@code
 * ConsoleLogging.json((LoggerContext) LoggerFactory.getILoggerFactory(), Level.INFO);
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ConsoleLogging {
  /** A line of text; an exception follows with its whole stack. */
  public static final String TEXT = line("%ex");

  /** The same with the first line of a stack only. */
  public static final String BRIEF_TEXT = line("%ex{short}");

  private static final String APPENDER = "kueue4j";

  /** The reasons stand in logback-client.xml. By name, since most commands load none of them. */
  private static final Map<String, Level> OF_THE_CLIENT =
      Map.of(
          "io.kubernetes.client.informer.cache.Controller", Level.OFF,
          "io.kubernetes.client.extended.controller.DefaultController", Level.OFF,
          "io.kubernetes.client.informer.cache.ReflectorRunnable", Level.WARN);

  private ConsoleLogging() {}

  private static String line(String exception) {
    return "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{24} %msg %kvp%n" + exception;
  }

  /**
   * Replaces what this context logs.
   *
   * @param level of the root logger
   * @param pattern such as {@link #TEXT}
   */
  public static void text(LoggerContext context, Level level, String pattern) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setPattern(pattern);
    apply(context, level, encoder);
  }

  /**
   * Replaces what this context logs by one JSON object per line.
   *
   * @param level of the root logger
   */
  public static void json(LoggerContext context, Level level) {
    apply(context, level, new JsonLineEncoder());
  }

  private static void apply(LoggerContext context, Level level, Encoder<ILoggingEvent> encoder) {
    context.reset();
    encoder.setContext(context);
    encoder.start();
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setName(APPENDER);
    appender.setTarget("System.err");
    appender.setEncoder(encoder);
    appender.start();
    OF_THE_CLIENT.forEach((logger, quieter) -> context.getLogger(logger).setLevel(quieter));
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.setLevel(level);
    root.addAppender(appender);
  }
}
