// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.slf4j.event.KeyValuePair;
import org.slf4j.event.Level;

/** A captured log record. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class LogEntry {
  private static final int LONGEST_LINE = 600;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneId.systemDefault());

  private final ILoggingEvent event;

  LogEntry(ILoggingEvent event) {
    this.event = event;
  }

  public Level level() {
    return Level.intToLevel(event.getLevel().toInt() / 1000);
  }

  /** The name of the logger. */
  public String logger() {
    return event.getLoggerName();
  }

  String simpleLogger() {
    return logger().substring(logger().lastIndexOf('.') + 1);
  }

  /** The message without keys and values. */
  public String message() {
    return Objects.requireNonNullElse(event.getFormattedMessage(), "");
  }

  /** The message and, as {@code key="value"}, what goes with it. */
  public String text() {
    List<KeyValuePair> pairs = event.getKeyValuePairs();
    return pairs == null
        ? message()
        : message()
            + pairs.stream()
                .map(pair -> ' ' + pair.key + "=\"" + pair.value + '"')
                .collect(Collectors.joining());
  }

  /** The name of the thread that logged it. */
  public String thread() {
    return event.getThreadName();
  }

  /** The exception that was logged with it, with its stack; empty if there is none. */
  public String exception() {
    IThrowableProxy thrown = event.getThrowableProxy();
    return thrown == null ? "" : ThrowableProxyUtil.asString(thrown);
  }

  /** In one line, without the exception's stack. */
  String line() {
    IThrowableProxy thrown = event.getThrowableProxy();
    String line =
        head() + (thrown == null ? "" : " " + thrown.getClassName() + ": " + thrown.getMessage());
    line = line.replace("\r", "").replace("\n", " / ");
    return line.length() > LONGEST_LINE ? line.substring(0, LONGEST_LINE) + "..." : line;
  }

  private String head() {
    return "%s %-5s %s %s"
        .formatted(TIME.format(event.getInstant()), level(), simpleLogger(), text());
  }

  /** All of it, in several lines. */
  String full() {
    String correlated =
        event.getMDCPropertyMap().entrySet().stream()
            .map(entry -> " " + entry.getKey() + "=" + entry.getValue())
            .collect(Collectors.joining());
    return head() + correlated + " [" + thread() + "]\n" + exception();
  }

  /** As {@link #full}. */
  @Override
  public String toString() {
    return full();
  }
}
