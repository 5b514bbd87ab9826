// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Says what must hold: the promises of {@code docs/lifecycle.md}, by number. */
final class Invariant {
  private Invariant() {}

  /** Fails unless {@code holds}, saying which invariant and with which facts. */
  static void require(boolean holds, String invariant, @Nullable Object... facts) {
    if (!holds) {
      throw new ViolatedInvariantException(
          facts.length == 0 ? invariant : invariant + " " + Arrays.asList(facts));
    }
  }
}
