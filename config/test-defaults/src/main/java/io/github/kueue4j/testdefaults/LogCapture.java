// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggerContextListener;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.spi.FilterReply;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * Gives each log record of level WARN and above to the class of tests to which the thread belongs
 * that logs it. It takes the place of the console.
 *
 * <p>Some threads belong to none, such as those that the JDK's HTTP server makes. Their records go
 * to each running class that says that it may log such, or else are printed at once.
 */
final class LogCapture extends UnsynchronizedAppenderBase<ILoggingEvent> {
  private static final LogCapture INSTANCE = new LogCapture();

  /**
   * Every orderly stop of a controller or an informer is an error to it, and each failure that a
   * test provokes at a server; the runtime reports those itself.
   */
  private static final String CLIENT = "io.kubernetes.client";

  /** Tells it apart from the appenders that a program under test brings. */
  private static final String NAME = "capture of tests";

  /** Classes of tests by which Logback was configured anew. */
  private static final Set<String> RECONFIGURED = ConcurrentHashMap.newKeySet();

  private LogCapture() {}

  /** Captures from now on. What was logged before went where Logback's file says. */
  static synchronized void install() {
    LoggerContext context = context();
    if (context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender(NAME) != null) {
      return;
    }
    context.reset();
    INSTANCE.setContext(context);
    INSTANCE.setName(NAME);
    INSTANCE.start();
    attach(context);
    context.addListener(new Reconfiguration());
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
  }

  /** Takes away what a program that this class tested has configured for itself. */
  static synchronized void restoreAfter(String className) {
    if (!RECONFIGURED.remove(className)) {
      return;
    }
    LoggerContext context = context();
    Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    List<Appender<ILoggingEvent>> others = new ArrayList<>();
    for (Iterator<Appender<ILoggingEvent>> all = root.iteratorForAppenders(); all.hasNext(); ) {
      Appender<ILoggingEvent> each = all.next();
      if (each != INSTANCE) {
        others.add(each);
      }
    }
    others.forEach(root::detachAppender);
    others.forEach(Appender::stop);
    attach(context);
  }

  private static void attach(LoggerContext context) {
    Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.WARN);
    context.getLogger(CLIENT).setLevel(Level.OFF);
    context.resetTurboFilterList();
    context.addTurboFilter(new AllWarnings());
    INSTANCE.start();
    root.addAppender(INSTANCE);
  }

  private static LoggerContext context() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      return context;
    }
    throw new IllegalStateException(
        "tests log by Logback, but " + LoggerFactory.getILoggerFactory() + " is there");
  }

  /** A program under test may configure Logback anew: other classes still log here. */
  private static final class Reconfiguration implements LoggerContextListener {
    @Override
    public boolean isResetResistant() {
      return true;
    }

    @Override
    public void onReset(LoggerContext context) {
      TestOwner owner = TestOwner.current();
      if (owner != null) {
        RECONFIGURED.add(owner.className());
      }
      attach(context);
    }

    @Override
    public void onStart(LoggerContext context) {}

    @Override
    public void onStop(LoggerContext context) {}

    @Override
    public void onLevelChange(Logger logger, Level level) {}
  }

  /** A command that is quiet is so in its own process; here it would silence all classes. */
  private static final class AllWarnings extends TurboFilter {
    @Override
    public FilterReply decide(
        @Nullable Marker marker,
        Logger logger,
        Level level,
        @Nullable String format,
        Object @Nullable [] arguments,
        @Nullable Throwable thrown) {
      return level.isGreaterOrEqual(Level.WARN) && !logger.getName().startsWith(CLIENT)
          ? FilterReply.ACCEPT
          : FilterReply.NEUTRAL;
    }
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (!event.getLevel().isGreaterOrEqual(Level.WARN)) {
      return;
    }
    event.prepareForDeferredProcessing();
    LogEntry entry = new LogEntry(event);
    TestOwner owner = TestOwner.current();
    if (owner != null) {
      owner.log().add(entry);
    } else if (!LogReports.addWhereDeclared(entry)) {
      System.out.println(entry.line() + " (of no test)");
    }
  }
}
