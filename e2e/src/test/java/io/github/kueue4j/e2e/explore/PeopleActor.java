// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.e2e.explore.Around.Queue;
import io.github.kueue4j.sdk.internal.fence.Token;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The user, the administrators, and the passage of time. */
final class PeopleActor {
  private static final List<Queue> STOPPED = List.of(Queue.HOLD, Queue.DRAIN, Queue.LOCAL_HOLD);

  private final Space space;
  private final Rules rules;
  private final CoreActor core;
  private final Map<Queue, String> stops = new EnumMap<>(Queue.class);

  PeopleActor(Space space, CoreActor core) {
    this.space = space;
    this.core = core;
    this.rules = space.rules();
    for (Queue queue : Queue.values()) {
      stops.put(queue, "an administrator sets the queue to " + queue);
    }
  }

  void steps(World world, boolean everything, Steps steps) {
    time(world, steps);
    user(world, everything, steps);
    queues(world, everything, steps);
    assignment(world, steps);
    pods(world, steps);
  }

  private void pods(World world, Steps steps) {
    Around around = space.around(world);
    if (rules.pods() && around.running() && !around.ready()) {
      steps.add("the pods become ready", space.with(world, around.withReady(true)), true);
    }
    if (around.ready() && world.may(Trouble.PODS)) {
      World paid = world.spend(Trouble.PODS);
      steps.add("a pod fails", space.with(paid, around.withReady(false)), false);
    }
  }

  private void time(World world, Steps steps) {
    boolean late = space.timesOut(world) || core.timesOut(world);
    if (!late || world.may(Trouble.TIMEOUT)) {
      World later = space.later(late ? world.spend(Trouble.TIMEOUT) : world);
      if (!later.equals(world)) {
        steps.add("a second passes", later, !late);
      }
    }
  }

  private void user(World world, boolean everything, Steps steps) {
    Workload object = space.object(world);
    if (!object.spec().active()) {
      steps.add("a user activates", activated(world, object, true), true);
    } else if (everything && world.may(Trouble.USER)) {
      steps.add("a user deactivates", activated(world.spend(Trouble.USER), object, false), false);
    }
    if (everything && world.may(Trouble.RECREATE) && mayBeMadeAnew(world)) {
      steps.add("a user makes the workload anew", recreated(world), false);
    }
  }

  /**
   * Whether a user may make the Workload anew. There are two uids for it in turn, and the next one
   * must not be that of an evaluation that is still under way.
   */
  private boolean mayBeMadeAnew(World world) {
    if (space.around(world).running()) {
      return false;
    }
    String uid = space.object(space.recreated(world)).metadata().getUid();
    for (int check = 0; check < rules.checks().size(); check++) {
      Token token = space.evaluation(world, check).token();
      if (token != null && token.uid().equals(uid)) {
        return false;
      }
    }
    return true;
  }

  private World activated(World world, Workload object, boolean active) {
    return world.written(
        space.number(Essence.of(object.withSpec(object.spec().withActive(active)))));
  }

  private World recreated(World world) {
    World made =
        world
            .spend(Trouble.RECREATE)
            .written(space.recreated(world))
            .withSightings(0)
            .withGhost(space.number(Ghost.none(rules.checks().size())));
    for (int check = 0; check < rules.checks().size(); check++) {
      made = space.withEvaluation(made, check, space.evaluation(made, check).outdated());
    }
    return space.with(made, space.around(made).withInvalid(false).withVictims(false));
  }

  private void queues(World world, boolean everything, Steps steps) {
    Around around = space.around(world);
    if (around.queue() != Queue.RUNS) {
      steps.add(named(Queue.RUNS), set(world, around.withQueue(Queue.RUNS)), true);
    }
    if (!everything) {
      return;
    }
    if (world.may(Trouble.QUEUE)) {
      for (Queue stopped : STOPPED) {
        if (around.queue() != stopped) {
          World paid = world.spend(Trouble.QUEUE);
          steps.add(named(stopped), set(paid, around.withQueue(stopped)), false);
        }
      }
    }
    if (world.may(Trouble.QUEUE_GONE) && around.queue() != Queue.GONE) {
      World paid = world.spend(Trouble.QUEUE_GONE);
      steps.add(named(Queue.GONE), set(paid, around.withQueue(Queue.GONE)), false);
    }
    if (world.may(Trouble.MODE)) {
      World changed = set(world.spend(Trouble.MODE), around.withObserving(!around.observing()));
      Ghost ghost = space.ghost(changed).word(rules.checks().size() - 1, 0);
      steps.add(
          around.observing() ? "the last check is enforced" : "the last check only observes",
          space.with(changed, ghost),
          false);
    }
    if (rules.asksBeforeQuota() && world.may(Trouble.BEFORE_QUOTA)) {
      World paid = world.spend(Trouble.BEFORE_QUOTA);
      steps.add(
          around.withQuota() ? "checks are asked before quota" : "no check is asked before quota",
          set(paid, around.withQuota(!around.withQuota())),
          false);
      if (!Reading.reserved(space.object(world))) {
        steps.add("the spec changes", changed(paid), false);
      }
    }
    if (world.may(Trouble.CHECKS)) {
      boolean reduced = around.reduced();
      World changed = set(world.spend(Trouble.CHECKS), around.withReduced(!reduced));
      steps.add(
          reduced ? "the last check is required again" : "the last check is removed",
          changed,
          false);
    }
  }

  /** What was answered about the spec before, or is about to be, is no answer any more. */
  private World changed(World world) {
    Workload object = space.object(world);
    V1ObjectMeta before = object.metadata();
    V1ObjectMeta metadata =
        new V1ObjectMeta()
            .namespace(before.getNamespace())
            .name(before.getName())
            .uid(before.getUid())
            .generation(before.getGeneration() + 1);
    World changed = world.written(space.number(Essence.of(object.withMetadata(metadata))));
    Ghost ghost = space.ghost(world);
    for (int check = 0; check < rules.checks().size(); check++) {
      Evaluation evaluation = space.evaluation(world, check);
      Token token = evaluation.token();
      if (token != null
          && token.entry().state().equals(CheckState.PENDING)
          && !token.reservation().quotaReserved()) {
        changed = space.withEvaluation(changed, check, evaluation.outdated());
      }
      ghost = ghost.readyFor(check, false);
    }
    return space.with(changed, ghost);
  }

  private void assignment(World world, Steps steps) {
    Around around = space.around(world);
    boolean reserved = Reading.reserved(space.object(world));
    if (world.may(Trouble.FLAVOR) && reserved && !around.invalid()) {
      World paid = world.spend(Trouble.FLAVOR);
      steps.add("the flavor is deleted", set(paid, around.withInvalid(true)), false);
    }
    if (around.victims()) {
      steps.add("the victims are gone", set(world, around.withVictims(false)), true);
    }
  }

  private String named(Queue queue) {
    return Objects.requireNonNull(stops.get(queue));
  }

  /** Queues are other objects: the round of retry that goes on is no longer an undisturbed one. */
  private World set(World world, Around around) {
    Ghost ghost = space.ghost(world);
    World changed = space.with(world, around);
    return ghost.counts() ? space.with(changed, ghost.patches(Ghost.NOT_COUNTED)) : changed;
  }
}
