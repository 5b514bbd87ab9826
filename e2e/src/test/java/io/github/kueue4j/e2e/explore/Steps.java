// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

/** Takes what an actor could do next. */
@FunctionalInterface
interface Steps {

  /**
   * A step.
   *
   * @param name for the trace
   * @param after the world it makes
   * @param free whether it costs no trouble, so that it can be relied upon to happen in the end
   */
  void add(String name, World after, boolean free);
}
