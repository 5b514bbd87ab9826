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

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Walks through every world that can be reached, breadth first, so that the first violation found
 * has the shortest trace.
 */
final class Explorer {

  private record Origin(@Nullable Fingerprint from, String step) {}

  private record Open(Fingerprint fingerprint, World world) {}

  /**
   * What was explored.
   *
   * @param states distinct worlds
   * @param transitions steps taken, whether or not they led to a new world
   * @param depth steps of the longest shortest way
   * @param complete whether no world was left at the bound
   */
  record Report(int states, long transitions, int depth, boolean complete, Duration took) {}

  private final Map<Fingerprint, Origin> seen = new HashMap<>();
  private final Closure closure = new Closure();

  /**
   * Explores from the first world of {@code rules}.
   *
   * @param bound on the number of worlds
   * @throws ViolatedInvariantException with the shortest trace
   */
  Report explore(Rules rules, int bound) {
    long began = System.nanoTime();
    ArrayDeque<Open> open = new ArrayDeque<>();
    World initial = World.initial(rules);
    Fingerprint first = fingerprint(initial);
    seen.put(first, new Origin(null, "start"));
    open.add(new Open(first, initial));
    long transitions = 0;
    int depth = 0;
    int levelEnds = 1;
    int taken = 0;
    boolean complete = true;
    while (!open.isEmpty()) {
      Open next = open.remove();
      if (taken++ == levelEnds) {
        depth++;
        levelEnds += open.size() + 1;
      }
      for (Step step : steps(next)) {
        transitions++;
        Fingerprint fingerprint = fingerprint(step.after());
        if (seen.containsKey(fingerprint)) {
          continue;
        }
        if (seen.size() >= bound) {
          complete = false;
          continue;
        }
        seen.put(fingerprint, new Origin(next.fingerprint(), step.name()));
        check(fingerprint, step.after());
        open.add(new Open(fingerprint, step.after()));
      }
    }
    return new Report(
        seen.size(), transitions, depth, complete, Duration.ofNanos(System.nanoTime() - began));
  }

  private List<Step> steps(Open from) {
    try {
      return Actors.steps(from.world());
    } catch (RuntimeException e) {
      throw violated(from.fingerprint(), from.world(), e);
    }
  }

  private void check(Fingerprint fingerprint, World world) {
    try {
      Invariants.world(world);
      closure.check(world);
      // Invariant 8: killed here and started again, it comes to an end as well. Known limit: a
      // Retry dated by a clock that is off, below a stored requeueAt, is taken for recorded then.
      if (!world.rules().skewed()) {
        closure.check(world.withCore(World.Core.EMPTY));
      }
    } catch (RuntimeException e) {
      throw violated(fingerprint, world, e);
    }
  }

  private ViolatedInvariantException violated(
      Fingerprint fingerprint, World world, RuntimeException cause) {
    List<String> trace = new ArrayList<>();
    Origin origin = seen.get(fingerprint);
    while (origin != null) {
      trace.add(origin.step());
      origin = origin.from() == null ? null : seen.get(origin.from());
    }
    Collections.reverse(trace);
    ViolatedInvariantException violated =
        new ViolatedInvariantException(
            cause.getMessage()
                + "\n  after "
                + String.join("\n        ", trace)
                + "\n  in "
                + world);
    violated.initCause(cause);
    return violated;
  }

  private static Fingerprint fingerprint(World world) {
    return Fingerprint.of(world.key());
  }
}
