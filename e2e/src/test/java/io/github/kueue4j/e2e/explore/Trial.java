// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
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
