/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
