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

/**
 * Everything there is at one moment, as numbers of values in a {@link Space}. An immutable value: a
 * step makes another world.
 *
 * @param object the stored Workload
 * @param sightings what the core remembers of it
 * @param flight a patch of the core that has not arrived yet
 * @param tokens the evaluations that are under way
 * @param around what else there is: queue, owner, flavors
 * @param budgets how much trouble there may still be
 * @param ghost what only an observer knows
 */
record World(
    int object, int sightings, int flight, int tokens, int around, long budgets, int ghost) {

  World withSightings(int changed) {
    return new World(object, changed, flight, tokens, around, budgets, ghost);
  }

  World withFlight(int changed) {
    return new World(object, sightings, changed, tokens, around, budgets, ghost);
  }

  World withTokens(int changed) {
    return new World(object, sightings, flight, changed, around, budgets, ghost);
  }

  World withAround(int changed) {
    return new World(object, sightings, flight, tokens, changed, budgets, ghost);
  }

  World withGhost(int changed) {
    return new World(object, sightings, flight, tokens, around, budgets, changed);
  }

  /** Another object is stored; a patch that was planned on the old one meets a conflict. */
  World written(int changed) {
    return new World(changed, sightings, Flight.NONE, tokens, around, budgets, ghost);
  }

  boolean may(Trouble trouble) {
    return trouble.left(budgets) > 0;
  }

  World spend(Trouble trouble) {
    return new World(object, sightings, flight, tokens, around, trouble.spent(budgets), ghost);
  }
}
