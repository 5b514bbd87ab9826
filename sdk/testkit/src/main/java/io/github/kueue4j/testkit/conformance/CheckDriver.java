// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.conformance;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import io.github.kueue4j.testkit.script.StepFailedException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Asks the controller about Workloads, and waits for its word or for its silence. */
final class CheckDriver {
  private final Fixture fixture;
  private final Duration quiet;
  private final Duration patience;
  private final Silence silence;
  private int count;

  CheckDriver(Fixture fixture, Duration quiet, Duration patience, Silence silence) {
    this.fixture = fixture;
    this.quiet = quiet;
    this.patience = patience;
    this.silence = silence;
  }

  /** How long the controller may take for an answer. */
  Duration patience() {
    return patience;
  }

  /** Reserves a new Workload and waits for the controller's word. */
  Optional<PlayedWorkload> answered() {
    PlayedWorkload workload = reserved("asked");
    return isAnswered(workload) ? Optional.of(workload) : Optional.empty();
  }

  PlayedWorkload reserved(String name) {
    return unasked(name).reserve(fixture.check(), fixture.otherCheck());
  }

  /** A new Workload with a name of its own, about which no check is asked yet. */
  PlayedWorkload unasked(String name) {
    count++;
    return fixture.workload(name + '-' + count);
  }

  boolean isAnswered(PlayedWorkload workload) {
    try {
      return waitFor(
              () ->
                  workload
                      .read()
                      .status()
                      .admissionCheck(fixture.check())
                      .filter(entry -> !entry.is(CheckState.PENDING) || !entry.message().isEmpty()))
          .isPresent();
    } catch (StepFailedException gone) {
      return false;
    }
  }

  /** In whichever version of the API the controller speaks. */
  static String statusPath(PlayedWorkload workload) {
    return "/namespaces/%s/workloads/%s/status"
        .formatted(workload.key().namespace(), workload.key().name());
  }

  /** Asks until there is an answer; empty if there is none in time, or none can come. */
  <T> Optional<T> waitFor(Supplier<Optional<T>> question) {
    return fixture
        .script()
        .history()
        .await(
            patience,
            () -> {
              // First, so that the question sees all that was written until then.
              boolean last = silence.isCertain();
              Optional<T> answer = question.get();
              return answer.isPresent() || last ? Optional.of(answer) : Optional.empty();
            })
        .orElse(Optional.empty());
  }

  void settle() {
    try {
      silence.await(quiet);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for silence", e);
    }
  }
}
