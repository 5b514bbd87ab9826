// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.server;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Waits of tests. */
final class Patient {
  private Patient() {}

  /** As {@link Awaitility#await()}. */
  static ConditionFactory await() {
    return Awaitility.await();
  }
}
