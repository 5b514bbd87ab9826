// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import org.apiguardian.api.API;

/**
 * The tasks of the end of this JVM, unless it was closed before: so that a process that a test has
 * started doesn't outlive a test run that is broken off.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class AtExit implements AutoCloseable {
  private final Thread hook;

  private AtExit(Thread hook) {
    this.hook = hook;
  }

  /** From now on this is done when the JVM ends. */
  public static AtExit run(String name, Runnable task) {
    Thread hook = Thread.ofPlatform().name(name).unstarted(task);
    Runtime.getRuntime().addShutdownHook(hook);
    return new AtExit(hook);
  }

  /** It is not done any more; while the JVM ends, it is done anyway. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      return; // The hook finds that what it ends has ended.
    }
  }
}
