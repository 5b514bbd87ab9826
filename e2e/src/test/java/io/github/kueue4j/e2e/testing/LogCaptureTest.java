// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.github.kueue4j.cli.Logging;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.github.kueue4j.testdefaults.LogEntry;
import io.github.kueue4j.testdefaults.PossibleLog;
import io.github.kueue4j.testdefaults.TestLog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** What classes of tests log is asserted and not printed, unless it is unexpected. */
@Isolated("swaps System.out")
class LogCaptureTest {
  private static final Logger log = LoggerFactory.getLogger(LogCaptureTest.class);

  /** What a class that ran failed with, and what it printed. */
  private record Run(List<String> failures, String printed) {
    /** Those of this class: threads that outlive other classes may log, too. */
    List<String> ownLines() {
      return printed.lines().filter(line -> line.contains("LogCaptureTest")).toList();
    }
  }

  /** Commands set the level of the root logger, of the JVM that they share with other tests. */
  @Test
  @ExpectedLog(logger = "LogCaptureTest", message = "It is odd while a command is quiet")
  void aQuietCommandSilencesNoTest() {
    ch.qos.logback.classic.Logger root =
        (ch.qos.logback.classic.Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    var before = root.getLevel();
    Logging.quiet();
    try {
      log.atWarn().log("It is odd while a command is quiet");

      assertThat(TestLog.of(LogCaptureTest.class))
          .extracting(LogEntry::text)
          .contains("It is odd while a command is quiet");
      assertThat(LoggerFactory.getLogger("io.kubernetes.client.Any").isErrorEnabled()).isFalse();
    } finally {
      root.setLevel(before);
    }
  }

  @ExpectedLog(logger = "LogCaptureTest", message = "It is odd object=\"a\"")
  @PossibleLog(
      level = Level.ERROR,
      logger = "io.github.kueue4j.e2e.testing.LogCaptureTest",
      message = "broken",
      because = "by its whole name, and never")
  static class LogsWhatItExpects {
    @Test
    void inItsOwnThread() {
      log.atInfo().log("too unimportant");
      log.atWarn().addKeyValue("object", "a").log("It is odd");
      assertThat(TestLog.of(LogCaptureTest.class))
          .extracting(LogEntry::text)
          .contains("It is odd object=\"a\"")
          .doesNotContain("too unimportant");
    }

    @Test
    @ExpectedLog(level = Level.ERROR, logger = "LogCaptureTest", message = "of an actor")
    void inAnother() {
      try (Actors actors = Actors.named("logging")) {
        actors.ask(() -> logged("of an actor")).get();
      }
    }

    @Nested
    class Within {
      @Test
      @ExpectedLog(level = Level.ERROR, logger = "LogCaptureTest", message = "of a nested class")
      void test() {
        logged("of a nested class");
      }
    }
  }

  private static boolean logged(String message) {
    log.atError().setCause(new IOException("cause")).log(message);
    return true;
  }

  @Test
  void whatIsExpectedIsNotPrinted() {
    Run run = run(selectClass(LogsWhatItExpects.class));

    assertThat(run.failures()).isEmpty();
    assertThat(run.ownLines()).isEmpty();
  }

  @ExpectedLog(logger = "LogCaptureTest", message = "of the class")
  static class LogsNothing {
    @Test
    @ExpectedLog(logger = "LogCaptureTest", message = "of the method")
    void expecting() {
      log.atError().log("of the method, at another level");
    }

    @Test
    void another() {
      assertThat(log.isWarnEnabled()).isTrue();
    }
  }

  @Test
  void theClassFailsThatDoesNotLogWhatItExpects() {
    Run run = run(selectClass(LogsNothing.class));

    assertThat(run.failures())
        .singleElement()
        .asString()
        .contains(
            LogsNothing.class.getName() + " expected to log:",
            "WARN LogCaptureTest 'of the class' (the class)",
            "WARN LogCaptureTest 'of the method' (expecting)");
    assertThat(run.printed()).contains("which failed", "of the method, at another level");
  }

  @Test
  void aClassOfWhichSomeMethodsRunMayLackWhatItExpectsAsAWhole() {
    Run run = run(selectMethod(LogsNothing.class, "another"));

    assertThat(run.failures()).isEmpty();
    assertThat(run.ownLines()).isEmpty();
  }

  static class LogsWhatNothingCovers {
    @Test
    void test() {
      logged("unexpected");
      logged("unexpected");
      log.atWarn().addKeyValue("object", "a").log("odd");
    }
  }

  @Test
  void whatNothingCoversIsOneLine() {
    Run run = run(selectClass(LogsWhatNothingCovers.class));

    assertThat(run.failures()).isEmpty();
    assertThat(run.ownLines())
        .satisfiesExactly(
            first ->
                assertThat(first)
                    .matches(
                        "UNEXPECTED [0-9:.]+ ERROR LogCaptureTest unexpected java.io.IOException:"
                            + " cause \\(LogCaptureTest\\$LogsWhatNothingCovers, 2 times\\)"),
            second ->
                assertThat(second)
                    .matches(
                        "[0-9:.]+ WARN  LogCaptureTest odd object=\"a\""
                            + " \\(LogCaptureTest\\$LogsWhatNothingCovers\\)"));
  }

  static class Fails {
    @Test
    @ExpectedLog(logger = "LogCaptureTest", message = "expected")
    @ExpectedLog(logger = "LogCaptureTest", message = "missing")
    void test() {
      log.atWarn().setCause(new IOException("cause")).log("expected");
      logged("unexpected");
      fail("by intention");
    }
  }

  @Test
  void aClassThatFailsPrintsEverything() {
    Run run = run(selectClass(Fails.class));

    assertThat(run.failures()).singleElement().asString().contains("by intention");
    assertThat(run.printed())
        .containsSubsequence(
            "---- Log of " + Fails.class.getName() + ", which failed:",
            "WARN  LogCaptureTest expected",
            "java.io.IOException: cause",
            "at io.github.kueue4j.e2e.testing.LogCaptureTest$Fails.test(",
            "ERROR LogCaptureTest unexpected",
            "---- End of the log of");
  }

  static class FailsAtItsEnd {
    @Test
    void test() {
      logged("unexpected");
    }

    @AfterEach
    void close() {
      fail("at its end");
    }
  }

  @Test
  void alsoIfItFailsAtItsEnd() {
    Run run = run(selectClass(FailsAtItsEnd.class));

    assertThat(run.failures()).hasSize(1);
    assertThat(run.printed()).contains("which failed", "java.io.IOException: cause");
  }

  static class LogsMuch {
    @Test
    void test() {
      for (int i = 0; i < 5_000; i++) {
        log.atWarn().addKeyValue("number", i).log("again");
        log.warn("kind {}", i);
      }
      fail("by intention");
    }
  }

  @Test
  void onlyTheLastRecordsAreKept() {
    Run run = run(selectClass(LogsMuch.class));

    assertThat(run.printed())
        .contains("which failed; 9000 records before were dropped", "number=\"4999\"")
        .doesNotContain("number=\"4499\"");
  }

  private static Run run(DiscoverySelector selector) {
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      LauncherFactory.create()
          .execute(
              LauncherDiscoveryRequestBuilder.request()
                  .selectors(selector)
                  .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                  .configurationParameter("kueue4j.logs.patience", "PT0S")
                  .build(),
              summary);
    } finally {
      System.setOut(before);
    }
    assertThat(summary.getSummary().getTestsFoundCount()).isPositive();
    return new Run(
        summary.getSummary().getFailures().stream()
            .map(failure -> String.valueOf(failure.getException()))
            .toList(),
        printed.toString(StandardCharsets.UTF_8));
  }
}
