// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.prometheuscheck;

import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.http.HttpEndpoint;
import io.github.kueue4j.http.Unavailability;
import io.github.kueue4j.http.prometheus.ControlPlaneQueries;
import io.github.kueue4j.http.prometheus.Placeholder;
import io.github.kueue4j.http.prometheus.QueryTemplate;
import io.github.kueue4j.sdk.Circumstances;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The spec of a {@code PrometheusCheck}.
 *
 * @param endpoint the Prometheus server
 * @param query PromQL with placeholders; each series that it gives must fulfil the condition
 * @param readyMade instead of it, the name of one of the {@link ControlPlaneQueries}
 * @param readyWhen the condition: {@code <}, {@code <=}, {@code >} or {@code >=} and a number
 * @param holdsFor how long the condition must have held without interruption before a Workload
 *     starts, at most 24 h; absent: it holds now
 * @param workloads which Workloads the check asks about; absent: all
 * @param delay how long the others wait; absent: a backoff
 * @param noData what it means that the query gives no number; absent: Pending
 * @param failurePolicy what it means that Prometheus can't be asked, or refuses the query; absent:
 *     Fail
 * @param unavailable with the failure policy Fail: for how long a Workload keeps its quota then,
 *     and gives it back; absent: as the guards say
 * @param recheckReady whether Workloads that were let through are asked about again; absent: no
 * @param cacheFor for how long Workloads that ask the same share an answer, at most 5 min, those
 *     that were let through 5 s; absent: 5 s
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PrometheusCheckSpec(
    HttpEndpoint endpoint,
    Optional<String> query,
    Optional<String> readyMade,
    String readyWhen,
    Optional<Duration> holdsFor,
    Optional<ConcernedWorkloads> workloads,
    Optional<RetryDelay> delay,
    Optional<NoDataPolicy> noData,
    Optional<FailurePolicy> failurePolicy,
    Optional<Unavailability> unavailable,
    Optional<Boolean> recheckReady,
    Optional<Duration> cacheFor) {
  private static final Set<Placeholder> PLACEHOLDERS =
      EnumSet.complementOf(EnumSet.of(Placeholder.WINDOW));
  private static final Duration LONGEST_HOLD = Duration.ofHours(24);
  private static final Duration LONGEST_CACHE = Duration.ofMinutes(5);

  /** The meaning of a query without data. */
  public enum NoDataPolicy {
    /** The Workload keeps its quota and waits for a number. */
    PENDING,
    /** The Workload is let through. */
    READY,
    /** The Workload gives its quota back and waits as if the stress were full. */
    RETRY
  }

  /** The meaning of a query that can't be asked. */
  public enum FailurePolicy {
    /** The Workload waits, and gives its quota back when the error budget is spent. */
    FAIL,
    /** The Workload is let through. */
    IGNORE
  }

  /**
   * @throws InvalidFieldException if a field makes no sense; the message says what to write
   */
  public PrometheusCheckSpec {
    if (query.isPresent() == readyMade.isPresent()) {
      throw new InvalidFieldException(
          "query and readyMade",
          query.isPresent() ? "given together" : "absent",
          "write exactly one of them");
    }
    if (unavailable.isPresent() && failurePolicy.filter(FailurePolicy.IGNORE::equals).isPresent()) {
      throw new InvalidFieldException(
          "unavailable", "given with failurePolicy Ignore", Unavailability.UNUSED);
    }
    query.ifPresent(text -> valid("query", text, () -> QueryTemplate.parse(text, PLACEHOLDERS)));
    readyMade.ifPresent(name -> valid("readyMade", name, () -> ControlPlaneQueries.named(name)));
    Threshold threshold = refuseThreshold(readyWhen);
    if (holdsFor.isPresent()
        && (holdsFor.get().toMillis() < 1000 || holdsFor.get().compareTo(LONGEST_HOLD) > 0)) {
      throw new InvalidFieldException(
          "holdsFor", holdsFor.get().toString(), "write a duration from 1s to 24h, such as 2m");
    }
    if (cacheFor.isPresent()
        && (cacheFor.get().isNegative() || cacheFor.get().compareTo(LONGEST_CACHE) > 0)) {
      throw new InvalidFieldException(
          "cacheFor", cacheFor.get().toString(), "write a duration from 0s to 5m, such as 5s");
    }
    delay
        .flatMap(RetryDelay::proportional)
        .map(RetryDelay.Proportional::stressedAt)
        .filter(at -> !threshold.isBeyond(at))
        .ifPresent(
            at -> {
              throw new InvalidFieldException(
                  "delay.proportional.stressedAt",
                  Threshold.text(at),
                  "write a value at which "
                      + threshold
                      + " does not hold: the one where the delay is the longest");
            });
  }

  private static void valid(String field, String text, Runnable reading) {
    try {
      reading.run();
    } catch (IllegalArgumentException e) {
      throw new InvalidFieldException(field, text.strip(), String.valueOf(e.getMessage()));
    }
  }

  private static Threshold refuseThreshold(String text) {
    try {
      return Threshold.parse(text);
    } catch (IllegalArgumentException e) {
      throw new InvalidFieldException(
          "readyWhen", text, "write <, <=, > or >= and a number, such as '< 0.5'");
    }
  }

  /** The parts without an effect. */
  List<String> remarks(Circumstances at) {
    return Stream.of(
            at.misspelt("spec.workloads.minimumRequests", concerned().minimumRequests().keySet()),
            at.late("spec.endpoint.timeout", endpoint.ownTimeout(), at.timeout()))
        .flatMap(Optional::stream)
        .toList();
  }

  QueryTemplate template() {
    return QueryTemplate.parse(promql(), PLACEHOLDERS);
  }

  /** As it is written, its placeholders not filled. */
  String promql() {
    return query.or(() -> readyMade.map(ControlPlaneQueries::named)).orElseThrow();
  }

  Threshold threshold() {
    return Threshold.parse(readyWhen);
  }

  ConcernedWorkloads concerned() {
    return workloads.orElseGet(ConcernedWorkloads::all);
  }

  RetryDelay retryDelay() {
    return delay.orElseGet(RetryDelay::usual);
  }

  NoDataPolicy noDataPolicy() {
    return noData.orElse(NoDataPolicy.PENDING);
  }

  boolean ignoresFailures() {
    return failurePolicy.orElse(FailurePolicy.FAIL) == FailurePolicy.IGNORE;
  }

  Unavailability whileUnavailable() {
    return unavailable.orElse(Unavailability.USUAL);
  }

  boolean rechecksReady() {
    return recheckReady.orElse(false);
  }

  Duration sharedFor() {
    return cacheFor.orElse(Duration.ofSeconds(5));
  }
}
