// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.dependencycheck;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All Workloads by the names under which others depend on them, and who depends on which name. Of
 * several of one name the newest counts. What has ended and is deleted is remembered for as long as
 * a Workload names it, and a restart forgets it.
 */
final class Dependencies {
  /** How far circles are looked for. */
  private static final int FAR = 1000;

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
   * What counts of one Workload.
   *
   * @param end what its Finished condition says
   * @param started whether it was let through, and so waits for no other
   * @param dependsOn empty if the annotation can't be read
   */
  record Seen(
      ObjectKey key,
      List<Named> names,
      Instant created,
      State state,
      String end,
      boolean started,
      Set<Named> dependsOn) {

    static Seen of(Workload workload) {
      Optional<Condition> end = workload.conditions().findTrue(WorkloadConditions.FINISHED);
      return new Seen(
          workload.key(),
          Named.of(workload),
          Optional.ofNullable(workload.metadata().getCreationTimestamp())
              .map(OffsetDateTime::toInstant)
              .orElse(Instant.EPOCH),
          state(workload, end.map(Condition::reason).orElse("")),
          end.map(Condition::message).orElse(""),
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
  }

  // All guarded by this object's monitor.
  private final Map<ObjectKey, Seen> workloads = new HashMap<>();
  private final Map<Named, Set<ObjectKey>> named = new HashMap<>();
  private final Map<Named, Set<ObjectKey>> dependents = new HashMap<>();
  private final Map<Named, Seen> ended = new HashMap<>();

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
    @Nullable Seen after = now.map(Seen::of).orElse(null);
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
    }
    if (before != null) {
      before.dependsOn().stream().filter(name -> !isNamed(name)).forEach(ended::remove);
    }
    names.stream().filter(this::isNamed).forEach(name -> remember(name, before, after));
    if (before != null && after != null && before.state() == after.state()) {
      return Set.of();
    }
    Set<ObjectKey> concerned = new HashSet<>();
    names.forEach(name -> concerned.addAll(dependents.getOrDefault(name, Set.of())));
    return concerned;
  }

  private boolean isNamed(Named name) {
    return dependents.containsKey(name);
  }

  /** What is there counts; a Workload that goes doesn't count any more once it was replaced. */
  private void remember(Named name, @Nullable Seen before, @Nullable Seen after) {
    if (present(name).isPresent()) {
      ended.remove(name);
    } else if (after == null && before != null && before.ended()) {
      ended.put(name, before);
    }
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

  /** What is known under a name; empty if nothing of it is there, nor was seen to end. */
  synchronized Optional<Seen> find(Named name) {
    return present(name).or(() -> Optional.ofNullable(ended.get(name)));
  }

  private Optional<Seen> present(Named name) {
    return named.getOrDefault(name, Set.of()).stream()
        .map(workloads::get)
        .filter(seen -> seen.state() != State.GOES)
        .max(NEWEST);
  }

  /**
   * The names that lead from what a Workload depends on back to it; empty if none do, or only more
   * than {@value #FAR}.
   */
  synchronized List<Named> circle(ObjectKey workload, Set<Named> from) {
    Map<Named, Optional<Named>> reachedFrom = new HashMap<>();
    Deque<Named> next = new ArrayDeque<>(from);
    from.forEach(name -> reachedFrom.put(name, Optional.empty()));
    while (!next.isEmpty() && reachedFrom.size() <= FAR) {
      Named name = next.remove();
      Optional<Seen> seen = find(name).filter(one -> !one.ended());
      if (seen.filter(one -> one.key().equals(workload)).isPresent()) {
        return way(reachedFrom, name);
      }
      seen.filter(one -> !one.started()).stream()
          .flatMap(one -> one.dependsOn().stream())
          .filter(further -> reachedFrom.putIfAbsent(further, Optional.of(name)) == null)
          .forEach(next::add);
    }
    return List.of();
  }

  private static List<Named> way(Map<Named, Optional<Named>> reachedFrom, Named end) {
    List<Named> way = new ArrayList<>();
    for (Optional<Named> name = Optional.of(end);
        name.isPresent();
        name = reachedFrom.get(name.get())) {
      way.addFirst(name.get());
    }
    return way;
  }
}
