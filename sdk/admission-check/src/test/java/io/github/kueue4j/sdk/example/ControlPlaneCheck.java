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
package io.github.kueue4j.sdk.example;

import io.github.kueue4j.sdk.BackendHealth;
import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.ProbingCheck;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import java.time.Duration;
import java.util.function.DoubleSupplier;

/** An example of the guide. */
// region plane
public final class ControlPlaneCheck implements ProbingCheck<NoParameters> {
  private static final double TOO_MUCH = 0.8;

  private final DoubleSupplier stress;

  /**
   * @param stress of the control plane, 0 to 1; not a number where nobody knows
   */
  public ControlPlaneCheck(DoubleSupplier stress) {
    this.stress = stress;
  }

  @Override
  public Verdict evaluate(Evaluation<NoParameters> evaluation) {
    double now = stress.getAsDouble();
    if (now < TOO_MUCH) {
      return Verdict.ready("The control plane has room.");
    }
    Backoff delay = Backoff.proportional(Duration.ofSeconds(30), Duration.ofMinutes(10), now);
    return Verdict.retry(Reason.of("UnderStress"), "The control plane is under stress.", delay);
  }

  @Override
  public BackendHealth probe(String check, NoParameters parameters) {
    return Double.isNaN(stress.getAsDouble())
        ? BackendHealth.down(Reason.of("NoMetrics"), "Nobody measures the control plane.")
        : BackendHealth.up();
  }
}
// endregion plane
