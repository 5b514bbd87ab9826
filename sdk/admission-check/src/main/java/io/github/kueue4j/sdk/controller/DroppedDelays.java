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
package io.github.kueue4j.sdk.controller;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Knows the checks whose {@code requeueAfterSeconds} the server does not keep: an older API prunes
 * the field without a word, and the workload is back at once (LIFECYCLE.md section 6).
 */
final class DroppedDelays {

  private final Set<String> checks = ConcurrentHashMap.newKeySet();
  private final Consumer<String> changed;

  /** Calls back when something is learnt about a check. */
  DroppedDelays(Consumer<String> changed) {
    this.changed = changed;
  }

  /** What the server has stored of a delay; an upgraded server keeps the next one. */
  void stored(String check, boolean kept) {
    if (kept ? checks.remove(check) : checks.add(check)) {
      changed.accept(check);
    }
  }

  /** Whether the server drops the delays of this check. */
  boolean concern(String check) {
    return checks.contains(check);
  }
}
