// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;

/**
 * Walks through every world that can be reached, breadth first, so that the first violation found
 * has the shortest trace. Then checks the graph of all of them for invariant 1: wherever the
 * trouble stops, the steps that no actor can prevent lead to an admitted Workload.
 *
 * <p>At the bound no further trouble is made; what was reached is followed to its end.
 */
final class Explorer {

  /**
   * What was explored.
   *
   * @param states distinct worlds
   * @param transitions steps taken, whether or not they led to a new world
   * @param complete whether every world was left by every step
   */
  record Report(String name, int states, long transitions, boolean complete, Duration took) {}

  private final Space space;
  private final SpaceActors actors;
  private final StateTable table = new StateTable();
  private final FreeEdges edges = new FreeEdges();
  private final BitSet good = new BitSet();
  private final Map<String, Integer> stepNumbers = new HashMap<>();
  private final List<String> stepNames = new ArrayList<>();
  private long transitions;

  Explorer(Rules rules) {
    space = new Space(rules);
    actors = new SpaceActors(space);
  }

  /** An explorer that goes on in a space that exists. */
  Explorer(Space space, SpaceActors actors) {
    this.space = space;
    this.actors = actors;
  }

  /**
   * Follows a world to its ends, without any further trouble.
   *
   * @throws ViolatedInvariantException if there is an end that isn't good
   */
  Report follow(World start) {
    return explore(start, 0);
  }

  /**
   * Explores from the first world.
   *
   * @param bound on the number of worlds that are left by every step
   * @throws ViolatedInvariantException with the shortest trace
   * @throws CancellationException if its thread is interrupted
   */
  Report explore(int bound) {
    return explore(space.first(), bound);
  }

  /**
   * Takes every step from the first worlds, and follows none to its end.
   *
   * @param bound on the number of worlds that are left
   * @return how many worlds it has come to
   * @throws ViolatedInvariantException with the shortest trace
   */
  int look(int bound) {
    table.add(space.first(), -1, number("start"));
    for (int state = 0; state < Math.min(bound, table.size()); state++) {
      leave(state, true);
    }
    return table.size();
  }

  private Report explore(World start, int bound) {
    long began = System.nanoTime();
    table.add(start, -1, number("start"));
    boolean complete = true;
    for (int state = 0; state < table.size(); state++) {
      if (Thread.currentThread().isInterrupted()) {
        throw new CancellationException("the exploration was interrupted");
      }
      boolean everything = table.size() < bound && complete;
      complete &= everything;
      leave(state, everything);
    }
    BitSet ending = edges.reaching(good, table.size());
    int stuck = ending.nextClearBit(0);
    if (stuck < table.size()) {
      throw violated(stuck, new ViolatedInvariantException("1: stuck, never admitted"));
    }
    return new Report(
        space.rules().name(),
        table.size(),
        transitions,
        complete,
        Duration.ofNanos(System.nanoTime() - began));
  }

  private void leave(int state, boolean everything) {
    World world = table.world(state);
    try {
      actors.steps(
          world,
          everything,
          (name, after, free) -> {
            if (free || everything) {
              transitions++;
              int next = table.add(space.canonical(after), state, number(name));
              if (free) {
                edges.add(state, next);
              }
            }
          });
      if (actors.isGood(world)) {
        good.set(state);
      }
    } catch (RuntimeException e) {
      throw violated(state, e);
    }
  }

  private int number(String name) {
    return stepNumbers.computeIfAbsent(
        name,
        added -> {
          stepNames.add(added);
          return stepNames.size() - 1;
        });
  }

  private ViolatedInvariantException violated(int state, RuntimeException cause) {
    List<String> trace = new ArrayList<>();
    for (int at = state; at >= 0; at = table.parent(at)) {
      trace.add(stepNames.get(table.step(at)));
    }
    Collections.reverse(trace);
    ViolatedInvariantException violated =
        new ViolatedInvariantException(
            (cause instanceof ViolatedInvariantException ? "" : cause.getClass().getName() + ": ")
                + cause.getMessage()
                + "\n  in the world '"
                + space.rules().name()
                + "' after "
                + String.join("\n        ", trace)
                + "\n  in "
                + space.describe(table.world(state)));
    violated.initCause(cause);
    return violated;
  }
}
