// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.forecast;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.observe.explain.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * When a Workload gets quota, counted from now.
 *
 * @param earliest at most one time in ten it is sooner: without {@code likely} all that is known, a
 *     lower bound; empty if unknown
 * @param likely half of the times it is sooner; empty if unknown
 * @param latest nine times in ten it is sooner; empty if unknown
 * @param atMost if all that comes before it takes as long as its maximum execution time allows;
 *     empty if some of that has none
 * @param obstacle why nothing is known, and what would help, as sentences; empty where something is
 *     known, and where time alone brings it none
 * @param blamed the Workload that the obstacle names; empty if none
 * @param finished how many finished Workloads of the queues that share the quota can be seen; empty
 *     if that isn't told
 * @param remarks what isn't known and may lead to another answer, as sentences without a period
 * @param delayEnds when the delay of a check's Retry ends unless a check changes it; empty if none
 *     delays it, where no end is known, and in a stopped queue. When it gets quota isn't known then
 * @param checks how long its checks take after the reservation; empty if it has none, or too little
 *     is known
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record QuotaForecast(
    Optional<Duration> earliest,
    Optional<Duration> likely,
    Optional<Duration> latest,
    Optional<Duration> atMost,
    Optional<String> obstacle,
    Optional<ObjectKey> blamed,
    OptionalInt finished,
    List<String> remarks,
    Optional<Duration> delayEnds,
    Optional<CheckDurations> checks) {
  public QuotaForecast {
    Objects.requireNonNull(earliest, "earliest");
    Objects.requireNonNull(likely, "likely");
    Objects.requireNonNull(latest, "latest");
    Objects.requireNonNull(atMost, "atMost");
    Objects.requireNonNull(obstacle, "obstacle");
    Objects.requireNonNull(blamed, "blamed");
    Objects.requireNonNull(finished, "finished");
    remarks = List.copyOf(remarks);
    Objects.requireNonNull(delayEnds, "delayEnds");
    Objects.requireNonNull(checks, "checks");
  }

  /** It has quota, or gets it with the next look. */
  static QuotaForecast atOnce() {
    Optional<Duration> none = Optional.of(Duration.ZERO);
    return new QuotaForecast(
        none,
        none,
        none,
        none,
        Optional.empty(),
        Optional.empty(),
        OptionalInt.of(0),
        List.of(),
        Optional.empty(),
        Optional.empty());
  }

  /** Time alone doesn't bring it any. */
  static QuotaForecast unknown() {
    return unknown(Optional.empty(), Optional.empty());
  }

  /** Nothing is known, for this reason, which is a sentence. */
  static QuotaForecast unknown(String obstacle) {
    return unknown(Optional.of(obstacle), Optional.empty());
  }

  /** A check delays it, as these sentences say, for so long unless a check changes that. */
  static QuotaForecast delayed(String obstacle, Optional<Duration> delayEnds) {
    return unknown(
        Optional.of(obstacle), delayEnds.map(time -> time.isNegative() ? Duration.ZERO : time));
  }

  private static QuotaForecast unknown(Optional<String> obstacle, Optional<Duration> delayEnds) {
    return new QuotaForecast(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        obstacle,
        Optional.empty(),
        OptionalInt.of(0),
        List.of(),
        delayEnds,
        Optional.empty());
  }

  /**
   * The same for a person who may see the Workloads of this namespace only: neither what those of
   * others are called, nor how many there were.
   */
  public QuotaForecast seenFrom(String namespace) {
    boolean hidden = blamed.filter(other -> !other.namespace().equals(namespace)).isPresent();
    return with(
        hidden
            ? Optional.of("Why isn't said here: that would name Workloads of other namespaces.")
            : obstacle,
        hidden ? Optional.empty() : blamed,
        OptionalInt.empty(),
        List.of(),
        checks.map(CheckDurations::uncounted));
  }

  /** The same with these remarks as well. */
  QuotaForecast remarking(List<String> more) {
    List<String> all = Stream.concat(remarks.stream(), more.stream()).toList();
    return with(obstacle, blamed, finished, all, checks);
  }

  /** The same with a reason why nothing is known, which names a Workload or none. */
  QuotaForecast hindered(String why, Optional<ObjectKey> by) {
    return with(Optional.of(why), by, finished, remarks, checks);
  }

  /** The same where its checks take so long after the reservation. */
  QuotaForecast then(Optional<CheckDurations> checks) {
    return with(obstacle, blamed, finished, remarks, checks);
  }

  private QuotaForecast with(
      Optional<String> obstacle,
      Optional<ObjectKey> blamed,
      OptionalInt finished,
      List<String> remarks,
      Optional<CheckDurations> checks) {
    return new QuotaForecast(
        earliest, likely, latest, atMost, obstacle, blamed, finished, remarks, delayEnds, checks);
  }

  /**
   * Why there is no band, as a sentence without names of Workloads and without times, so that it is
   * the same for many; empty if there is a band, or its beginning is known.
   */
  public Optional<String> reason() {
    if (earliest.isPresent()) {
      return Optional.empty();
    }
    return blamed.isPresent()
        ? Optional.of(
            "How long others take isn't known: fewer than %d of their queue had finished, and they have no maximum execution time."
                .formatted(QuotaHistory.FEWEST))
        : obstacle
            .map(CheckDelay::untimed)
            .or(
                () ->
                    Optional.of(
                        atMost.isPresent()
                            ? "Only a bound was known: when it gets quota if all take their maximum execution time, and nothing comes before it."
                            : "Time alone brings no quota."));
  }

  /** The answer in a few words, as the end of a sentence about the Workload. */
  public String answer() {
    return likely
        .map(
            time ->
                time.isZero()
                    ? "gets quota at once"
                    : "gets quota in about " + DurationText.words(time))
        .or(
            () ->
                atMost.map(
                    most ->
                        "gets quota in "
                            + DurationText.words(most)
                            + " if all take their maximum execution time"))
        .or(
            () ->
                delayEnds.map(
                    time ->
                        time.isZero()
                            ? "not known; its delay has ended"
                            : "not known; its delay ends in %s unless a check changes that"
                                .formatted(DurationText.words(time))))
        .or(
            () ->
                earliest
                    .filter(Duration::isPositive)
                    .map(
                        time ->
                            "not known, but nine times in ten not in the next "
                                + DurationText.words(time)))
        .orElse("not known");
  }

  /** The band, the bound, and on what they are founded, as lines for a person. */
  public List<String> basis() {
    List<String> lines = new ArrayList<>();
    boolean takesTime = likely.or(() -> earliest).filter(Duration::isPositive).isPresent();
    if (earliest.isPresent() && likely.isPresent() && takesTime) {
      lines.add(
          "Eight times in ten: in %s to %s"
              .formatted(
                  DurationText.words(earliest.get()),
                  latest.map(DurationText::words).orElse("no known time")));
    }
    atMost
        .filter(Duration::isPositive)
        .ifPresent(
            most ->
                lines.add(
                    "If all take their maximum execution time, and nothing comes before it: in "
                        + DurationText.words(most)));
    obstacle.ifPresent(lines::add);
    if (takesTime && finished.isPresent()) {
      lines.add(
          "Foreseen by what "
              + finished.getAsInt()
              + (finished.getAsInt() == 1 ? " Workload" : " Workloads")
              + " took that finished in queues that share the quota, and by how many come.");
    }
    checks.map(CheckDurations::words).ifPresent(lines::add);
    return List.copyOf(lines);
  }
}
