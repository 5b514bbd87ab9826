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
package io.github.kueue4j.core.lifecycle.explore;

import io.github.kueue4j.core.lifecycle.LifecycleSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Random walks, much longer than an exhaustive exploration can go: checks that answer a dozen
 * times, delays of a minute, crashes, a restless user and administrator. Invariants as there, and
 * every walk ends well.
 */
class LifecycleSimulationTest {
  private static final int STEPS = 200;

  private static final Map<String, Integer> BUDGETS =
      Map.ofEntries(
          Map.entry("sdk", 12),
          Map.entry("naive", 12),
          Map.entry(Actors.CRASH, 3),
          Map.entry(Actors.SLOW, 10),
          Map.entry(Actors.USER, 3),
          Map.entry(Actors.ADMIN, 4),
          Map.entry(Actors.PREEMPT, 2),
          Map.entry(Actors.PODS, 2),
          Map.entry(Actors.LIMIT, 1));

  @Property(tries = 300)
  void everyRandomLifeKeepsTheInvariantsAndEndsWell(
      @ForAll("rules") Rules rules, @ForAll Random random) {
    World world = World.initial(rules);
    List<String> way = new ArrayList<>();
    try {
      for (int step = 0; step < STEPS; step++) {
        List<Step> steps = Actors.steps(world);
        Step next = steps.get(random.nextInt(steps.size()));
        way.add(next.name());
        world = next.after();
        Invariants.world(world);
      }
      way.add("nobody makes trouble any more");
      new Closure().check(world);
    } catch (RuntimeException e) {
      throw new AssertionError(
          e.getMessage() + "\n  after " + String.join("\n        ", way) + "\n  in " + world, e);
    }
  }

  @Provide
  Arbitrary<Rules> rules() {
    Rules usual =
        new Rules(
            LifecycleSettings.defaults(),
            Rules.of(0, Map.of()).checks(),
            List.of(-1, 0, 1, 7, 60),
            List.of(0, -1, 0),
            90,
            400,
            new TreeMap<>(BUDGETS));
    return Arbitraries.of(
        usual,
        usual.withCoreClockMillis(0),
        usual.withChecks("sdk", "naive", "naive2"),
        usual.withPendingTimeout(Duration.ofSeconds(4)),
        usual.withSettings(LifecycleSettings.defaults().withAcRequeueAfter(false)),
        // No crashes where clocks are far off: see the known limit of the deadline's base.
        usual.withSkews(0, 3600, -3600, 3).without(Actors.CRASH));
  }
}
