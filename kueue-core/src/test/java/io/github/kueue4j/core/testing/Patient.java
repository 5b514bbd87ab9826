// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.testing;

import io.github.kueue4j.simulation.Simulation;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Waits of tests. */
public final class Patient {
  private Patient() {}

  /** As {@link Awaitility#await()} by the time of the simulation that the current thread is in. */
  public static ConditionFactory await() {
    ConditionFactory await = Awaitility.await();
    return Simulation.current().isPresent() ? await.pollInSameThread() : await;
  }
}
