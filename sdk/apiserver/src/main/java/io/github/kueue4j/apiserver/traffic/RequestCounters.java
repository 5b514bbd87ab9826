// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.traffic;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.apiguardian.api.API;

/**
 * Counts answered requests, by coordinates and status code for {@code apiserver_request_total} and,
 * only here, by User-Agent. A watch counts once, when it ends or is refused. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class RequestCounters {

  /**
   * The series that requests are counted by.
   *
   * @param request whose path, namespace and name are empty
   * @param scope {@code resource} for one object, {@code namespace} or {@code cluster} for a
   *     collection, empty for non-resource requests
   * @param code HTTP status, 200 to 599
   */
  public record Series(ApiRequest request, String scope, int code) {}

  private final ConcurrentHashMap<Series, LongAdder> counts = new ConcurrentHashMap<>();

  /** Counts one answered request; called by the server. */
  @API(status = API.Status.INTERNAL)
  public void answered(ApiRequest request, int code) {
    Series series = new Series(request.anywhere(), scopeOf(request), code);
    counts.computeIfAbsent(series, key -> new LongAdder()).increment();
  }

  /** All answered requests on resources; discovery, health and metrics don't count. */
  public long total() {
    return count(RequestMatcher.anyResource());
  }

  /** Answered requests that the matcher accepts; its paths, namespaces and names are empty. */
  public long count(RequestMatcher matcher) {
    return sum(series -> matcher.matches(series.request()));
  }

  /** Answered requests with this HTTP status that the matcher accepts. */
  public long count(RequestMatcher matcher, int code) {
    return sum(series -> series.code() == code && matcher.matches(series.request()));
  }

  /** Requests on resources by User-Agent, sorted by name. */
  public Map<String, Long> byUserAgent() {
    Map<String, Long> result = new TreeMap<>();
    forEach(
        (series, count) -> {
          if (!series.request().resource().isEmpty()) {
            result.merge(series.request().userAgent(), count, Long::sum);
          }
        });
    return result;
  }

  /** Visits every series with its count. */
  public void forEach(BiConsumer<Series, Long> visitor) {
    counts.forEach((series, adder) -> visitor.accept(series, adder.sum()));
  }

  /** Starts all counts again at 0. */
  public void reset() {
    counts.clear();
  }

  private long sum(Predicate<Series> selection) {
    return counts.entrySet().stream()
        .filter(entry -> selection.test(entry.getKey()))
        .mapToLong(entry -> entry.getValue().sum())
        .sum();
  }

  private static String scopeOf(ApiRequest request) {
    if (!request.resourceRequest()) {
      return "";
    }
    if (!request.name().isEmpty()) {
      return "resource";
    }
    return request.namespace().isEmpty() ? "cluster" : "namespace";
  }
}
