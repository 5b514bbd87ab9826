// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.observer;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.WorkloadStatus;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks one Workload's versions in order, and collects the promises that they break. */
final class Life {
  private static final int TRACE = 14;

  private final Audit audit;
  private final List<Report.Violation> violations;
  private final Deque<Frame> trace = new ArrayDeque<>();
  private final Words words;
  private final Rounds rounds = new Rounds();

  /** SDK checks that answered Ready since the reservation. */
  private final Set<String> ready = new HashSet<>();

  /** Checks whose entry another client overwrote since the reservation. */
  private final Set<String> overwritten = new HashSet<>();

  private @Nullable Frame last;
  private int retries;
  private int late;
  private int reservations;
  private int backoffs;
  private int corePatches;
  private Duration longestWait = Duration.ZERO;

  /** The author of a version. */
  private enum By {
    CORE,
    SDK,
    CHECK,
    USER
  }

  Life(Audit audit, List<Report.Violation> violations) {
    this.audit = audit;
    this.violations = violations;
    this.words = new Words(audit.outages());
  }

  void next(Frame frame) {
    trace.addLast(frame);
    if (trace.size() > TRACE) {
      trace.removeFirst();
    }
    Frame before = last;
    last = frame;
    if (before == null || frame.deleted()) {
      return;
    }
    Optional<Authors.Writing> writing = audit.authors().of(frame);
    switch (author(before, frame, writing)) {
      case SDK -> spoken(before, frame, null);
      case CHECK -> spoken(before, frame, writing.orElseThrow());
      case USER -> rounds.disturbed();
      case CORE -> written(before, frame);
    }
    if (!frame.active() || !before.active()) {
      rounds.disturbed();
    }
    if (before.heldForDeactivation() && !frame.heldForDeactivation()) {
      words.forget();
    }
  }

  private By author(Frame before, Frame after, Optional<Authors.Writing> writing) {
    if (writing.isPresent()) {
      return writing.get().check() ? By.CHECK : By.USER;
    }
    List<String> changed = changed(before, after);
    boolean sdk =
        changed.size() == 1
            && audit.sdkChecks().contains(changed.getFirst())
            && withoutEntries(before).equals(withoutEntries(after))
            && before.status().admissionChecks().size() == after.status().admissionChecks().size()
            && !sameWord(before, after, changed.getFirst());
    return sdk ? By.SDK : By.CORE;
  }

  private static WorkloadStatus withoutEntries(Frame frame) {
    return frame.status().withAdmissionChecks(List.of());
  }

  /** The core may date and complete a Retry, but never says anything itself. */
  private static boolean sameWord(Frame before, Frame after, String check) {
    AdmissionCheckState old = before.entry(check).orElseThrow();
    AdmissionCheckState now = after.entry(check).orElseThrow();
    return old.state().equals(now.state()) && old.message().equals(now.message());
  }

  private static List<String> changed(Frame before, Frame after) {
    return after.status().admissionChecks().stream()
        .filter(entry -> !before.entry(entry.name()).equals(Optional.of(entry)))
        .map(AdmissionCheckState::name)
        .toList();
  }

  /** A check wrote; a null writing is one through the SDK. */
  private void spoken(Frame before, Frame frame, Authors.@Nullable Writing writing) {
    for (AdmissionCheckState entry : before.status().admissionChecks()) {
      if (frame.entry(entry.name()).isEmpty()) {
        // It removed another check's entry; the core has to restore the entry.
        words.drop(entry.name());
        rounds.disturbed();
      }
    }
    boolean lively = before.reserved() && !before.evicted() && before.active();
    for (String check : changed(before, frame)) {
      AdmissionCheckState entry = frame.entry(check).orElseThrow();
      words.say(frame, entry, writing);
      if (entry.is(CheckState.RETRY)) {
        retries++;
      }
      if (!lively || before.finished()) {
        late++;
      }
      if (audit.sdkChecks().contains(check)) {
        if (writing != null) {
          overwritten.add(check);
        } else if (entry.is(CheckState.READY)) {
          ready.add(check);
        } else {
          ready.remove(check);
        }
      }
      rounds.word(entry.is(CheckState.RETRY), before.admitted());
    }
  }

  /** The core wrote. */
  private void written(Frame before, Frame frame) {
    if (before.status().equals(frame.status()) && before.active() == frame.active()) {
      return; // Metadata, such as a finalizer.
    }
    corePatches++;
    if (before.finished()) {
      violated(1, "the core writes to a finished Workload");
    }
    if (!isNote(before, frame)) {
      rounds.patch();
    }
    entries(before, frame);
    freed(before, frame);
    if (!before.reserved() && frame.reserved()) {
      reserved(frame);
    }
    if (!before.admitted() && frame.admitted()) {
      admitted(frame);
    }
  }

  /** Why a Workload still waits for quota is told in a patch of its own, which isn't counted. */
  private static boolean isNote(Frame before, Frame frame) {
    return before.active() == frame.active()
        && withoutQuota(before).equals(withoutQuota(frame))
        && before.reserved() == frame.reserved();
  }

  private static WorkloadStatus withoutQuota(Frame frame) {
    List<Condition> others =
        frame.status().conditions().stream()
            .filter(condition -> !condition.type().equals(WorkloadConditions.QUOTA_RESERVED))
            .filter(
                condition ->
                    !condition.type().equals(WorkloadConditions.ADMITTED) || condition.isTrue())
            .toList();
    return frame.status().withConditions(others).withResourceRequests(List.of());
  }

  /** Invariants 5, 6 and 7. */
  private void entries(Frame before, Frame frame) {
    boolean forgets = !frame.active() || before.heldForDeactivation();
    for (AdmissionCheckState old : before.status().admissionChecks()) {
      AdmissionCheckState now = frame.entry(old.name()).orElse(null);
      if (now == null) {
        words.drop(old.name());
        if (old.is(CheckState.REJECTED) && before.active()) {
          violated(5, "a rejection by " + old.name() + " is removed");
        }
        continue;
      }
      entry(before, frame, old, now, forgets);
    }
    if (forgets && !frame.active()) {
      words.forget();
    }
  }

  private void entry(
      Frame before,
      Frame frame,
      AdmissionCheckState old,
      AdmissionCheckState now,
      boolean forgets) {
    String check = old.name();
    boolean moved = !old.state().equals(now.state());
    if (!moved
        && old.is(CheckState.RETRY)
        && !old.lastTransitionTime().equals(now.lastTransitionTime())) {
      words.recorded(old, now).ifPresent(problem -> violated(2, problem));
    }
    if (moved && !now.is(CheckState.PENDING)) {
      violated(7, "the core changes " + check + " from " + old.state() + " to " + now.state());
    }
    if (moved && old.is(CheckState.REJECTED) && before.active()) {
      violated(5, "a rejection by " + check + " is erased");
    }
    if (forgets) {
      return;
    }
    boolean admits = !before.admitted() && frame.admitted();
    int expected =
        switch (old.state().value()) {
          case "Retry" -> moved ? count(old) + 1 : count(old);
          case "Ready" -> moved || admits ? 0 : count(old);
          default -> count(old);
        };
    if (count(now) != expected) {
      violated(6, "retryCount of " + check + " is " + count(now) + " and should be " + expected);
    }
    if (moved && old.is(CheckState.RETRY) && frame.reserved()) {
      violated(6, "a Retry of " + check + " is reset while quota is reserved");
    }
  }

  /** Invariant 3: the first patch after a Retry gives the quota back unless pods may run. */
  private void freed(Frame before, Frame frame) {
    boolean mustFree =
        before.reserved()
            && !before.admitted()
            && !before.evicted()
            && !before.finished()
            && before.active()
            && audit.alwaysRequired().stream().anyMatch(check -> saysRetry(before, check))
            && !before.any(CheckState.REJECTED);
    if (mustFree && frame.reserved() && !frame.finished()) {
      violated(3, "quota is kept although a check said Retry");
    }
  }

  private static boolean saysRetry(Frame frame, String check) {
    return frame.entry(check).filter(entry -> entry.is(CheckState.RETRY)).isPresent();
  }

  /** Invariant 2. */
  private void reserved(Frame frame) {
    reservations++;
    for (AdmissionCheckState entry : frame.status().admissionChecks()) {
      Words.Deadline deadline = words.deadline(entry.name(), frame).orElse(null);
      if (deadline != null && frame.reservedSince().isBefore(deadline.at())) {
        violated(
            2,
            "quota is reserved at "
                + frame.reservedSince()
                + ", before the deadline of "
                + entry.name()
                + ": "
                + deadline);
      }
      if (!entry.is(CheckState.PENDING)) {
        violated(4, entry.name() + " is " + entry.state() + " right after the reservation");
      }
    }
    words
        .latest()
        .ifPresent(
            latest -> {
              backoffs++;
              Duration wait = Duration.between(latest, frame.seenAt());
              longestWait = wait.compareTo(longestWait) > 0 ? wait : longestWait;
            });
    Optional<String> tooMany = rounds.reserved();
    if (audit.calm()) {
      tooMany.ifPresent(problem -> violated(10, problem));
    }
    words.forget();
    ready.clear();
    overwritten.clear();
  }

  /** Invariant 4. */
  private void admitted(Frame frame) {
    for (AdmissionCheckState entry : frame.status().admissionChecks()) {
      if (!entry.is(CheckState.READY)) {
        violated(4, "admitted although " + entry.name() + " is " + entry.state());
      }
      if (audit.sdkChecks().contains(entry.name())
          && !ready.contains(entry.name())
          && !overwritten.contains(entry.name())) {
        violated(4, "admitted although " + entry.name() + " gave no answer for this reservation");
      }
    }
  }

  private static int count(AdmissionCheckState entry) {
    return Objects.requireNonNullElse(entry.retryCount(), 0);
  }

  private void violated(int invariant, String what) {
    violations.add(new Report.Violation(invariant, what, trace()));
  }

  List<String> trace() {
    return trace.stream()
        .map(
            frame ->
                frame.brief()
                    + audit
                        .authors()
                        .of(frame)
                        .map(writing -> " by " + writing.author() + " after " + writing.sentAfter())
                        .orElse(""))
        .toList();
  }

  static Report.Tally tally(Collection<Life> lives, int versions) {
    return new Report.Tally(
        lives.size(),
        (int) lives.stream().filter(life -> life.last != null && life.last.finished()).count(),
        versions,
        lives.stream().mapToInt(life -> life.retries).sum(),
        lives.stream().mapToInt(life -> life.late).sum(),
        lives.stream().mapToInt(life -> life.reservations).sum(),
        lives.stream().mapToInt(life -> life.backoffs).sum(),
        lives.stream().mapToInt(life -> life.corePatches).sum(),
        lives.stream().mapToInt(life -> life.rounds.most()).max().orElse(0),
        lives.stream().map(life -> life.longestWait).max(Duration::compareTo).orElse(Duration.ZERO),
        lives.stream().mapToInt(life -> life.words.knownLimit()).sum());
  }
}
