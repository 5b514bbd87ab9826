// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import java.util.ArrayList;
import java.util.List;

/** All actors of a {@link Space}. */
final class SpaceActors {
  private final CoreActor core;
  private final PeopleActor people;
  private final List<CheckActor> checks = new ArrayList<>();

  SpaceActors(Space space) {
    core = new CoreActor(space, new Planner(space));
    people = new PeopleActor(space, core);
    for (int check = 0; check < space.rules().checks().size(); check++) {
      checks.add(new CheckActor(space, core, check));
    }
  }

  /**
   * The steps that could be taken in {@code world}.
   *
   * @param everything every step; or at least those that cost no trouble, so that steps which are
   *     not looked at need not be worked out
   */
  void steps(World world, boolean everything, Steps steps) {
    core.steps(world, steps);
    for (CheckActor check : checks) {
      check.steps(world, everything, steps);
    }
    people.steps(world, everything, steps);
  }

  /** Whether this is an acceptable final world. */
  boolean isGood(World world) {
    return core.isGood(world);
  }
}
