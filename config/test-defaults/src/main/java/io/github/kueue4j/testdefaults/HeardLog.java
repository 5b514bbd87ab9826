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
  private static final Logger PROJECT = (Logger) LoggerFactory.getLogger("io.github.kueue4j");

  /** The listeners of all tests: the level is lowered as long as one of them listens. */
  private static int listeners;

  private final List<LogEntry> entries = new CopyOnWriteArrayList<>();
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          event.prepareForDeferredProcessing();
          entries.add(new LogEntry(event));
        }
      };

  private HeardLog() {
    appender.setContext(PROJECT.getLoggerContext());
    appender.start();
    PROJECT.addAppender(appender);
    listen(1);
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
    PROJECT.detachAppender(appender);
    listen(-1);
    appender.stop();
  }

  private static void listen(int change) {
    synchronized (PROJECT) {
      listeners += change;
      PROJECT.setLevel(listeners > 0 ? Level.DEBUG : null);
    }
  }
}
