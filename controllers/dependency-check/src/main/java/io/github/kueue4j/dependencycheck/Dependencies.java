// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.dependencycheck;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All Workloads by the names under which others depend on them, and who depends on which name. Of
 * several of one name the newest counts. One that is deleted counts for those that were created
 * before: the next run of a program has the same names. It is remembered for a day, and longer
 * while a Workload names it; a restart forgets it.
 */
final class Dependencies {
  /** How many steps a look at a chain takes at most: others wait for it. */
  private static final int FAR = 1000;

  private static final Duration KEPT = Duration.ofDays(1);
  private static final int MOST_KEPT = 100_000;

  /** The longest part that is kept of a text that others have written. */
  private static final int LONGEST = 100;

  private static final Comparator<Seen> NEWEST =
      Comparator.comparing(Seen::created).thenComparing(seen -> !seen.ended());

  /** How far a Workload has come. */
  enum State {
    /** It waits or runs. */
    OPEN,
    /** It isn't active, so that it doesn't end by itself. */
    STOPPED,
    SUCCEEDED,
    FAILED,
    /** It is deleted before it has ended. */
    GOES
  }

  /**
   * The part of one Workload that counts.
   *
   * @param created that of the first one of the same Job, where a Workload was replaced
   * @param owner the uid of its Job
   * @param left when its deletion began or was seen, in whole seconds, as creations are
   * @param end what its Finished condition says, cut
   * @param started whether it was let through, and so waits for no other
   * @param dependsOn empty if the annotation can't be read
   */
  record Seen(
      ObjectKey key,
      List<Named> names,
      Instant created,
      Optional<String> owner,
      Optional<Instant> left,
      State state,
      String end,
      boolean started,
      Set<Named> dependsOn) {

    static Seen of(Workload workload, Instant created) {
      Optional<Condition> end = workload.conditions().findTrue(WorkloadConditions.FINISHED);
      State state = state(workload, end.map(Condition::reason).orElse(""));
      return new Seen(
          workload.key(),
          Named.of(workload),
          created,
          Named.ownerUid(workload),
          Optional.ofNullable(workload.metadata().getDeletionTimestamp())
              .map(OffsetDateTime::toInstant)
              .or(
                  () ->
                      end.filter(gone -> state == State.GOES)
                          .map(gone -> gone.lastTransitionTime())),
          state,
          cut(end.map(Condition::message).orElse("")),
          workload.conditions().admitted() || hasRun(workload),
          readable(workload));
    }

    private static State state(Workload workload, String end) {
      return switch (end) {
        case "" ->
            workload.metadata().getDeletionTimestamp() != null
                ? State.GOES
                : workload.spec().active() ? State.OPEN : State.STOPPED;
        case "Succeeded" -> State.SUCCEEDED;
        // Its Job was deleted, and may be created anew.
        case "OwnerNotFound" -> State.GOES;
        default -> State.FAILED;
      };
    }

    private static Set<Named> readable(Workload workload) {
      try {
        return Named.dependencies(workload);
      } catch (InvalidFieldException e) {
        return Set.of();
      }
    }

    boolean ended() {
      return state == State.SUCCEEDED || state == State.FAILED;
    }

    /** One that never starts, since what it depends on has failed. */
    Seen lost() {
      String why = "it is stopped, and one that it depends on has failed";
      return new Seen(key, names, created, owner, left, State.FAILED, why, started, dependsOn);
    }

    Seen deleted(Instant seen) {
      return new Seen(
          key,
          names,
          created,
          owner,
          left.or(() -> Optional.of(seen)),
          ended() ? state : State.GOES,
          end,
          started,
          dependsOn);
    }
  }

  private record Gone(Seen seen, Instant until) {}

  // All guarded by this object's monitor.
  private final Map<ObjectKey, Seen> workloads = new HashMap<>();
  private final Map<Named, Set<ObjectKey>> named = new HashMap<>();
  private final Map<Named, Set<ObjectKey>> dependents = new HashMap<>();
  private final LinkedHashMap<Named, Gone> gone = new LinkedHashMap<>();

  /** When the first Workload of a Job was created, of Jobs whose Workload was deleted. */
  private final LinkedHashMap<String, Instant> first = new LinkedHashMap<>();

  private final InstantSource clock;
  private Instant since = Instant.EPOCH;

  Dependencies(InstantSource clock) {
    this.clock = clock;
  }

  /** A text of others, cut. */
  static String cut(String text) {
    return text.length() > LONGEST ? text.substring(0, LONGEST) + " ..." : text;
  }

  /** Whether it was admitted earlier: what it depends on had succeeded then, and may be gone. */
  static boolean hasRun(Workload workload) {
    return workload.status().accumulatedPastExecutionTimeSeconds() != null;
  }

  /**
   * A Workload was created, changed or deleted.
   *
   * @return the Workloads for which that matters
   */
  synchronized Set<ObjectKey> changed(ObjectKey key, Optional<Workload> now) {
    Instant time = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    if (since.equals(Instant.EPOCH)) {
      since = time;
    }
    @Nullable Seen after =
        now.map(workload -> Seen.of(workload, created(workload).orElse(time))).orElse(null);
    @Nullable Seen before = after == null ? workloads.remove(key) : workloads.put(key, after);
    Set<Named> names = new LinkedHashSet<>();
    if (before != null) {
      before.names().forEach(name -> remove(named, name, key));
      before.dependsOn().forEach(name -> remove(dependents, name, key));
      names.addAll(before.names());
    }
    if (after != null) {
      after.names().forEach(name -> add(named, name, key));
      after.dependsOn().forEach(name -> add(dependents, name, key));
      names.addAll(after.names());
      if (after.left().isEmpty()) {
        names.forEach(gone::remove);
      }
    } else if (before != null) {
      remember(before.deleted(afterDependentsOf(before).orElse(time)), time);
    }
    if (before != null && after != null && before.state() == after.state()) {
      return Set.of();
    }
    Set<ObjectKey> concerned = new HashSet<>();
    names.forEach(name -> concerned.addAll(dependents.getOrDefault(name, Set.of())));
    if (after != null && after.state() == State.FAILED) {
      addLost(concerned);
    }
    return concerned;
  }

  /** With one that was stopped before its start and is lost by now, those that depend on it. */
  private void addLost(Set<ObjectKey> concerned) {
    Deque<ObjectKey> next = new ArrayDeque<>(concerned);
    while (!next.isEmpty() && concerned.size() < FAR) {
      @Nullable Seen one = workloads.get(next.remove());
      if (one != null && one.state() == State.STOPPED && !one.started()) {
        one.names().stream()
            .flatMap(name -> dependents.getOrDefault(name, Set.of()).stream())
            .filter(concerned::add)
            .forEach(next::add);
      }
    }
  }

  /**
   * A moment after those were created that depend on one whose deletion wasn't seen to begin, and
   * before any that comes from now on: by the clock of the API server, as all that is compared.
   */
  private Optional<Instant> afterDependentsOf(Seen deleted) {
    return deleted.names().stream()
        .flatMap(name -> dependents.getOrDefault(name, Set.of()).stream())
        .map(workloads::get)
        .map(Seen::created)
        .max(Comparator.naturalOrder())
        .map(created -> created.plusSeconds(1));
  }

  private void remember(Seen left, Instant now) {
    if (!left.ended() && !left.dependsOn().isEmpty()) {
      left.owner().ifPresent(uid -> first.putLast(uid, left.created()));
      if (first.size() > MOST_KEPT) {
        first.pollFirstEntry();
      }
    }
    for (Named name : left.names()) {
      @Nullable Gone other = gone.get(name);
      if (dependents.containsKey(name)
          && (other == null || !other.seen().created().isAfter(left.created()))) {
        gone.putLast(name, new Gone(left, now.plus(KEPT)));
      }
    }
    while (gone.size() > MOST_KEPT
        || (!gone.isEmpty() && gone.firstEntry().getValue().until().isBefore(now))) {
      Map.Entry<Named, Gone> eldest = gone.pollFirstEntry();
      if (dependents.containsKey(eldest.getKey()) && gone.size() < MOST_KEPT) {
        gone.putLast(eldest.getKey(), new Gone(eldest.getValue().seen(), now.plus(KEPT)));
      }
    }
  }

  /** Since when a Workload is there, or the one that it replaces; empty if it isn't created. */
  synchronized Optional<Instant> created(Workload workload) {
    Optional<Instant> created =
        Optional.ofNullable(workload.metadata().getCreationTimestamp())
            .map(OffsetDateTime::toInstant);
    return Named.ownerUid(workload)
        .map(first::get)
        .filter(before -> created.filter(before::isAfter).isEmpty())
        .or(() -> created);
  }

  /** Since when Workloads are seen. */
  synchronized Instant since() {
    return since;
  }

  private static void add(Map<Named, Set<ObjectKey>> index, Named name, ObjectKey key) {
    index.computeIfAbsent(name, same -> new HashSet<>()).add(key);
  }

  private static void remove(Map<Named, Set<ObjectKey>> index, Named name, ObjectKey key) {
    index.computeIfPresent(
        name,
        (same, keys) -> {
          keys.remove(key);
          return keys.isEmpty() ? null : keys;
        });
  }

  /**
   * The object that is known under a name; empty if nothing of it is there, nor was when the one
   * that asks was created.
   */
  synchronized Optional<Seen> find(Named name, Instant asking) {
    return known(name, asking).map(seen -> isLost(seen) ? seen.lost() : seen);
  }

  private Optional<Seen> known(Named name, Instant asking) {
    return present(name)
        .or(
            () ->
                Stream.concat(
                        all(name), Optional.ofNullable(gone.get(name)).map(Gone::seen).stream())
                    .filter(seen -> seen.left().filter(asking::isBefore).isPresent())
                    .max(NEWEST));
  }

  private Optional<Seen> present(Named name) {
    return all(name).filter(seen -> seen.left().isEmpty()).max(NEWEST);
  }

  private Stream<Seen> all(Named name) {
    return named.getOrDefault(name, Set.of()).stream().map(workloads::get);
  }

  /** Whether it was stopped before its start, and the chain before it leads to a failure. */
  private boolean isLost(Seen seen) {
    Set<Named> looked = new HashSet<>();
    Deque<Seen> next = new ArrayDeque<>(List.of(seen));
    while (!next.isEmpty()) {
      Seen one = next.remove();
      if (one.state() == State.FAILED && !one.equals(seen)) {
        return true;
      }
      if (one.state() == State.STOPPED && !one.started()) {
        one.dependsOn().stream()
            .filter(name -> looked.size() < FAR && looked.add(name))
            .forEach(name -> known(name, one.created()).ifPresent(next::add));
      }
    }
    return false;
  }

  /**
   * The names that lead from what a Workload depends on back to it; empty if none do, or only after
   * more than {@value #FAR} steps.
   */
  synchronized List<Named> circle(ObjectKey workload, Set<Named> from) {
    Map<Named, Optional<Named>> reachedFrom = new HashMap<>();
    Deque<Named> next = new ArrayDeque<>(from);
    from.forEach(name -> reachedFrom.put(name, Optional.empty()));
    int steps = 0;
    while (!next.isEmpty()) {
      Named name = next.remove();
      Optional<Seen> seen = present(name).filter(one -> !one.ended());
      if (seen.filter(one -> one.key().equals(workload)).isPresent()) {
        return way(reachedFrom, name);
      }
      for (Named further :
          seen.filter(one -> !one.started()).map(Seen::dependsOn).orElse(Set.of())) {
        if (++steps > FAR) {
          return List.of();
        }
        if (reachedFrom.putIfAbsent(further, Optional.of(name)) == null) {
          next.add(further);
        }
      }
    }
    return List.of();
  }

  private static List<Named> way(Map<Named, Optional<Named>> reachedFrom, Named end) {
    List<Named> way = new ArrayList<>();
    for (Optional<Named> name = Optional.of(end);
        name.isPresent();
        name = reachedFrom.getOrDefault(name.get(), Optional.empty())) {
      way.addFirst(name.get());
    }
    return way;
  }
}
