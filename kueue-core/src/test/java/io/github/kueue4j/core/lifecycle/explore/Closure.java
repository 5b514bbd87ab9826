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

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.StopPolicy;
import io.github.kueue4j.core.lifecycle.CheckPolicy;
import io.github.kueue4j.core.lifecycle.Lifecycle;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.lifecycle.Plan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a world when nobody makes trouble any more: the core, the scheduler and the owner
 * do their work, checks that are asked answer Ready, time passes. Invariant 1: nothing gets stuck,
 * the Workload is admitted.
 *
 * <p>Only when all are at rest does the administrator start the queue and the user activate the
 * Workload; a Workload at rest before waits for one of these two, never for a check.
 */
final class Closure {
  /** Far more than the longest way; reaching it means that patches go on for ever. */
  private static final int MOST_STEPS = 80;

  /** Worlds that are known to end well. */
  private final Set<Fingerprint> known = new HashSet<>();

  /** Follows {@code start} to its end; throws if it has none. */
  void check(World start) {
    World world = start;
    List<String> way = new ArrayList<>();
    List<Fingerprint> passed = new ArrayList<>();
    for (int steps = 0; steps < MOST_STEPS; steps++) {
      Fingerprint here = Fingerprint.of(world.fate());
      Step next = known.contains(here) ? null : next(world);
      passed.add(here);
      if (known.contains(here)) {
        known.addAll(passed);
        return;
      }
      if (next == null) {
        Invariants.require(
            world.phase() == Phase.ADMITTED, "1: stuck in a phase after a way", world.phase(), way);
        Invariants.settled(world);
        known.addAll(passed);
        return;
      }
      way.add(next.name());
      world = next.after();
    }
    throw new ViolatedInvariantException("1: no end after " + way);
  }

  private static @Nullable Step next(World world) {
    Plan plan = Lifecycle.plan(world.situation(world.workload()), world.coreNow());
    if (plan instanceof Plan.Write) {
      return Actors.carriedOut("core", world, plan, world.version());
    }
    World seen = world.withCore(world.core().knowing(plan.observed()));
    List<Step> steps = new ArrayList<>();
    Actors.owner(seen, steps);
    Actors.scheduler(seen, steps);
    if (!steps.isEmpty()) {
      return steps.getFirst();
    }
    if (world.phase() == Phase.RESERVED) {
      for (CheckPolicy check : world.rules().checks()) {
        var entry = seen.entry(check.name()).orElse(null);
        if (entry != null && entry.is(CheckState.PENDING)) {
          World.Token token =
              new World.Token(seen.reservedAt(), entry, seen.ghost().reservations());
          return SdkCheck.answer(seen, check.name(), token, CheckState.READY, -1);
        }
      }
    }
    Instant wakeAt = plan.wakeAt();
    if (wakeAt != null) {
      int second = seen.secondsOf(wakeAt.plusMillis(999));
      Invariants.require(second > seen.seconds(), "1: a timer that has nothing to do", second);
      return new Step("time passes", seen.tick(second - seen.seconds()));
    }
    return atRest(seen);
  }

  private static @Nullable Step atRest(World world) {
    return switch (world.phase()) {
      case HELD, QUEUED -> {
        Invariants.require(
            !world.clusterQueue().equals(StopPolicy.NONE),
            "1: waits though its queue runs",
            world.phase());
        yield new Step("admin starts the queue", world.withClusterQueue(StopPolicy.NONE));
      }
      case DEACTIVATED -> new Step("user activates", Actors.activated(world, true));
      case FINISHED, EVICTING, ADMITTED, RESERVED, BACKOFF -> null;
    };
  }
}
