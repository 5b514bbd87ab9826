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

import java.util.function.BiFunction;

/**
 * Explores a world, named, to a bound, and answers what it found wrong: nothing, or the violation.
 * It speaks in types of the platform only, so that a class loader of its own can run it.
 */
public final class Trial implements BiFunction<String, Integer, String> {

  @Override
  public String apply(String world, Integer bound) {
    try {
      new Explorer(Worlds.named(world)).explore(bound);
      return "";
    } catch (ViolatedInvariantException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
