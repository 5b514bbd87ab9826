// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import org.apiguardian.api.API;

/** The meanings of the exit statuses, as picocli's {@code exitCodeList} takes them. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class ExitStatus {
  public static final String HEADING = "%nExit status:%n";
  public static final String DONE = "0:done";
  public static final String ENDED_IN_ORDER = "0:ended by SIGTERM, in order";
  public static final String ENDED_BY_ANOTHER_LEADER =
      "1:another replica has become the leader; start it again";
  public static final String USER_ERROR =
      "2:wrong usage, or something outside is missing or refuses; the message says what to do";

  /** {@link io.github.kueue4j.runtime.FatalErrors#EXIT_STATUS}. */
  public static final String FATAL_ERROR =
      "3:the JVM is out of memory or a thread ended with another Error; the last lines name both;"
          + " start it again";

  public static final String ENDED_BY_SIGINT = "130:ended by SIGINT (Ctrl-C), in order";
  public static final String KILLED_BY_SIGTERM =
      "143:ended by SIGTERM, but not in order within its time";

  private ExitStatus() {}
}
