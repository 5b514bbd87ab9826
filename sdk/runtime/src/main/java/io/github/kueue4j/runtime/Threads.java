// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime;

import org.apiguardian.api.API;

/**
 * Makes the threads of what is built on a {@link
 * io.github.kueue4j.runtime.client.ClusterConnection}: platform threads, unless a simulation makes
 * its own, whose order of steps it decides.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Threads {

  /** Builds threads that don't keep the process alive. */
  Thread.Builder daemons();

  /** Builds threads that the process doesn't end before. */
  Thread.Builder lasting();

  /** Platform threads. */
  static Threads platform() {
    return new Threads() {
      @Override
      public Thread.Builder daemons() {
        return Thread.ofPlatform().daemon();
      }

      @Override
      public Thread.Builder lasting() {
        return Thread.ofPlatform();
      }
    };
  }
}
