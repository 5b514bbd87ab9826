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

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.StopPolicy;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.CheckPolicy;
import io.github.kueue4j.core.lifecycle.ExceededLimit;
import io.github.kueue4j.core.lifecycle.Lifecycle;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.lifecycle.Plan;
import io.github.kueue4j.core.lifecycle.PodsReadyTimeout;
import io.github.kueue4j.core.lifecycle.Preemption;
import io.github.kueue4j.core.lifecycle.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everybody who can do something. Each method adds the steps that one actor could take next.
 *
 * <p>Core, scheduler and owner step as often as they want to; the rest has a budget, by the name of
 * the actor: {@code crash}, {@code slow core}, {@code user}, {@code admin}, {@code preempt}, {@code
 * pods}, {@code limit} and each check's name.
 */
final class Actors {
  static final String CRASH = "crash";
  static final String SLOW = "slow core";
  static final String USER = "user";
  static final String ADMIN = "admin";
  static final String PREEMPT = "preempt";
  static final String PODS = "pods";
  static final String LIMIT = "limit";

  static final Admission ADMISSION = new Admission("cq", List.of());
  private static final PodsReadyTimeout PODS_READY =
      new PodsReadyTimeout(
          Duration.ofMinutes(5), "WaitForStart", 1, Duration.ofSeconds(3), Duration.ZERO);

  private Actors() {}

  /** Every step that anybody could take in {@code world}. */
  static List<Step> steps(World world) {
    List<Step> steps = new ArrayList<>();
    clock(world, steps);
    core(world, steps);
    crash(world, steps);
    scheduler(world, steps);
    owner(world, steps);
    for (CheckPolicy check : world.rules().checks()) {
      if (check.name().startsWith("sdk")) {
        SdkCheck.steps(world, check.name(), steps);
      } else {
        naive(world, check.name(), steps);
      }
    }
    user(world, steps);
    admin(world, steps);
    preempt(world, steps);
    podsReadyTimeout(world, steps);
    limit(world, steps);
    return steps;
  }

  static void clock(World world, List<Step> steps) {
    if (world.seconds() < world.rules().horizon()) {
      steps.add(new Step("a second passes", world.tick(1)));
    }
  }

  /**
   * The core reads, plans and writes; if it is slow, others write in between, its read is stale and
   * it meets a conflict.
   */
  static void core(World world, List<Step> steps) {
    Workload read = world.core().read();
    if (read != null) {
      Plan plan = Lifecycle.plan(world.situation(read), world.coreNow());
      steps.add(carriedOut("core", world, plan, world.core().readVersion()));
      return;
    }
    Plan plan = Lifecycle.plan(world.situation(world.workload()), world.coreNow());
    steps.add(carriedOut("core", world, plan, world.version()));
    if (world.may(SLOW)) {
      steps.add(
          new Step(
              "core reads",
              world
                  .spend(SLOW)
                  .withCore(
                      new World.Core(
                          world.core().sightings(), world.workload(), world.version()))));
    }
  }

  /** Carries a plan out as the shell does, and holds it against the invariants. */
  static Step carriedOut(String who, World world, Plan plan, int readVersion) {
    if (!(plan instanceof Plan.Write write)) {
      return new Step(
          who + " has nothing to do", world.withCore(world.core().knowing(plan.observed())));
    }
    if (readVersion != world.version()) {
      return new Step(
          who + " meets a conflict over " + write.rule(),
          world.withCore(world.core().knowing(plan.observed())));
    }
    Invariants.patch(world, write);
    World written = world.write(write.after());
    World after =
        switch (write) {
          case Plan.PatchSpec patch -> written.withCore(world.core().knowing(patch.observed()));
          case Plan.PatchStatus patch -> written.withCore(world.core().knowing(patch.applied()));
        };
    return new Step(who + ": " + write.rule(), after.withGhost(Invariants.ghost(world, write)));
  }

  static void crash(World world, List<Step> steps) {
    if (world.may(CRASH) && !world.core().equals(World.Core.EMPTY)) {
      steps.add(new Step("core restarts", world.spend(CRASH).withCore(World.Core.EMPTY)));
    }
  }

  /** The scheduler finds quota at any time; the lifecycle says whether it may be reserved. */
  static void scheduler(World world, List<Step> steps) {
    Plan plan =
        Lifecycle.reserve(
            world.situation(world.workload()), ADMISSION, world.rules().checks(), world.coreNow());
    if (plan.rule() == Rule.RESERVE) {
      steps.add(carriedOut("scheduler", world, plan, world.version()));
    }
  }

  /** The serial worker of the owner: starts what is admitted, stops what isn't any more. */
  static void owner(World world, List<Step> steps) {
    boolean mayRun = world.phase() == Phase.ADMITTED;
    if (mayRun && !world.running()) {
      steps.add(new Step("owner starts", world.withRunning(true)));
    } else if (!mayRun && world.running()) {
      steps.add(new Step("owner stops", world.withRunning(false)));
    }
  }

  /** Writes its entry whatever the Workload is doing, and dates it as it likes. */
  static void naive(World world, String check, List<Step> steps) {
    AdmissionCheckState entry = world.entry(check).orElse(null);
    if (entry == null || !world.may(check)) {
      return;
    }
    for (int skew : world.rules().skews()) {
      Instant at = world.now().plusSeconds(skew);
      for (int delay : world.rules().delays()) {
        steps.add(
            written(world, check, said(entry, CheckState.RETRY, at, delay < 0 ? null : delay)));
      }
      for (CheckState state : List.of(CheckState.READY, CheckState.REJECTED)) {
        steps.add(written(world, check, said(entry, state, at, null)));
      }
    }
  }

  static AdmissionCheckState said(
      AdmissionCheckState entry, CheckState state, Instant at, @Nullable Integer delay) {
    return new AdmissionCheckState(
        entry.name(), state, at, "said " + state, delay, entry.retryCount(), List.of(), null);
  }

  /** A check's write, with what it promises to an observer. */
  static Step written(World world, String check, AdmissionCheckState entry) {
    World after = world.spend(check).writeEntry(entry);
    return new Step(
        check
            + " says "
            + entry.state()
            + (entry.requeueAfterSeconds() == null ? "" : " +" + entry.requeueAfterSeconds())
            + " dated "
            + world.secondsOf(entry.lastTransitionTime()),
        after.withGhost(world.ghost().word(check, promised(world, entry))));
  }

  /** The earliest second at which a requeue may follow this entry. */
  private static int promised(World world, AdmissionCheckState entry) {
    Integer delay = entry.requeueAfterSeconds();
    if (!entry.is(CheckState.RETRY) || delay == null) {
      return 0;
    }
    AdmissionCheckState before = world.entry(entry.name()).orElse(entry);
    if (before.is(CheckState.RETRY)
        && before.lastTransitionTime().equals(entry.lastTransitionTime())
        && world.rules().skewed()) {
      return 0; // The same Retry by its date: counted from whenever that was first seen.
    }
    int dated = world.secondsOf(entry.lastTransitionTime());
    boolean trusted = dated <= world.seconds() && dated >= world.seconds() - 2;
    return (trusted ? dated : world.seconds()) + delay;
  }

  static void user(World world, List<Step> steps) {
    if (world.may(USER)) {
      boolean active = !world.workload().spec().active();
      steps.add(
          new Step(
              active ? "user activates" : "user deactivates",
              activated(world.spend(USER), active)));
    }
  }

  static World activated(World world, boolean active) {
    Workload workload = world.workload();
    return world.write(workload.withSpec(workload.spec().withActive(active)));
  }

  static void admin(World world, List<Step> steps) {
    if (world.may(ADMIN)) {
      for (StopPolicy policy :
          List.of(StopPolicy.NONE, StopPolicy.HOLD, StopPolicy.HOLD_AND_DRAIN)) {
        if (!policy.equals(world.clusterQueue())) {
          steps.add(
              new Step(
                  "admin sets stopPolicy " + policy, world.spend(ADMIN).withClusterQueue(policy)));
        }
      }
    }
  }

  static void preempt(World world, List<Step> steps) {
    if (world.may(PREEMPT)) {
      Plan plan =
          Lifecycle.preempt(
              world.situation(world.workload()),
              Preemption.of("InClusterQueue", "for another"),
              world.coreNow());
      if (plan.rule() == Rule.PREEMPT) {
        steps.add(carriedOut("scheduler", world.spend(PREEMPT), plan, world.version()));
      }
    }
  }

  static void podsReadyTimeout(World world, List<Step> steps) {
    if (world.may(PODS) && world.phase() == Phase.ADMITTED) {
      Plan plan =
          Lifecycle.podsReadyTimeout(
              world.situation(world.workload()), PODS_READY, world.coreNow());
      steps.add(carriedOut("core", world.spend(PODS), plan, world.version()));
    }
  }

  /** The Workload has been running for longer than it may. */
  static void limit(World world, List<Step> steps) {
    if (world.may(LIMIT) && world.phase() == Phase.ADMITTED) {
      Plan plan =
          Lifecycle.exceedLimit(
              world.situation(world.workload()),
              ExceededLimit.executionTime(Duration.ofSeconds(1)),
              world.coreNow());
      steps.add(carriedOut("core", world.spend(LIMIT), plan, world.version()));
    }
  }
}
