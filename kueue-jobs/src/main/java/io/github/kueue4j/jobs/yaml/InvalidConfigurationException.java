// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs.yaml;

import java.io.Serial;
import org.apiguardian.api.API;

/**
 * Thrown if the configuration is invalid. The message is one line with the line number, the problem
 * and the remedy.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class InvalidConfigurationException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  public InvalidConfigurationException(String message) {
    super(message);
  }

  public InvalidConfigurationException(String message, Throwable cause) {
    super(message, cause);
  }
}
