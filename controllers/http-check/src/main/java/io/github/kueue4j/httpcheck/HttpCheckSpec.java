// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.httpcheck;

import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.http.HttpEndpoint;
import io.github.kueue4j.http.Unavailability;
import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.Circumstances;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The spec of an HttpCheck: an endpoint that decides which Workloads may start.
 *
 * @param endpoint the server that is asked
 * @param method how it is asked; absent: POST
 * @param send what the document of a POST holds beside name, queue, priority and requests; absent:
 *     labels
 * @param healthPath a path on the same server that answers 200 to 299 while the endpoint works;
 *     absent: it isn't asked
 * @param retries how often a request that got no answer is sent again at once, 0 to 5; absent: 1
 * @param requestsPerMinute how often the endpoint is asked at most, 1 to 6000; absent: any number
 * @param failurePolicy what an endpoint without a usable answer means; absent: Fail
 * @param unavailable with the failure policy Fail: for how long a Workload keeps its quota then,
 *     and gives it back; absent: as the guards say
 * @param backoff how long a Workload waits after a Retry that names no time
 * @param longestDelay the longest delay that the endpoint may ask for; absent: 24 h
 * @param pendingEvery when to ask again after a Pending that names no time; absent: 30 s
 * @param recheckReady whether Workloads that were let through are asked about again; absent: no
 * @param allowPodSetUpdates whether the endpoint may change pods; absent: no
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record HttpCheckSpec(
    HttpEndpoint endpoint,
    Optional<Method> method,
    Optional<Send> send,
    Optional<String> healthPath,
    Optional<Integer> retries,
    Optional<Integer> requestsPerMinute,
    Optional<FailurePolicy> failurePolicy,
    Optional<Unavailability> unavailable,
    Optional<Delays> backoff,
    Optional<Duration> longestDelay,
    Optional<Duration> pendingEvery,
    Optional<Boolean> recheckReady,
    Optional<Boolean> allowPodSetUpdates) {

  private static final int MOST_RETRIES = 5;
  private static final int MOST_PER_MINUTE = 6000;
  private static final Duration LONGEST_DELAY = Duration.ofDays(365);

  /** An answer that wants to be asked again at once would be evicted and queued in a circle. */
  private static final Duration SHORTEST_DELAY = Duration.ofSeconds(1);

  /** How the endpoint is asked. */
  public enum Method {
    /** With a document about the Workload. */
    POST,
    /** With its name, namespace and UID in the query. */
    GET
  }

  /** The meaning of an endpoint without a usable answer. */
  public enum FailurePolicy {
    /** The Workload stays Pending, and is sent back once the error budget is spent. */
    FAIL,
    /** The Workload is let through. */
    IGNORE
  }

  /**
   * The optional parts of the document.
   *
   * @param labels whether the Workload's labels are sent; absent: yes
   * @param annotations the keys of the annotations that are sent
   */
  public record Send(Optional<Boolean> labels, Set<String> annotations) {
    static final Send USUAL = new Send(Optional.empty(), Set.of());
  }

  /**
   * A delay that grows with the attempts.
   *
   * @param base on the first attempt; absent: 30 s
   * @param factor of each attempt's delay to the one before, 1 to 10; absent: 2
   * @param max the longest; absent: 30 min
   */
  public record Delays(Optional<Duration> base, Optional<Double> factor, Optional<Duration> max) {
    private static final Duration BASE = Duration.ofSeconds(30);
    private static final Duration MAX = Duration.ofMinutes(30);
    static final Delays USUAL = new Delays(Optional.empty(), Optional.empty(), Optional.empty());

    /**
     * @throws InvalidFieldException if a value is out of bounds
     */
    public Delays {
      refuse("base", base);
      refuse("max", max);
      factor
          .filter(value -> !(value >= 1 && value <= 10))
          .ifPresent(
              value -> {
                throw new InvalidFieldException("factor", value.toString(), "write 1 to 10");
              });
      Duration first = base.orElse(BASE);
      if (first.compareTo(max.orElse(MAX)) > 0) {
        throw new InvalidFieldException(
            "base", first.toString(), "write a base of at most max; absent, they are 30s and 30m");
      }
    }

    Backoff asBackoff() {
      return Backoff.exponential(base.orElse(BASE), factor.orElse(2.0)).atMost(max.orElse(MAX));
    }
  }

  /**
   * @throws InvalidFieldException if a value is out of bounds
   */
  public HttpCheckSpec {
    refuse("longestDelay", longestDelay);
    refuse("pendingEvery", pendingEvery);
    retries
        .filter(number -> number < 0 || number > MOST_RETRIES)
        .ifPresent(
            number -> {
              throw new InvalidFieldException(
                  "retries", number.toString(), "write 0 to " + MOST_RETRIES);
            });
    requestsPerMinute
        .filter(number -> number < 1 || number > MOST_PER_MINUTE)
        .ifPresent(
            number -> {
              throw new InvalidFieldException(
                  "requestsPerMinute", number.toString(), "write 1 to " + MOST_PER_MINUTE);
            });
    if (send.isPresent() && method.filter(Method.GET::equals).isPresent()) {
      throw new InvalidFieldException(
          "send",
          "given with method GET",
          "leave out send, or write method: POST, since a GET sends no document");
    }
    if (unavailable.isPresent() && failurePolicy.filter(FailurePolicy.IGNORE::equals).isPresent()) {
      throw new InvalidFieldException(
          "unavailable", "given with failurePolicy Ignore", Unavailability.UNUSED);
    }
    HttpEndpoint server = endpoint;
    healthPath.ifPresent(
        path -> {
          if (!path.startsWith("/") || path.contains("?") || path.contains("#")) {
            throw new InvalidFieldException("healthPath", path, "write a path such as /healthz");
          }
          server.withPath(path);
        });
  }

  /** An endpoint with the defaults for all else. */
  public static HttpCheckSpec of(HttpEndpoint endpoint) {
    return new HttpCheckSpec(
        endpoint,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  int sendings() {
    return 1 + retries.orElse(1);
  }

  /**
   * The part of the time of an evaluation for each sending, so that the last one ends before it.
   */
  Duration callLimit(Duration evaluation) {
    return evaluation.multipliedBy(9).dividedBy(10L * sendings());
  }

  /** The parts without an effect. */
  List<String> remarks(Circumstances at) {
    return Stream.of(
            at.late("spec.endpoint.timeout", endpoint.ownTimeout(), callLimit(at.timeout())),
            at.cut("spec.backoff.max", backoff.flatMap(Delays::max)),
            at.cut("spec.longestDelay", longestDelay))
        .flatMap(Optional::stream)
        .toList();
  }

  boolean ignoresFailures() {
    return failurePolicy.orElse(FailurePolicy.FAIL) == FailurePolicy.IGNORE;
  }

  Unavailability whileUnavailable() {
    return unavailable.orElse(Unavailability.USUAL);
  }

  Backoff retryBackoff() {
    return backoff.orElse(Delays.USUAL).asBackoff();
  }

  Duration delayLimit() {
    return longestDelay.orElse(Duration.ofHours(24));
  }

  /** The delay that the endpoint asks for, within its limits. */
  Duration limited(Duration asked) {
    if (asked.compareTo(SHORTEST_DELAY) < 0) {
      return SHORTEST_DELAY;
    }
    return asked.compareTo(delayLimit()) > 0 ? delayLimit() : asked;
  }

  /** When to ask again after a Pending: the limits are for what the endpoint asks for only. */
  Duration pendingIn(Optional<Duration> asked) {
    return asked.map(this::limited).or(() -> pendingEvery).orElse(Duration.ofSeconds(30));
  }

  boolean rechecksReady() {
    return recheckReady.orElse(false);
  }

  boolean allowsUpdates() {
    return allowPodSetUpdates.orElse(false);
  }

  /** The keys of the annotations that are sent, in order. */
  List<String> sentAnnotations() {
    return send.orElse(Send.USUAL).annotations().stream().sorted().toList();
  }

  boolean sendsLabels() {
    return send.orElse(Send.USUAL).labels().orElse(true);
  }

  private static void refuse(String field, Optional<Duration> duration) {
    duration
        .filter(
            value ->
                value.compareTo(Duration.ofSeconds(1)) < 0 || value.compareTo(LONGEST_DELAY) > 0)
        .ifPresent(
            value -> {
              throw new InvalidFieldException(
                  field, value.toString(), "write a duration from 1s to 8760h, such as 30s");
            });
  }
}
