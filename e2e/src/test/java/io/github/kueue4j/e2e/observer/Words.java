// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.observer;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The last word of each check about one Workload since its reservation, and until when it delays.
 *
 * <p>A delay counts from the entry's date if that is at most two seconds before the word was sent;
 * else from the moment it was sent, which is not later than the core's first sight. The same date
 * again is the same Retry and keeps its base.
 */
final class Words {
  private static final Duration TRUSTED = Duration.ofSeconds(2);
  private static final Duration CAP = Duration.ofHours(24);

  private final List<Outage> outages;
  private final Map<String, Deadline> deadlines = new HashMap<>();
  private final Map<String, Map<Instant, Instant>> bases = new HashMap<>();
  private int knownLimit;

  /**
   * Not before when a check lets the Workload be reserved.
   *
   * @param said when the watch showed it
   * @param claimed the date and delay that the entry itself shows, added up
   * @param doubtful whether the date was wrong, so that the delay counts from first sight
   * @param stored the requeueAt that stood in the object then
   */
  record Deadline(
      Instant at, Instant said, Instant claimed, boolean doubtful, @Nullable Instant stored) {}

  Words(List<Outage> outages) {
    this.outages = outages;
  }

  /** A check has written its entry; without a writing, through the SDK, whose dates are right. */
  void say(Frame frame, AdmissionCheckState entry, Authors.@Nullable Writing writing) {
    if (!entry.is(CheckState.RETRY)) {
      deadlines.remove(entry.name());
      return;
    }
    Instant date = entry.lastTransitionTime();
    Instant earliest = date;
    boolean doubtful = false;
    if (writing == null) {
      // A reservation, and a verdict upon it, may be dated up to a second ahead of the clock.
      earliest = date.equals(frame.reservedSince()) ? date.minusSeconds(1) : date;
    } else {
      Instant sent = writing.sentAfter().truncatedTo(ChronoUnit.SECONDS);
      doubtful = date.isBefore(sent.minus(TRUSTED)) || date.isAfter(frame.seenAt());
      earliest = doubtful || date.isAfter(sent) ? sent : date;
    }
    Instant base =
        bases
            .computeIfAbsent(entry.name(), name -> new HashMap<>())
            .merge(date, earliest, (known, later) -> known.isBefore(later) ? known : later);
    // The base is known all the same: a delay that comes later to the same Retry counts from it.
    Integer asked = entry.requeueAfterSeconds();
    if (asked == null) {
      deadlines.remove(entry.name());
      return;
    }
    Duration delay = Duration.ofSeconds(Math.min(asked, CAP.toSeconds()));
    deadlines.put(
        entry.name(),
        new Deadline(
            base.plus(delay), frame.seenAt(), date.plus(delay), doubtful, frame.requeueAt()));
  }

  /**
   * When {@code check} lets the Workload be reserved; empty if it doesn't care.
   *
   * <p>The documented limit: a late word with a wrong date, written while the core is down and
   * dated to end before the stored requeueAt, is taken for one that was recorded.
   */
  Optional<Deadline> deadline(String check, Frame reservation) {
    Deadline deadline = deadlines.get(check);
    if (deadline == null) {
      return Optional.empty();
    }
    Instant stored = deadline.stored();
    boolean mayBeCut =
        deadline.doubtful()
            && stored != null
            && !deadline.claimed().isAfter(stored)
            && outages.stream()
                .anyMatch(outage -> outage.touches(deadline.said(), reservation.seenAt()));
    if (mayBeCut) {
      knownLimit++;
      return Optional.empty();
    }
    return Optional.of(deadline);
  }

  /**
   * The core has dated a Retry anew: from now on that date stands for it, and a check that answers
   * with it again is counted from it.
   *
   * @return what is wrong with the new date
   */
  Optional<String> recorded(AdmissionCheckState old, AdmissionCheckState now) {
    Map<Instant, Instant> known = bases.computeIfAbsent(old.name(), name -> new HashMap<>());
    Instant base = known.get(old.lastTransitionTime());
    Instant date = now.lastTransitionTime();
    known.put(date, date);
    return base != null && date.isBefore(base)
        ? Optional.of(
            "the Retry of " + old.name() + " is recorded as of " + date + ", before " + base)
        : Optional.empty();
  }

  /** The latest deadline of all. */
  Optional<Instant> latest() {
    return deadlines.values().stream().map(Deadline::at).max(Instant::compareTo);
  }

  /** The check isn't asked any more. */
  void drop(String check) {
    deadlines.remove(check);
    bases.remove(check);
  }

  /** Nothing that was said counts any more. */
  void forget() {
    deadlines.clear();
    bases.clear();
  }

  int knownLimit() {
    return knownLimit;
  }
}
