// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime;

import org.apiguardian.api.API;

/**
 * The settings that a program that runs controllers makes for its whole process, before anything
 * else.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ProgramStart {
  private static final String MAX_CONNECTIONS = "jdk.httpserver.maxConnections";

  private ProgramStart() {}

  /**
   * Ends the process after an {@link Error} on any thread, of libraries as well, and limits the
   * connections of each HTTP server to 256, which are cheap but not free while nothing is sent on
   * them. The JDK reads that once, when the first server is made, and knows no other way.
   */
  public static void prepare() {
    // What a connection reports by itself, for the threads of libraries as well.
    Thread.setDefaultUncaughtExceptionHandler(FatalErrors.endProcess());
    if (System.getProperty(MAX_CONNECTIONS) == null) {
      System.setProperty(MAX_CONNECTIONS, "256");
    }
  }
}
