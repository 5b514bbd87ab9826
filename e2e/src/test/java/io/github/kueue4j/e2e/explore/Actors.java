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

import java.util.ArrayList;
import java.util.List;

/** Everybody who can do something in a {@link Space}. */
final class Actors {
  private final CoreActor core;
  private final PeopleActor people;
  private final List<CheckActor> checks = new ArrayList<>();

  Actors(Space space) {
    core = new CoreActor(space, new Planner(space));
    people = new PeopleActor(space, core);
    for (int check = 0; check < space.rules().checks().size(); check++) {
      checks.add(new CheckActor(space, core, check));
    }
  }

  /** Every step that anybody could take in {@code world}. */
  void steps(World world, Steps steps) {
    core.steps(world, steps);
    for (CheckActor check : checks) {
      check.steps(world, steps);
    }
    people.steps(world, steps);
  }

  /** Whether the world is one to end in. */
  boolean isGood(World world) {
    return core.isGood(world);
  }
}
