// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
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
// @start region=plane
public final class ControlPlaneCheck implements ProbingCheck<NoParameters> {
  private static final double TOO_MUCH = 0.8;

  private final DoubleSupplier stress;

  /**
   * @param stress of the control plane, 0 to 1; not a number where it is not measured
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
        ? BackendHealth.down(
            Reason.of("NoMetrics"), "The stress of the control plane is not measured.")
        : BackendHealth.up();
  }
}
// @end region=plane
