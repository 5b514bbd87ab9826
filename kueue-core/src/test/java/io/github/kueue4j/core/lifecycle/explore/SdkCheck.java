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

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.core.lifecycle.Phase;
import java.time.Instant;
import java.util.List;

/**
 * A check that never makes a harmful late write: a model of the SDK's fence, to be replaced by the
 * real one where both can be seen.
 */
final class SdkCheck {
  private SdkCheck() {}

  static void steps(World world, String check, List<Step> steps) {
    World.Token token = world.checks().get(check);
    AdmissionCheckState entry = world.entry(check).orElse(null);
    if (!world.may(check)) {
      return;
    }
    if (token == null) {
      boolean reserved = world.phase() == Phase.RESERVED || world.phase() == Phase.ADMITTED;
      if (reserved
          && entry != null
          && !entry.is(CheckState.RETRY)
          && !entry.is(CheckState.REJECTED)) {
        steps.add(
            new Step(
                check + " begins to evaluate",
                world.withChecks(
                    World.with(
                        world.checks(),
                        check,
                        new World.Token(
                            world.reservedAt(), entry, world.ghost().reservations())))));
      }
      return;
    }
    for (int delay : world.rules().delays()) {
      steps.add(answer(world, check, token, CheckState.RETRY, delay));
    }
    steps.add(answer(world, check, token, CheckState.READY, -1));
    steps.add(answer(world, check, token, CheckState.REJECTED, -1));
  }

  /** Reads the newest object, classifies, and writes or drops. */
  static Step answer(World world, String check, World.Token token, CheckState state, int delay) {
    World done = world.withChecks(World.without(world.checks(), check));
    AdmissionCheckState entry = world.entry(check).orElse(null);
    boolean sameEntry = entry != null && same(entry, token.entry());
    boolean sameReservation = sameEntry && world.reservedAt().equals(token.reservedAt());
    Phase phase = world.phase();
    boolean allowed =
        switch (phase) {
          case RESERVED, ADMITTED -> sameReservation;
          case EVICTING, BACKOFF -> sameEntry && !state.equals(CheckState.READY);
          case FINISHED, DEACTIVATED, HELD, QUEUED -> false;
        };
    if (!allowed || entry == null) {
      return new Step(check + " drops " + state, done.spend(check));
    }
    if (entry.is(state)) {
      return new Step(check + " stays " + state, done.spend(check));
    }
    Instant at = world.now().isAfter(world.reservedAt()) ? world.now() : world.reservedAt();
    Step step =
        Actors.written(done, check, Actors.said(entry, state, at, delay < 0 ? null : delay));
    return state.equals(CheckState.READY)
        ? new Step(
            step.name(),
            step.after().withGhost(step.after().ghost().ready(check, token.reservation())))
        : step;
  }

  private static boolean same(AdmissionCheckState one, AdmissionCheckState other) {
    return one.state().equals(other.state())
        && one.lastTransitionTime().equals(other.lastTransitionTime())
        && java.util.Objects.equals(one.retryCount(), other.retryCount());
  }
}
