// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.dependencycheck;

import io.github.kueue4j.api.InvalidFieldException;
import java.time.Duration;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The spec of a {@code DependencyCheck}.
 *
 * @param whenFailed what a Workload gets when one that it names has failed, Retry or Rejected;
 *     absent: Rejected
 * @param whenAbsent what a Workload gets when one that it names wasn't there for a minute; absent:
 *     Retry
 * @param recheckEvery how long a Workload waits at most until it is asked about again, 1 min to 24
 *     h; absent: 24 h
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record DependencyCheckSpec(
    Optional<Answer> whenFailed, Optional<Answer> whenAbsent, Optional<Duration> recheckEvery) {
  private static final Duration SHORTEST = Duration.ofMinutes(1);
  private static final Duration LONGEST = Duration.ofHours(24);

  /** The answer that a Workload gets. */
  public enum Answer {
    /** As if the other one had succeeded. */
    READY,
    /** It waits. */
    RETRY,
    /** It is deactivated. */
    REJECTED
  }

  /**
   * @throws InvalidFieldException if a field makes no sense; the message says what to write
   */
  public DependencyCheckSpec {
    if (whenFailed.filter(answer -> answer == Answer.READY).isPresent()) {
      throw new InvalidFieldException("whenFailed", "Ready", "write Retry or Rejected");
    }
    if (recheckEvery.isPresent()
        && (recheckEvery.get().compareTo(SHORTEST) < 0
            || recheckEvery.get().compareTo(LONGEST) > 0)) {
      throw new InvalidFieldException(
          "recheckEvery", recheckEvery.get().toString(), "write a duration from 1m to 24h");
    }
  }

  /** What holds where an AdmissionCheck names no parameters. */
  public static DependencyCheckSpec defaults() {
    return new DependencyCheckSpec(Optional.empty(), Optional.empty(), Optional.empty());
  }

  Answer failed() {
    return whenFailed.orElse(Answer.REJECTED);
  }

  Answer absent() {
    return whenAbsent.orElse(Answer.RETRY);
  }

  Duration longestWait() {
    return recheckEvery.orElse(LONGEST);
  }
}
