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
package io.github.kueue4j.testkit.conformance;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import io.github.kueue4j.testkit.script.StepFailedException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Asks the controller about Workloads, and waits for its word or for its silence. */
final class Asking {
  private final Ground ground;
  private final Duration quiet;
  private final Duration patience;
  private int count;

  Asking(Ground ground, Duration quiet, Duration patience) {
    this.ground = ground;
    this.quiet = quiet;
    this.patience = patience;
  }

  /** Reserves a new Workload and waits for the controller's word. */
  Optional<PlayedWorkload> answered() {
    PlayedWorkload workload = reserved("asked");
    return isAnswered(workload) ? Optional.of(workload) : Optional.empty();
  }

  PlayedWorkload reserved(String name) {
    return unasked(name).reserve(ground.check(), ground.otherCheck());
  }

  /** A new Workload with a name of its own, about which nobody is asked yet. */
  PlayedWorkload unasked(String name) {
    count++;
    return ground.workload(name + '-' + count);
  }

  boolean isAnswered(PlayedWorkload workload) {
    try {
      workload.await(
          "an answer of " + ground.check(),
          read ->
              read.status()
                  .admissionCheck(ground.check())
                  .filter(entry -> !entry.is(CheckState.PENDING) || !entry.message().isEmpty())
                  .isPresent());
      return true;
    } catch (StepFailedException tooLate) {
      return false;
    }
  }

  /** In whichever version of the API the controller speaks. */
  static String statusPath(PlayedWorkload workload) {
    return "/namespaces/"
        + workload.key().namespace()
        + "/workloads/"
        + workload.key().name()
        + "/status";
  }

  <T> Optional<T> waitFor(Supplier<Optional<T>> question) {
    return ground.script().history().await(patience, question);
  }

  void settle() {
    try {
      Thread.sleep(quiet);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for silence", e);
    }
  }
}
