// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.ObservedAnswer;
import io.github.kueue4j.sdk.BackendUnavailableException;
import io.github.kueue4j.sdk.internal.fence.Cause;
import io.github.kueue4j.sdk.maintenance.Maintenance;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The metrics of a check controller. The meters of evaluations carry the name of the
 * AdmissionCheck.
 */
final class CheckMetrics {

  /** The outcome of a revocation that was written. */
  static final String REVOCATION_WRITTEN = "written";

  private final MeterRegistry registry;
  private final String controller;

  CheckMetrics(MeterRegistry registry, String controller) {
    this.registry = registry;
    this.controller = controller;
  }

  /** Times one evaluation. */
  final class Stopwatch {
    private final String check;
    private final Timer.Sample sample = Timer.start(registry);

    private Stopwatch(String check) {
      this.check = check;
    }

    /** The evaluation ended, or the guard did not let it start. */
    void stop(Guard.Outcome<?> outcome) {
      String result =
          switch (outcome) {
            case Guard.Outcome.Answered<?> answered -> "answered";
            case Guard.Outcome.Failed<?> failed -> "failed";
            case Guard.Outcome.CircuitOpen<?> open -> "left_alone";
            case Guard.Outcome.Busy<?> busy -> "busy";
            case Guard.Outcome.StillRunning<?> running -> "busy";
          };
      sample.stop(
          Timer.builder("kueue4j.check.evaluation")
              .description("Evaluations by what came of them, and how long they took")
              .tag("controller", controller)
              .tag("check", check)
              .tag("result", result)
              .publishPercentileHistogram()
              .register(registry));
    }
  }

  /**
   * Shows the state of a check's circuit breaker.
   *
   * @return removes the gauge again
   */
  Runnable breaker(String check, Supplier<String> state) {
    List<Gauge> gauges =
        Stream.of(Guard.CLOSED, Guard.HALF_OPEN, Guard.OPEN)
            .map(
                one ->
                    Gauge.builder(
                            "kueue4j.check.circuit.breaker", () -> state.get().equals(one) ? 1 : 0)
                        .description("1 for the state that the check's circuit breaker is in")
                        .tag("controller", controller)
                        .tag("check", check)
                        .tag("state", one)
                        .register(registry))
            .toList();
    return () -> gauges.forEach(registry::remove);
  }

  /**
   * Shows whether a check's backend answered when it was last asked.
   *
   * @return removes the gauge again
   */
  Runnable backend(String check, Supplier<Number> reachable) {
    Gauge gauge =
        Gauge.builder("kueue4j.check.backend.reachable", reachable)
            .description("1 if the check's backend answered when it was last asked, otherwise 0")
            .tag("controller", controller)
            .tag("check", check)
            .register(registry);
    return () -> registry.remove(gauge);
  }

  /** Starts the time of an evaluation. */
  Stopwatch start(String check) {
    return new Stopwatch(check);
  }

  /** An evaluation failed, or its verdict could not be written. */
  void failed(String check, Exception cause) {
    Counter.builder("kueue4j.check.failures")
        .description("Evaluations that failed, by reason")
        .tag("controller", controller)
        .tag("check", check)
        .tag("reason", reason(cause))
        .register(registry)
        .increment();
  }

  private static String reason(Exception cause) {
    return switch (cause) {
      case BackendUnavailableException unavailable -> "BackendUnavailable";
      case TimeoutException late -> "Timeout";
      case RefusedVerdictException refused -> "RefusedVerdict";
      default -> "Exception";
    };
  }

  /** A {@link Maintenance} failed for one object. */
  void maintenanceFailed(String work, Exception cause) {
    Counter.builder("kueue4j.check.maintenance.failures")
        .description("Maintenance of an object that failed or took too long, by reason")
        .tag("controller", controller)
        .tag("work", work)
        .tag("reason", reason(cause))
        .register(registry)
        .increment();
  }

  /** Delays that a check had asked for and that were ended early; counted from zero. */
  Counter delaysEnded(String check) {
    return Counter.builder("kueue4j.check.delays.ended")
        .description("Delays of the check's own that ended early")
        .tag("controller", controller)
        .tag("check", check)
        .register(registry);
  }

  /** A verdict that was written; {@code reason} is empty for a Ready or a Pending. */
  void written(String check, AdmissionCheckState entry, String reason) {
    Counter.builder("kueue4j.check.verdicts")
        .description("Verdicts written, by state and reason")
        .tag("controller", controller)
        .tag("check", check)
        .tag("state", entry.state().value())
        .tag("reason", reason)
        .register(registry)
        .increment();
  }

  /** Counts the answer that a check in the mode Observe would have given; it was recorded. */
  void observed(String check, ObservedAnswer answer) {
    Counter.builder("kueue4j.check.observed")
        .description("What checks in the mode Observe would have answered, by state and reason")
        .tag("controller", controller)
        .tag("check", check)
        .tag("state", answer.state().value())
        .tag("reason", answer.reason())
        .register(registry)
        .increment();
  }

  /** Counts revocations from zero, so that the first one is an increase. */
  void revocationsOf(String check) {
    revocations(check, REVOCATION_WRITTEN);
    for (Revocations.Obstacle obstacle : Revocations.Obstacle.values()) {
      revocations(check, obstacle.label());
    }
  }

  /** A Ready was to be taken back, and this came of it. */
  void revocation(String check, String outcome) {
    revocations(check, outcome).increment();
  }

  private Counter revocations(String check, String outcome) {
    return Counter.builder("kueue4j.check.revocations")
        .description("Answers that take back a Ready, by what came of them")
        .tag("controller", controller)
        .tag("check", check)
        .tag("outcome", outcome)
        .register(registry);
  }

  /** A verdict that came too late. */
  void dropped(String check, Cause cause) {
    Counter.builder("kueue4j.check.verdicts.dropped")
        .description("Verdicts that came too late to be written, by cause")
        .tag("controller", controller)
        .tag("check", check)
        .tag("cause", cause.label())
        .register(registry)
        .increment();
  }
}
