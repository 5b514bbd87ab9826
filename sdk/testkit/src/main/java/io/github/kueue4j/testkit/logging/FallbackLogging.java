// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.logging;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.DefaultJoranConfigurator;
import ch.qos.logback.core.joran.spi.JoranException;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * The level and form of Logback's records where a project has no configuration for it. Without this
 * class it would print DEBUG of everything: a hundred thousand lines of the embedded server's HTTP
 * library for one test. A {@code logback-test.xml}, a {@code logback.xml} or the system property
 * {@code logback.configurationFile} take precedence.
 *
 * <p>Logback finds it through {@code META-INF/services}; other logging libraries never load it.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class FallbackLogging extends DefaultJoranConfigurator {
  private static final String CONFIGURATION = "logback-fallback.xml";

  /** For the service loader. */
  public FallbackLogging() {}

  @Override
  public ExecutionStatus configure(LoggerContext loggerContext) {
    if (performMultiStepConfigurationFileSearch(false) != null) {
      return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
    try {
      configureByResource(
          Objects.requireNonNull(FallbackLogging.class.getResource(CONFIGURATION), CONFIGURATION));
      return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    } catch (JoranException e) {
      addError("can't configure Logback by " + CONFIGURATION, e);
      return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
  }
}
