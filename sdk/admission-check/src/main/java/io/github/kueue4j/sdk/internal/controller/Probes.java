// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.sdk.BackendHealth;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.ProbingCheck;
import io.github.kueue4j.sdk.Reason;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Probes the backends of checks, at most once per interval. */
final class Probes<P> {
  private static final Reason PROBE_FAILED = Reason.of("ProbeFailed");

  private final @Nullable ProbingCheck<P> author;
  private final AuthorCalls calls;
  private final Duration interval;
  private final InstantSource time;
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();

  private record Answer(Instant at, Resolution<?> parameters, BackendHealth health) {}

  /**
   * No backend has been probed yet.
   *
   * @param time isn't set back or forward
   */
  Probes(Check<P> author, AuthorCalls calls, Duration interval, InstantSource time) {
    this.author = author instanceof ProbingCheck<P> probing ? probing : null;
    this.calls = calls;
    this.interval = interval;
    this.time = time;
  }

  /** The health of the check's backend; up if the check has no probe. */
  BackendHealth health(String check, Resolution.Found<P> parameters) throws InterruptedException {
    if (author == null) {
      return BackendHealth.up();
    }
    @Nullable Answer before = answers.get(check);
    if (before != null
        && before.parameters.readsAs(parameters)
        && before.at.plus(interval).isAfter(time.instant())) {
      return before.health;
    }
    BackendHealth health = ask(author, check, parameters.value());
    answers.put(check, new Answer(time.instant(), parameters, health));
    return health;
  }

  /**
   * When the check's backend is probed next, by the same time; empty if it never was, and while
   * there are no parameters to probe it with.
   */
  Optional<Instant> next(String check, Resolution<P> parameters) {
    return parameters instanceof Resolution.Found<P>
        ? Optional.ofNullable(answers.get(check)).map(answer -> answer.at.plus(interval))
        : Optional.empty();
  }

  private BackendHealth ask(ProbingCheck<P> probing, String check, P parameters)
      throws InterruptedException {
    Optional<AuthorCalls.Turn> turn = calls.turn(AuthorCalls.Subject.check(check), () -> {});
    if (turn.isEmpty()) {
      return down("an earlier probe has not returned");
    }
    try {
      @Nullable BackendHealth health = turn.get().call(() -> probing.probe(check, parameters));
      return health == null ? down("probe returned null") : health;
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      return down(PlainWords.of(e));
    }
  }

  private static BackendHealth down(String cause) {
    return BackendHealth.down(
        PROBE_FAILED, "the backend could not be probed; correct it or the check's probe: " + cause);
  }
}
