// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.CheckPolicy;
import io.github.kueue4j.core.lifecycle.ObservedEntries;
import io.github.kueue4j.sdk.internal.fence.Token;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The values that the numbers of a {@link World} stand for. */
final class Space {
  private static final Workload FIRST = named("uid-1");
  private static final Workload SECOND = named("uid-2");

  private final Rules rules;
  private final Interner<Workload> objects = new Interner<>();
  private final Interner<ObservedEntries> sightings = new Interner<>();
  private final Interner<Flight> flights = new Interner<>();
  private final Interner<Evaluation> evaluations = new Interner<>();
  private final Interner<Evaluations> tokens = new Interner<>();
  private final Interner<Around> arounds = new Interner<>();
  private final Interner<Ghost> ghosts = new Interner<>();
  private final Map<Long, Forgotten> forgotten = new HashMap<>();

  Space(Rules rules) {
    this.rules = rules;
    flights.number(Flight.EMPTY);
    evaluations.number(Evaluation.EMPTY);
    tokens.number(Evaluations.NONE);
    sightings.number(ObservedEntries.none());
  }

  private static Workload named(String uid) {
    return Essence.of(
        Workload.named("ns", "wl")
            .withMetadata(new V1ObjectMeta().namespace("ns").name("wl").uid(uid).generation(1L)));
  }

  World first() {
    return new World(
        number(FIRST),
        0,
        Flight.NONE,
        0,
        number(Around.QUIET),
        rules.budgets(),
        number(Ghost.none(rules.checks().size())));
  }

  Rules rules() {
    return rules;
  }

  Workload object(World world) {
    return objects.value(world.object());
  }

  Workload object(int number) {
    return objects.value(number);
  }

  /** The Workload created anew under its name: another uid and an empty status. */
  int recreated(World world) {
    boolean first = Objects.equals(object(world).metadata().getUid(), FIRST.metadata().getUid());
    return number(first ? SECOND : FIRST);
  }

  ObservedEntries sightings(int number) {
    return sightings.value(number);
  }

  Flight flight(World world) {
    return flights.value(world.flight());
  }

  Around around(World world) {
    return arounds.value(world.around());
  }

  Around around(int number) {
    return arounds.value(number);
  }

  Ghost ghost(World world) {
    return ghosts.value(world.ghost());
  }

  Evaluation evaluation(World world, int check) {
    return evaluations.value(tokens.value(world.tokens()).of(check));
  }

  int evaluationNumber(World world, int check) {
    return tokens.value(world.tokens()).of(check);
  }

  World withEvaluation(World world, int check, Evaluation evaluation) {
    Evaluations changed = tokens.value(world.tokens()).with(check, evaluations.number(evaluation));
    return world.withTokens(tokens.number(changed));
  }

  int number(Workload object) {
    return objects.number(object);
  }

  int number(ObservedEntries seen) {
    return sightings.number(Essence.of(seen, rules));
  }

  int number(Flight flight) {
    return flights.number(flight);
  }

  int number(Around around) {
    return arounds.number(around);
  }

  int number(Ghost ghost) {
    return ghosts.number(ghost);
  }

  World with(World world, Around around) {
    return world.withAround(number(around));
  }

  World with(World world, Ghost ghost) {
    return world.withGhost(number(ghost));
  }

  static @Nullable AdmissionCheckState entry(Workload object, String check) {
    for (AdmissionCheckState entry : object.status().admissionChecks()) {
      if (entry.name().equals(check)) {
        return entry;
      }
    }
    return null;
  }

  /** The world of which {@code world} is only another way to write it down. */
  World canonical(World world) {
    if (world.flight() != Flight.NONE) {
      return world;
    }
    Evaluations under = tokens.value(world.tokens());
    int evaluated = 0;
    for (int check = 0; check < rules.checks().size(); check++) {
      evaluated |= under.of(check) == Evaluation.NONE ? 0 : 1 << check;
    }
    Forgotten forgotten = forgotten(world.object(), world.observedEntries(), evaluated);
    return new World(
        forgotten.object(),
        forgotten.sightings(),
        world.flight(),
        world.tokens(),
        world.around(),
        world.budgets(),
        world.ghost());
  }

  /** An object and observed entries without the dates that nothing will be compared with. */
  private record Forgotten(int object, int sightings) {}

  private Forgotten forgotten(int object, int seen, int evaluated) {
    long key = ((long) object << 29) | ((long) seen << 3) | evaluated;
    Forgotten known = forgotten.get(key);
    if (known == null) {
      Forgetting forgetting = new Forgetting(rules, object(object), sightings(seen), evaluated);
      known = new Forgotten(number(forgetting.object()), number(forgetting.sightings()));
      forgotten.put(key, known);
    }
    return known;
  }

  /** A second later; the same world if everything in it is long past. */
  World later(World world) {
    Times.Dates dates = new Times.Dates();
    Workload object = object(world);
    ObservedEntries seen = sightings.value(world.observedEntries());
    Flight flight = flight(world);
    dates.add(object);
    dates.add(seen);
    dates.add(flight.after());
    dates.add(flight.applied());
    for (int check = 0; check < rules.checks().size(); check++) {
      dates.add(evaluation(world, check).token());
    }
    World after = with(world, ghost(world).later());
    Times times = dates.later(rules.gap());
    if (times == null) {
      return after;
    }
    for (int check = 0; check < rules.checks().size(); check++) {
      Evaluation evaluation = evaluation(after, check);
      Token token = evaluation.token();
      if (token != null) {
        after =
            withEvaluation(
                after,
                check,
                new Evaluation(times.move(token), evaluation.admitted(), evaluation.current()));
      }
    }
    Workload planned = flight.after();
    ObservedEntries applied = flight.applied();
    int flying =
        planned == null || applied == null
            ? Flight.NONE
            : number(
                new Flight(
                    flight.rule(),
                    flight.spec(),
                    times.move(planned),
                    times.move(applied),
                    flight.victims()));
    return new World(
        number(times.move(object)),
        number(times.move(seen)),
        flying,
        after.tokens(),
        after.around(),
        after.budgets(),
        after.ghost());
  }

  /** Whether a second later a check that is asked has let its timeout pass. */
  boolean timesOut(World world) {
    if (!rules.pendingTimeouts()) {
      return false;
    }
    Workload object = object(world);
    Instant reserved = Reading.reservedSince(object);
    for (CheckPolicy check : rules.checks()) {
      AdmissionCheckState entry = entry(object, check.name());
      Duration timeout = check.pendingTimeout();
      boolean observed =
          around(world).observing() && check.name().equals(rules.checks().getLast().name());
      if (entry != null
          && timeout != null
          && !observed
          && entry.is(CheckState.PENDING)
          && reserved != null) {
        Instant since =
            entry.lastTransitionTime().isAfter(reserved) ? entry.lastTransitionTime() : reserved;
        if (Times.seconds(since.plus(timeout)) == 1) {
          return true;
        }
      }
    }
    return false;
  }

  String describe(World world) {
    Workload object = object(world);
    StringBuilder text = new StringBuilder();
    text.append(object.spec().active() ? "active " : "inactive ");
    object
        .status()
        .conditions()
        .forEach(
            condition ->
                text.append(condition.type())
                    .append('=')
                    .append(condition.status())
                    .append('(')
                    .append(condition.reason())
                    .append(
                        condition.lastTransitionTime().equals(Essence.LONG_AGO)
                            ? ""
                            : " " + Times.seconds(condition.lastTransitionTime()))
                    .append(") "));
    var requeue = object.status().requeueState();
    if (requeue != null) {
      Instant at = requeue.requeueAt();
      text.append("requeueState(")
          .append(requeue.count())
          .append(", ")
          .append(at == null ? "" : Times.seconds(at))
          .append(") ");
    }
    object
        .status()
        .admissionChecks()
        .forEach(
            entry ->
                text.append(entry.name())
                    .append('=')
                    .append(entry.state())
                    .append("(since ")
                    .append(Times.seconds(entry.lastTransitionTime()))
                    .append(", after ")
                    .append(entry.requeueAfterSeconds())
                    .append(", count ")
                    .append(entry.retryCount())
                    .append(") "));
    return text.append(around(world))
        .append(' ')
        .append(ghost(world))
        .append(" core ")
        .append(sightings.value(world.observedEntries()))
        .toString();
  }
}
