/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.sdk.controller;

import io.github.kueue4j.sdk.AdmissionCheck;
import io.github.kueue4j.sdk.BackendHealth;
import io.github.kueue4j.sdk.ProbingCheck;
import io.github.kueue4j.sdk.Reason;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Asks the backends of checks how they are, not more often than at an interval. */
final class Probes<P> {
  private static final Reason PROBE_FAILED = Reason.of("ProbeFailed");

  private final @Nullable ProbingCheck<P> author;
  private final AuthorCalls calls;
  private final Duration interval;
  private final InstantSource time;
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();

  private record Answer(Instant at, String parameters, BackendHealth health) {}

  Probes(AdmissionCheck<P> author, AuthorCalls calls, Duration interval, InstantSource time) {
    this.author = author instanceof ProbingCheck<P> probing ? probing : null;
    this.calls = calls;
    this.interval = interval;
    this.time = time;
  }

  /** How the check's backend is; up where nobody can tell. */
  BackendHealth health(String check, Resolution.Found<P> parameters) throws InterruptedException {
    if (author == null) {
      return BackendHealth.up();
    }
    @Nullable Answer before = answers.get(check);
    if (before != null
        && before.parameters.equals(parameters.version())
        && before.at.plus(interval).isAfter(time.instant())) {
      return before.health;
    }
    BackendHealth health = ask(author, check, parameters.value());
    answers.put(check, new Answer(time.instant(), parameters.version(), health));
    return health;
  }

  /** When the check's backend is asked next; empty if it never was. */
  Optional<Instant> next(String check) {
    return Optional.ofNullable(answers.get(check)).map(answer -> answer.at.plus(interval));
  }

  private BackendHealth ask(ProbingCheck<P> probing, String check, P parameters)
      throws InterruptedException {
    Optional<AuthorCalls.Turn> turn = calls.turn(AuthorCalls.Subject.check(check), () -> {});
    if (turn.isEmpty()) {
      return down("an earlier probe has not come back");
    }
    try {
      @Nullable BackendHealth health = turn.get().call(() -> probing.probe(check, parameters));
      return health == null ? down("probe returned null") : health;
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      return down(e.getClass().getSimpleName() + ": " + e.getMessage());
    }
  }

  private static BackendHealth down(String cause) {
    return BackendHealth.down(
        PROBE_FAILED, "the backend could not be probed; mend it or the check's probe: " + cause);
  }
}
