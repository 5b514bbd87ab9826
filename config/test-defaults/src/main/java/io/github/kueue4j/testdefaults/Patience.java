// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import java.time.Duration;
import org.apiguardian.api.API;

/** How long tests wait, in real time, for what has to happen. */
@API(status = API.Status.INTERNAL)
public final class Patience {
  /**
   * Only what never happens takes that long. On a machine whose load is ten times its cores the
   * start of a process, which takes three seconds otherwise, took more than one minute.
   */
  public static final Duration LIMIT = Duration.ofMinutes(5);

  private Patience() {}
}
