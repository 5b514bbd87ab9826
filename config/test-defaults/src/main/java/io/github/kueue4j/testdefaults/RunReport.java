// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Tells how the tests of a module go: a line now and then, one for each failure at once, and at the
 * end how many there were and why some were skipped. What failed it also leaves, with the command
 * that repeats it, in {@code target/failed-tests} for {@code mvnw}, which ends with it.
 */
@API(status = API.Status.INTERNAL)
public final class RunReport implements TestExecutionListener {
  private static final Duration NOW_AND_THEN = Duration.ofSeconds(30);

  /** The outermost run of this JVM: a test of extensions runs offenders in a run of its own. */
  private static final AtomicReference<@Nullable RunReport> OUTERMOST = new AtomicReference<>();

  private final AtomicReference<@Nullable RunReport> current;
  private final PrintStream out;
  private final Path folder;

  // All guarded by this object's monitor.
  private final Map<String, Integer> skipped = new TreeMap<>();
  private @Nullable FailedTests failures;
  private String title = "";
  private int passed;
  private int failed;
  private long began;
  private long told;

  /** Called by the service loader. */
  public RunReport() {
    this(OUTERMOST, System.out, Path.of("").toAbsolutePath());
  }

  /** A report of a run within a run, for tests of this class. */
  static RunReport inner(PrintStream out, Path module) {
    return new RunReport(new AtomicReference<>(), out, module);
  }

  private RunReport(AtomicReference<@Nullable RunReport> current, PrintStream out, Path folder) {
    this.current = current;
    this.out = out;
    this.folder = folder;
  }

  @Override
  public synchronized void testPlanExecutionStarted(TestPlan plan) {
    if (!current.compareAndSet(null, this)) {
      return;
    }
    failures = new FailedTests(folder, plan);
    String lane = System.getProperty(Lane.PROPERTY, Lane.ALL);
    title = failures.module() + (lane.equals(Lane.ALL) ? "" : " (" + lane + ")");
    began = System.nanoTime();
    told = began;
  }

  private boolean isCurrent() {
    return current.get() == this;
  }

  @Override
  public synchronized void executionSkipped(TestIdentifier test, String reason) {
    skip(reason);
  }

  private void skip(@Nullable String reason) {
    if (isCurrent()) {
      String line = reason == null ? "no reason is given" : reason.lines().findFirst().orElse("");
      skipped.merge(line, 1, Integer::sum);
    }
  }

  /** Properties of jqwik report the seed that they fail with. */
  @Override
  public synchronized void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
    if (isCurrent() && failures != null) {
      failures.reported(test, entry).forEach(this::say);
    }
  }

  @Override
  public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (!isCurrent() || failures == null) {
      return;
    }
    switch (result.getStatus()) {
      case SUCCESSFUL -> passed += test.isTest() ? 1 : 0;
      case ABORTED -> skip(result.getThrowable().map(Throwable::getMessage).orElse(null));
      case FAILED -> {
        failed++;
        Throwable cause = result.getThrowable().orElseGet(() -> new AssertionError("no cause"));
        say("FAILED " + failures.add(test, cause));
      }
    }
    if (System.nanoTime() - told > NOW_AND_THEN.toNanos()) {
      say(passed + " tests passed, " + failed + " failed, after " + seconds() + " s");
    }
  }

  private void say(String line) {
    told = System.nanoTime();
    out.println(title + ": " + line);
  }

  private long seconds() {
    return Duration.ofNanos(System.nanoTime() - began).toSeconds();
  }

  @Override
  public synchronized void testPlanExecutionFinished(TestPlan plan) {
    if (!isCurrent()) {
      return;
    }
    int notRun = skipped.values().stream().mapToInt(Integer::intValue).sum();
    if (passed + failed + notRun > 0) {
      // Not formatted: some tests run in a locale with digits of its own.
      say(
          passed
              + " passed, "
              + failed
              + " failed, "
              + notRun
              + " skipped, in "
              + seconds()
              + " s");
      if (failures != null) {
        failures.count(passed, failed, notRun);
      }
      skipped.forEach((reason, times) -> say(times + " skipped: " + reason));
    }
    current.set(null);
  }
}
