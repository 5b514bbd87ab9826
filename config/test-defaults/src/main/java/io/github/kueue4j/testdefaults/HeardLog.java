// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apiguardian.api.API;
import org.slf4j.LoggerFactory;

/**
 * All that the project logs while a test listens, whatever the level: for tests of what must stand
 * in a log, and of what must not. Records of other tests that run meanwhile are among them.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class HeardLog implements AutoCloseable {
  private static final String PROJECT = "io.github.kueue4j";

  private final List<LogEntry> entries = new CopyOnWriteArrayList<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(PROJECT);
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          event.prepareForDeferredProcessing();
          entries.add(new LogEntry(event));
        }
      };

  private HeardLog() {
    appender.setContext(logger.getLoggerContext());
    appender.start();
    logger.addAppender(appender);
    logger.setLevel(Level.DEBUG);
  }

  /** Listens from now on. */
  public static HeardLog listen() {
    return new HeardLog();
  }

  /** What was logged so far, each record with its keys, values and exception. */
  public List<String> lines() {
    return entries.stream().map(LogEntry::toString).toList();
  }

  /** Listens no longer. */
  @Override
  public void close() {
    logger.detachAppender(appender);
    logger.setLevel(null);
    appender.stop();
  }
}
