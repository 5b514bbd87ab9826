// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The budgets that pages look at: read when one asks, and seldom. */
final class ViewBudgets {
  /** Ledgers are large objects, and change with each Workload. */
  static final Duration SERVES = Duration.ofSeconds(30);

  /** So long it is believed whether the cluster has budgets at all. */
  static final Duration OFFERED = Duration.ofMinutes(5);

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final CostlyAnswers<String, BudgetsRead> read;
  private final CostlyAnswers<String, Boolean> offered;

  /**
   * Budgets of a cluster.
   *
   * @param namespaces those that may have any
   */
  ViewBudgets(
      BudgetReader reader,
      KubernetesApi api,
      Supplier<? extends Collection<String>> namespaces,
      InstantSource clock,
      InstantSource wireTime) {
    this.read =
        new CostlyAnswers<>(
            "report of budgets",
            SERVES,
            namespace ->
                read(
                    reader,
                    api,
                    namespace.isEmpty() ? namespaces.get() : List.of(namespace),
                    clock.instant()),
            clock,
            wireTime,
            PATIENCE);
    this.offered =
        new CostlyAnswers<>(
            "look for budgets",
            OFFERED,
            any -> {
              try {
                return reader.hasAny(api);
              } catch (KubernetesApiException e) {
                throw new ViewProblem(503, "the API server could not be asked: " + e.getMessage());
              }
            },
            clock,
            wireTime,
            PATIENCE);
  }

  /** The budgets that were read; a refusal is kept as long as an answer. */
  private record BudgetsRead(List<ShownBudget> budgets, @Nullable String refusal) {}

  /**
   * The answer.
   *
   * @param time when it was so
   */
  record BudgetsAnswer(Instant time, List<ShownBudget> budgets) {}

  /** The offer of budgets: whether the cluster has some. */
  record BudgetsOffer(Instant time, boolean offered) {}

  /**
   * The bookings, at most {@link #SERVES} old.
   *
   * @param namespace of which; empty for all
   * @throws ViewProblem if the API server doesn't tell, or others ask
   */
  BudgetsAnswer of(String namespace) {
    CostlyAnswers.TimedAnswer<BudgetsRead> found = read.of(namespace);
    String refusal = found.value().refusal();
    if (refusal != null) {
      throw new ViewProblem(503, refusal);
    }
    return new BudgetsAnswer(found.time(), found.value().budgets());
  }

  /**
   * Tells whether a page should offer budgets.
   *
   * @throws ViewProblem if the API server doesn't tell
   */
  BudgetsOffer offer() {
    CostlyAnswers.TimedAnswer<Boolean> found = offered.of("");
    return new BudgetsOffer(found.time(), found.value());
  }

  private static BudgetsRead read(
      BudgetReader reader, KubernetesApi api, Collection<String> namespaces, Instant now) {
    try {
      return new BudgetsRead(reader.read(api, namespaces, now), null);
    } catch (KubernetesApiException e) {
      return new BudgetsRead(
          List.of(),
          "the core could not read the budgets: "
              + e.getMessage()
              + (e instanceof KubernetesApiException.Forbidden
                  ? "; the chart gives it that right where kueue4j.view is served securely"
                  : ""));
    }
  }
}
