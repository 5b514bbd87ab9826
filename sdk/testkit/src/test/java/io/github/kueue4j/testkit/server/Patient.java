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
package io.github.kueue4j.testkit.server;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Waits of tests. */
final class Patient {
  /** Only what never happens takes that long; a busy machine needs more than the usual 10 s. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private Patient() {}

  /** As {@link Awaitility#await()}, but with a limit for slow machines. */
  static ConditionFactory await() {
    return Awaitility.await().atMost(LIMIT);
  }
}
