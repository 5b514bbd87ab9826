// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Guards;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Verdict;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/** Guards in simulated time, and evaluations to send through them. */
class GuardFixture {

  static final Verdict FINE = Verdict.ready("fine");

  /** What an author does who knows no better. */
  @SuppressWarnings("NullAway")
  static final Check<NoParameters> SPEECHLESS = evaluation -> null;

  static final Check<NoParameters> BROKEN =
      evaluation -> {
        throw new IOException("broken");
      };

  final ManualTime time = ManualTime.create();
  final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  final Queue<Error> fatal = new ConcurrentLinkedQueue<>();
  final FatalErrors fatalErrors = FatalErrors.then((thread, error) -> fatal.add(error));

  /** The state that is shown. */
  String breaker(String check) {
    return meters.get("kueue4j.check.circuit.breaker").tag("check", check).gauges().stream()
        .filter(gauge -> gauge.value() == 1)
        .map(gauge -> String.valueOf(gauge.getId().getTag("state")))
        .collect(Collectors.joining());
  }

  GuardSet guards(Guards guards) {
    return new GuardSet(
        "example.com/test",
        guards,
        time,
        new CheckMetrics(meters, "example.com/test"),
        fatalErrors);
  }

  static Evaluation<NoParameters> evaluation() {
    return evaluation("name");
  }

  static Evaluation<NoParameters> evaluation(String workload) {
    return evaluation("ns", workload);
  }

  static Evaluation<NoParameters> evaluation(String namespace, String workload) {
    return new Evaluation<>(
        "one",
        Workload.named(namespace, workload),
        List.of(),
        AdmissionCheckState.pending("one", Instant.EPOCH),
        NoParameters.INSTANCE,
        Instant.EPOCH,
        Instant.EPOCH);
  }
}
