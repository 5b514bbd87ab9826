// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

/**
 * Everything there is at one moment, as numbers of values in a {@link Space}. An immutable value: a
 * step makes another world.
 *
 * @param object the stored Workload
 * @param observedEntries the entries that the core has observed
 * @param flight a patch of the core that has not arrived yet
 * @param tokens the evaluations that are under way
 * @param around what else there is: queue, owner, flavors
 * @param budgets how much trouble there may still be
 * @param ghost what only an observer knows
 */
record World(
    int object, int observedEntries, int flight, int tokens, int around, long budgets, int ghost) {

  World withSightings(int changed) {
    return new World(object, changed, flight, tokens, around, budgets, ghost);
  }

  World withFlight(int changed) {
    return new World(object, observedEntries, changed, tokens, around, budgets, ghost);
  }

  World withTokens(int changed) {
    return new World(object, observedEntries, flight, changed, around, budgets, ghost);
  }

  World withAround(int changed) {
    return new World(object, observedEntries, flight, tokens, changed, budgets, ghost);
  }

  World withGhost(int changed) {
    return new World(object, observedEntries, flight, tokens, around, budgets, changed);
  }

  /** Another object is stored; a patch that was planned on the old one meets a conflict. */
  World written(int changed) {
    return new World(changed, observedEntries, Flight.NONE, tokens, around, budgets, ghost);
  }

  boolean may(Trouble trouble) {
    return trouble.left(budgets) > 0;
  }

  World spend(Trouble trouble) {
    return new World(
        object, observedEntries, flight, tokens, around, trouble.spent(budgets), ghost);
  }
}
