// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import static org.awaitility.pollinterval.IterativePollInterval.iterative;

import java.time.Duration;
import java.util.NoSuchElementException;
import org.apiguardian.api.API;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * How often a test looks whether its condition holds, and how long it waits at most.
 *
 * <p>Awaitility looks first after 100 ms, so that each condition that holds already costs 101 ms.
 * Here it looks at once, and then ever more rarely: most conditions hold within milliseconds, while
 * a condition that takes seconds must not keep a core busy with looking. The limit allows for a
 * loaded machine, where classes also run beside each other; a test that passes never waits for it.
 *
 * <p>A condition that asks for something which isn't there yet ({@code orElseThrow}) doesn't hold
 * yet; by default Awaitility waits on after a failed assertion only, and such a test would fail
 * whenever it looks early.
 */
@API(status = API.Status.INTERNAL)
public final class AwaitilityDefaults implements LauncherSessionListener {
  private static final Duration FIRST_INTERVAL = Duration.ofMillis(5);
  private static final Duration LONGEST_INTERVAL = Duration.ofMillis(40);

  /** Called by the service loader. */
  public AwaitilityDefaults() {}

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    Awaitility.setDefaultPollDelay(Duration.ZERO);
    Awaitility.setDefaultPollInterval(iterative(AwaitilityDefaults::longer, FIRST_INTERVAL));
    Awaitility.setDefaultTimeout(Patience.LIMIT);
    // It would make a thread for each wait, and change threads twice for each look.
    Awaitility.pollInSameThread();
    Awaitility.ignoreExceptionByDefault(NoSuchElementException.class);
    Awaitility.doNotCatchUncaughtExceptionsByDefault();
    LogCapture.install();
    UncaughtExceptions.record();
    Leaks.record();
  }

  private static Duration longer(Duration interval) {
    Duration longer = interval.multipliedBy(3).dividedBy(2);
    return longer.compareTo(LONGEST_INTERVAL) < 0 ? longer : LONGEST_INTERVAL;
  }
}
