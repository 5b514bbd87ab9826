// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http.prometheus;

import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.sdk.AssignedFlavor;
import io.github.kueue4j.sdk.AssignedPodSet;
import io.github.kueue4j.sdk.Evaluation;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The values of the placeholders of a {@link QueryTemplate}. Immutable.
 *
 * <pre>{@code
 * QueryValues.none().with(Placeholder.NAMESPACE, "team-a").withWindow(Duration.ofHours(3))
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class QueryValues {
  private static final QueryValues NONE = new QueryValues(Map.of(), Map.of(), Map.of(), null);

  private final Map<Placeholder, List<String>> texts;
  private final Map<Placeholder, BigDecimal> numbers;
  private final Map<String, BigDecimal> requests;
  private final @Nullable Duration window;

  private QueryValues(
      Map<Placeholder, List<String>> texts,
      Map<Placeholder, BigDecimal> numbers,
      Map<String, BigDecimal> requests,
      @Nullable Duration window) {
    this.texts = texts;
    this.numbers = numbers;
    this.requests = requests;
    this.window = window;
  }

  /** No value yet. */
  public static QueryValues none() {
    return NONE;
  }

  /**
   * The values that are known of a Workload that holds quota: all but {@link Placeholder#WINDOW}.
   */
  public static QueryValues of(Evaluation<?> evaluation) {
    Map<Placeholder, List<String>> texts = new EnumMap<>(Placeholder.class);
    texts.put(Placeholder.NAMESPACE, List.of(evaluation.namespace()));
    texts.put(Placeholder.WORKLOAD, List.of(evaluation.key().name()));
    texts.put(
        Placeholder.QUEUE,
        List.of(Objects.requireNonNullElse(evaluation.workload().spec().queueName(), "")));
    texts.put(Placeholder.CLUSTER_QUEUE, List.of(clusterQueue(evaluation)));
    texts.put(
        Placeholder.FLAVOR,
        evaluation.podSets().stream()
            .flatMap(podSet -> podSet.flavors().values().stream())
            .map(AssignedFlavor::name)
            .distinct()
            .sorted()
            .toList());
    Map<Placeholder, BigDecimal> numbers = new EnumMap<>(Placeholder.class);
    numbers.put(Placeholder.PRIORITY, BigDecimal.valueOf(evaluation.priority()));
    numbers.put(
        Placeholder.PODS,
        BigDecimal.valueOf(evaluation.podSets().stream().mapToLong(AssignedPodSet::count).sum()));
    Map<String, BigDecimal> requests = new HashMap<>();
    for (Map.Entry<String, Quantity> total : evaluation.totalRequests().entrySet()) {
      requests.put(total.getKey(), total.getValue().amount());
    }
    return new QueryValues(texts, numbers, requests, null);
  }

  private static String clusterQueue(Evaluation<?> evaluation) {
    var admission = evaluation.workload().status().admission();
    return admission == null ? "" : admission.clusterQueue();
  }

  /**
   * The same with another text.
   *
   * @throws IllegalArgumentException if the placeholder stands for a number or a duration
   */
  public QueryValues with(Placeholder placeholder, String text) {
    if (placeholder.position() != Placeholder.Position.TEXT
        && placeholder.position() != Placeholder.Position.TEXTS) {
      throw new IllegalArgumentException(placeholder + " stands for no text");
    }
    Map<Placeholder, List<String>> more = new EnumMap<>(Placeholder.class);
    more.putAll(texts);
    more.put(placeholder, List.of(text));
    return new QueryValues(more, numbers, requests, window);
  }

  /**
   * The same with this {@link Placeholder#WINDOW}.
   *
   * @param length at least a millisecond, which is as fine as PromQL tells durations apart
   * @throws IllegalArgumentException if it is shorter
   */
  public QueryValues withWindow(Duration length) {
    if (length.toMillis() < 1) {
      throw new IllegalArgumentException("a window must last a millisecond at least: " + length);
    }
    return new QueryValues(texts, numbers, requests, length);
  }

  List<String> texts(Placeholder placeholder) {
    List<String> known = texts.get(placeholder);
    if (known == null) {
      throw missing(placeholder);
    }
    return new ArrayList<>(known);
  }

  BigDecimal number(Placeholder placeholder) {
    BigDecimal known = numbers.get(placeholder);
    if (known == null) {
      throw missing(placeholder);
    }
    return known;
  }

  BigDecimal request(String resource) {
    return requests.getOrDefault(resource, BigDecimal.ZERO);
  }

  Duration window() {
    if (window == null) {
      throw missing(Placeholder.WINDOW);
    }
    return window;
  }

  private static IllegalStateException missing(Placeholder placeholder) {
    return new IllegalStateException("no value was given for " + placeholder);
  }
}
