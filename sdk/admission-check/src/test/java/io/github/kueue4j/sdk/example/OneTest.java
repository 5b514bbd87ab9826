// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.example;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.core.joran.spi.JoranException;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.slf4j.LoggerFactory;

/** A process that runs one test class, and prints nothing itself. */
final class OneTest {
  private OneTest() {}

  /**
   * Runs a test class, and anew with each of the configurations of Logback whose files follow; the
   * name of each is a line of the output. Exits with the number of tests that succeeded.
   */
  public static void main(String[] classAndConfigurations) throws JoranException {
    long succeeded = run(classAndConfigurations[0]);
    for (int i = 1; i < classAndConfigurations.length; i++) {
      System.out.println(classAndConfigurations[i]);
      LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
      context.reset();
      JoranConfigurator configurator = new JoranConfigurator();
      configurator.setContext(context);
      configurator.doConfigure(classAndConfigurations[i]);
      succeeded += run(classAndConfigurations[0]);
    }
    System.exit((int) succeeded);
  }

  private static long run(String testClass) {
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request().selectors(selectClass(testClass)).build(),
            summary);
    return summary.getSummary().getTestsSucceededCount();
  }
}
