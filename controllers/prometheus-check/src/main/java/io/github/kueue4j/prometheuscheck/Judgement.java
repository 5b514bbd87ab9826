// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.prometheuscheck;

import io.github.kueue4j.http.Excerpt;
import io.github.kueue4j.http.prometheus.Sample;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The judgement about one Workload that an answer, or its absence, leads to: pure.
 *
 * @param recheck whether the Workload was let through already
 */
record Judgement(Evaluation<PrometheusCheckSpec> evaluation, boolean recheck) {
  private static final Reason NOT_MET = Reason.of("ConditionNotMet");
  private static final Reason NO_DATA = Reason.of("NoData");

  /** When a Workload is asked about again for which there is no data; spread over as long again. */
  private static final Duration NO_DATA_EVERY = Duration.ofSeconds(30);

  /** An answer. */
  Verdict of(Reading reading) {
    return reading.worst().map(this::of).orElseGet(this::noData);
  }

  private Verdict of(Sample worst) {
    Threshold threshold = spec().threshold();
    String measured = "The query gives " + Threshold.text(worst.value()) + labels(worst);
    String wanted = threshold + asOf();
    if (threshold.holds(worst.value())) {
      String message = measured + ", as wanted (" + wanted + ").";
      // A new number is no reason to write to every Workload that runs.
      return recheck ? Verdict.unchanged(message) : Verdict.ready(message);
    }
    return Verdict.retry(
        NOT_MET,
        measured + "; " + wanted + " is wanted. Asking again in {delay} (attempt {attempt}).",
        delay(worst.value()));
  }

  /** A recheck asks for the moment alone. */
  private String asOf() {
    return recheck ? "" : spec().holdsFor().map(time -> " for " + text(time)).orElse("");
  }

  private Verdict noData() {
    String message = "The query gives no number.";
    if (recheck) {
      return Verdict.unchanged(message);
    }
    return switch (spec().noDataPolicy()) {
      case READY -> Verdict.ready(message + " The PrometheusCheck lets Workloads through then.");
      case RETRY ->
          Verdict.retry(
              NO_DATA,
              message + " Asking again in {delay} (attempt {attempt}).",
              delay(Double.NaN));
      case PENDING -> Verdict.pending(message + " Waiting for one.", noDataRecheck());
    };
  }

  private Duration noDataRecheck() {
    double share = RetryDelay.share(uid(), evaluation.attempt());
    return NO_DATA_EVERY.plusMillis((long) (NO_DATA_EVERY.toMillis() * share));
  }

  /** Prometheus couldn't be asked; empty if that is a failed evaluation. */
  Optional<Verdict> failed(Exception failure) {
    if (recheck) {
      return Optional.of(Verdict.unchanged(String.valueOf(failure.getMessage())));
    }
    return spec().ignoresFailures()
        ? Optional.of(
            Verdict.ready(
                "Let through without an answer, as failurePolicy says: " + failure.getMessage()))
        : Optional.empty();
  }

  private Delay delay(double value) {
    return Delay.exactly(
        spec().retryDelay().delay(evaluation.attempt(), value, spec().threshold(), uid()));
  }

  private PrometheusCheckSpec spec() {
    return evaluation.parameters();
  }

  private String uid() {
    return Objects.requireNonNullElse(
        evaluation.workload().metadata().getUid(), evaluation.key().toString());
  }

  private static String labels(Sample sample) {
    return sample.labels().isEmpty() ? "" : " for " + Excerpt.of(sample.labelText());
  }

  private static String text(Duration time) {
    return time.toString().substring("PT".length()).toLowerCase(java.util.Locale.ROOT);
  }
}
