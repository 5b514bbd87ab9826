// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Awaitility with the timeouts of these tests. */
public final class Patient {
  private Patient() {}

  /** As {@link Awaitility#await()}. */
  public static ConditionFactory await() {
    return Awaitility.await();
  }
}
