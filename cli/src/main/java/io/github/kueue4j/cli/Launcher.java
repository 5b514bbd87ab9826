// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import org.apiguardian.api.API;

/** How this program was started. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class Launcher {
  /** Set by the start scripts. */
  private static final String COMMAND_PROPERTY = "kueue4j.command";

  private Launcher() {}

  /** The command that starts the launcher, such as {@code ./kueue4j} in a checkout. */
  public static String command() {
    return System.getProperty(COMMAND_PROPERTY, "kueue4j");
  }
}
