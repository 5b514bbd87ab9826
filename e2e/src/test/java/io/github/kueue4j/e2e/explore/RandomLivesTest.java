// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.core.lifecycle.LifecycleSettings;
import io.github.kueue4j.testdefaults.Nightly;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random walks, much longer than an exploration can go: checks that answer again and again, long
 * delays, crashes, a restless user and administrator. Invariants as there, and every life ends
 * well.
 */
@Order(1)
@Tag("thorough")
@Execution(ExecutionMode.CONCURRENT)
class RandomLivesTest {
  private static final int LIVES = Nightly.bound(1, 250);
  private static final int STEPS = 400;

  /** One step that could be taken. */
  private record Step(String name, World after) {}

  static List<Rules> worlds() {
    Rules usual = troubled(Rules.of("usual", "sdk", "wake", "naive").delays(-1, 0, 1, 7, 20));
    return List.of(
        usual,
        troubled(Rules.of("two naive checks", "naive", "naive2", "sdk").delays(-1, 0, 5)),
        troubled(Rules.of("flavors", "sdk", "naive").flavored()),
        troubled(Rules.of("timeouts", "sdk", "naive").pendingTimeout(4))
            .with(Trouble.TIMEOUT, Trouble.UNBOUNDED),
        troubled(
            Rules.of("gate off", "sdk", "naive")
                .settings(LifecycleSettings.defaults().withAcRequeueAfter(false))),
        troubled(Rules.of("before quota", "sdk-before", "wake", "naive-before")),
        troubled(Rules.of("in order", "sdk", "naive", "wake"))
            .asking("naive", "sdk")
            .asking("wake", "naive"),
        troubled(Rules.of("in order before quota", "sdk-before", "wake-before", "naive"))
            .asking("wake-before", "sdk-before")
            .asking("naive", "sdk-before"),
        troubled(Rules.of("alternatives", "sdk", "naive", "wake").delays(-1, 0, 5))
            .anyOf("sdk", "naive")
            .asking("wake", "sdk"),
        // No crashes where clocks are far off: see the known limit of the deadline's base.
        troubled(Rules.of("clocks", "sdk", "naive").skews(0, 5, -5, 3).coreMillis(400))
            .with(Trouble.CRASH, 0)
            .with(Trouble.REPEATED_DATE, Trouble.UNBOUNDED));
  }

  private static Rules troubled(Rules rules) {
    Rules troubled = rules;
    for (Trouble trouble : Trouble.values()) {
      troubled = troubled.with(trouble, 4);
    }
    return troubled
        .with(Trouble.FINISH, 0)
        .with(Trouble.TIMEOUT, 0)
        .verdicts(Trouble.UNBOUNDED, Trouble.UNBOUNDED, Trouble.UNBOUNDED);
  }

  @ParameterizedTest
  @MethodSource("worlds")
  void everyLifeKeepsTheInvariants(Rules rules) {
    // One for all lives: what was worked out in one of them is known in the next.
    Space space = new Space(rules);
    SpaceActors actors = new SpaceActors(space);
    for (int seed = 0; seed < LIVES; seed++) {
      assertThat(live(space, actors, new Random(seed), "seed " + seed)).isPositive();
    }
  }

  /** The number of steps until the end or the bound. */
  private static int live(Space space, SpaceActors actors, Random random, String seed) {
    World world = space.first();
    List<String> way = new ArrayList<>();
    try {
      for (int i = 0; i < STEPS; i++) {
        List<Step> steps = new ArrayList<>();
        actors.steps(world, true, (name, after, free) -> steps.add(new Step(name, after)));
        if (steps.isEmpty()) {
          break;
        }
        Step next = steps.get(random.nextInt(steps.size()));
        way.add(next.name());
        world = next.after();
      }
      new Explorer(space, actors).follow(world);
      return way.size();
    } catch (RuntimeException e) {
      throw new AssertionError(
          e.getMessage()
              + "\n  with "
              + seed
              + " after "
              + String.join("\n        ", way)
              + "\n  in "
              + space.describe(world),
          e);
    }
  }
}
