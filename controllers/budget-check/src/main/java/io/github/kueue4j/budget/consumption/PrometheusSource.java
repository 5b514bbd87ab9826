// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.consumption;

import io.github.kueue4j.budget.policy.ConsumptionSpec;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.http.HttpBackends;
import io.github.kueue4j.http.prometheus.Placeholder;
import io.github.kueue4j.http.prometheus.PrometheusClient;
import io.github.kueue4j.http.prometheus.PrometheusException;
import io.github.kueue4j.http.prometheus.QueryTemplate;
import io.github.kueue4j.http.prometheus.QueryValues;
import io.github.kueue4j.http.prometheus.Sample;
import io.github.kueue4j.sdk.BackendUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** Prometheus servers, which are asked in PromQL. */
final class PrometheusSource {

  /** A query with one of these is about one namespace. */
  private static final Set<Placeholder> OF_ONE = Set.of(Placeholder.NAMESPACE, Placeholder.QUEUE);

  private final HttpBackends backends;

  PrometheusSource(HttpBackends backends) {
    this.backends = backends;
  }

  /**
   * Finite and not negative.
   *
   * @throws ConsumptionUnknownException if it can't be told for this namespace
   * @throws BackendUnavailableException if it can't be told for any
   */
  double spent(Policy policy, Question question) throws InterruptedException {
    PrometheusClient client =
        PrometheusClient.at(backends, question.spec().endpoint().orElseThrow());
    try {
      requireFresh(policy, client, question);
      OptionalDouble amount =
          client.query(question.spec().template().fill(values(question)), question.now()).amount();
      if (amount.isEmpty()) {
        throw new ConsumptionUnknownException(noData(policy, question));
      }
      return amount.getAsDouble();
    } catch (PrometheusException e) {
      throw new ConsumptionUnknownException(
          MeasuredConsumption.cantBeMeasured(policy, e.getMessage()), e);
    }
  }

  private static String noData(Policy policy, Question question) {
    return "The query of the BudgetPolicy '"
        + policy.name()
        + "' gives no data for the "
        + (question.queue().isEmpty() ? "namespace" : "LocalQueue '" + question.queue() + "'")
        + question
            .spec()
            .readyMade()
            .map(name -> ": a target of its exporter is down (see 'up' in Prometheus)")
            .orElse(": see that Prometheus scrapes what it asks for");
  }

  /**
   * A server that lives goes on giving the last sum when what it scraped is gone. Where the same is
   * asked for all namespaces, it is so for all.
   */
  private static void requireFresh(Policy policy, PrometheusClient client, Question question)
      throws InterruptedException {
    Optional<QueryTemplate> fresh = question.spec().freshness();
    if (fresh.isEmpty()) {
      return;
    }
    List<Sample> samples =
        client.query(fresh.get().fill(values(question)), question.now()).samples();
    if (!samples.isEmpty() && samples.stream().noneMatch(PrometheusSource::isNo)) {
      return;
    }
    if (OF_ONE.stream().anyMatch(fresh.get().placeholders()::contains)) {
      throw new ConsumptionUnknownException(
          MeasuredConsumption.cantBeMeasured(policy, stale(question.spec())));
    }
    throw new BackendUnavailableException(stale(question.spec()));
  }

  private static String stale(ConsumptionSpec spec) {
    return spec.readyMade()
        .map(name -> "for three minutes there was no sample of what '" + name + "' reads")
        .orElse("spec.consumption.fresh gives no data, or 0, so what the query reads is stale")
        .concat(": see that the exporter runs and that Prometheus scrapes it");
  }

  private static boolean isNo(Sample sample) {
    return sample.value() == 0 || Double.isNaN(sample.value());
  }

  /** All placeholders that a query may have. */
  private static QueryValues values(Question question) {
    Duration length = Duration.between(question.start(), question.now());
    return QueryValues.none()
        .with(Placeholder.NAMESPACE, question.namespace())
        .with(Placeholder.QUEUE, question.queue())
        .withWindow(length.toSeconds() < 1 ? Duration.ofSeconds(1) : length);
  }
}
