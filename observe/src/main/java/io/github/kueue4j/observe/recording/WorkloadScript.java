// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.recording;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ReclaimablePod;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.WorkloadStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The acts of others than the core on one recorded Workload: its user, the controllers of its
 * checks, and its pods. A replay does the same again, each step as long after the step of the core
 * that it answers as it was recorded.
 */
final class WorkloadScript {
  /** So close, a replayed step counts as the recorded one, and is answered at the same instant. */
  static final Duration SAME = Duration.ofSeconds(2);

  /** A version that the user wrote. */
  record Edit(Instant at, Workload workload) {}

  /** An entry as its check wrote it. */
  record CheckAnswer(Instant at, AdmissionCheckState entry) {}

  /** A check was asked: its entry became Pending. */
  record Ask(Instant at, List<CheckAnswer> answers) {}

  /** Pods that needed no quota any more. */
  record Reclaim(Instant at, List<ReclaimablePod> pods) {}

  /** One stay of the Workload in Admitted. */
  static final class Run {
    final Instant admitted;
    final List<Reclaim> reclaims = new ArrayList<>();
    @Nullable Instant ready;
    @Nullable Instant evicted;
    @Nullable Instant released;

    Run(Instant admitted) {
      this.admitted = admitted;
    }

    /** For how long the pods may have run at least. */
    Duration atLeast(Instant end) {
      return Duration.between(admitted, evicted == null ? end : evicted);
    }
  }

  /** How a Workload ended. */
  enum Ending {
    /** It hadn't by the end of the recording. */
    NONE,
    FINISHED,
    /** It was deleted before it had finished. */
    DELETED
  }

  final Workload arrived;
  final Instant arrival;

  /** Whether it was there when the recording began. */
  final boolean present;

  final List<Edit> edits = new ArrayList<>();
  final Map<String, List<Ask>> asks = new HashMap<>();
  final List<Run> runs = new ArrayList<>();
  Ending ending = Ending.NONE;
  @Nullable Instant ended;
  private Workload latest;

  /**
   * A Workload that was seen for the first time.
   *
   * @param present whether it was there when the recording began
   */
  WorkloadScript(Instant arrival, Workload first, boolean present) {
    this.arrival = arrival;
    this.present = present;
    this.arrived = present ? first : first.withStatus(WorkloadStatus.empty());
    this.latest = arrived;
    if (present) {
      first
          .conditions()
          .trueSince(WorkloadConditions.ADMITTED)
          .filter(since -> first.conditions().holdsQuota())
          .ifPresent(since -> runs.add(new Run(since)));
      first
          .status()
          .admissionChecks()
          .forEach(entry -> asked(entry.name(), entry.lastTransitionTime()));
    } else {
      take(arrival, first);
    }
  }

  Workload latest() {
    return latest;
  }

  /** Takes the next version. */
  void take(Instant at, Workload now) {
    Workload before = latest;
    latest = now;
    boolean edited =
        !now.spec().equals(before.spec())
            || !Objects.equals(now.metadata().getAnnotations(), before.metadata().getAnnotations());
    if (edited && !deactivatedByCore(before, now)) {
      edits.add(new Edit(at, now));
    }
    takeRun(at, before, now);
    now.status().admissionChecks().forEach(entry -> takeEntry(at, before, entry));
    if (now.conditions().finished() && ended == null) {
      end(at, Ending.FINISHED);
    }
  }

  /** It was deleted. */
  void delete(Instant at) {
    if (ended == null) {
      end(at, Ending.DELETED);
    }
  }

  private void end(Instant at, Ending how) {
    ending = how;
    ended = at;
  }

  /** The core deactivates what a check has rejected, and what has reached a limit. */
  private static boolean deactivatedByCore(Workload before, Workload now) {
    return before.spec().active()
        && !now.spec().active()
        && now.withSpec(now.spec().withActive(true)).spec().equals(before.spec())
        && Stream.of(before, now)
            .anyMatch(
                each ->
                    each.conditions().deactivationTarget().isPresent()
                        || each.status().admissionChecks().stream()
                            .anyMatch(entry -> entry.is(CheckState.REJECTED)));
  }

  private void takeRun(Instant at, Workload before, Workload now) {
    if (admittedAnew(before, now)) {
      runs.add(new Run(at));
    }
    if (runs.isEmpty()) {
      return;
    }
    Run run = runs.getLast();
    if (run.ready == null && now.conditions().isTrue(WorkloadConditions.PODS_READY)) {
      run.ready = at;
    }
    if (!now.status().reclaimablePods().equals(before.status().reclaimablePods())
        && !now.status().reclaimablePods().isEmpty()) {
      run.reclaims.add(new Reclaim(at, now.status().reclaimablePods()));
    }
    boolean released = !now.conditions().reserved() && before.conditions().reserved();
    if (run.evicted == null && (released || now.conditions().evicted())) {
      run.evicted = at;
    }
    if (run.released == null && released) {
      run.released = at;
    }
  }

  /** Whether a version begins a stay in Admitted. */
  static boolean admittedAnew(Workload before, Workload now) {
    Optional<Instant> since = now.conditions().trueSince(WorkloadConditions.ADMITTED);
    return since.isPresent()
        && now.conditions().reserved()
        && !since.equals(before.conditions().trueSince(WorkloadConditions.ADMITTED));
  }

  /** Whether an entry asks its check anew: a core has dated it Pending. */
  static boolean asksAnew(Workload before, AdmissionCheckState now) {
    return now.is(CheckState.PENDING)
        && before
            .status()
            .admissionCheck(now.name())
            .filter(entry -> entry.is(CheckState.PENDING))
            .filter(entry -> entry.lastTransitionTime().equals(now.lastTransitionTime()))
            .isEmpty();
  }

  private void takeEntry(Instant at, Workload before, AdmissionCheckState entry) {
    List<Ask> known = asks.computeIfAbsent(entry.name(), any -> new ArrayList<>());
    if (asksAnew(before, entry)) {
      asked(entry.name(), at);
      return;
    }
    if (before.status().admissionCheck(entry.name()).filter(entry::equals).isEmpty()) {
      if (known.isEmpty()) {
        asked(entry.name(), at);
      }
      known.getLast().answers().add(new CheckAnswer(at, entry));
    }
  }

  private void asked(String check, Instant at) {
    asks.computeIfAbsent(check, any -> new ArrayList<>()).add(new Ask(at, new ArrayList<>()));
  }

  /**
   * When a recorded step comes again: as long after the step that it answers as then, or at the
   * same instant where that came at the same.
   */
  static Instant again(Instant cause, Instant effect, Instant causeNow) {
    Duration shift = Duration.between(cause, causeNow);
    return shift.abs().compareTo(SAME) <= 0 && !effect.isBefore(causeNow)
        ? effect
        : causeNow.plus(Duration.between(cause, effect));
  }

  /**
   * When its pods end, or it is deleted while they run; empty if it isn't known.
   *
   * @param number of this run, from 0
   * @param admitted when this run began
   */
  Optional<Instant> end(int number, Instant admitted) {
    Instant end = ended;
    if (runs.isEmpty() || end == null || !ranToItsEnd()) {
      return Optional.empty();
    }
    Run last = runs.getLast();
    if (number == runs.size() - 1) {
      return Optional.of(again(last.admitted, end, admitted));
    }
    // An earlier run, which was evicted, may have been longer than the one that came to its end.
    Duration longest =
        runs.stream()
            .limit(runs.size() - 1)
            .map(run -> run.atLeast(end).plus(SAME))
            .reduce(last.atLeast(end), WorkloadScript::longer);
    return Optional.of(admitted.plus(longest));
  }

  /** Whether it ended while it was admitted. */
  boolean ranToItsEnd() {
    return !runs.isEmpty() && ended != null && runs.getLast().evicted == null;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
