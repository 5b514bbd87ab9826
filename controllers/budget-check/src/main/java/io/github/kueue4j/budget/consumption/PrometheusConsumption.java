// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.consumption;

import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.budget.ledger.Amount;
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
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What Prometheus has measured, for policies that name a server; the ledger's numbers for others. A
 * measurement serves for half a minute. One of samples that are known not to be fresh is none.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class PrometheusConsumption implements Consumption {

  private static final Duration FRESH = Duration.ofSeconds(30);
  private static final BigDecimal LARGEST = BigDecimal.TEN.pow(12);
  private static final int DECIMALS = 6;

  /** A query with one of these is about one namespace. */
  private static final Set<Placeholder> OF_ONE = Set.of(Placeholder.NAMESPACE, Placeholder.QUEUE);

  private record Account(String policy, String namespace) {}

  private record Measurement(ConsumptionSpec asked, Amount spent, Instant at) {
    boolean serves(Policy policy, Instant start) {
      return policy.spec().consumption().filter(asked::equals).isPresent() && !at.isBefore(start);
    }
  }

  private final HttpBackends backends;

  // By LocalQueue; of the namespace as a whole under the empty one.
  private final Map<Account, Map<String, Measurement>> measurements = new ConcurrentHashMap<>();

  /** Asks through these backends. */
  public PrometheusConsumption(HttpBackends backends) {
    this.backends = backends;
  }

  @Override
  public Map<String, Amount> spent(
      Policy policy, String namespace, String queue, Instant now, Runnable answered)
      throws InterruptedException {
    Optional<ConsumptionSpec> spec = policy.spec().consumption();
    if (spec.isEmpty()) {
      return Map.of();
    }
    String asked = policy.perQueue() ? queue : "";
    Instant start = policy.window().start(now);
    Map<String, Measurement> known =
        measurements.computeIfAbsent(
            new Account(policy.name(), namespace), account -> new ConcurrentHashMap<>());
    @Nullable Measurement last = known.get(asked);
    if (last == null
        || !last.serves(policy, start)
        // A measurement of the future is from before the clock was set back.
        || Duration.between(last.at(), now).abs().compareTo(FRESH) >= 0) {
      known.values().removeIf(old -> !old.serves(policy, start));
      Question question = Question.of(spec.get(), namespace, asked, start, now);
      known.put(asked, new Measurement(spec.get(), measured(policy, question, now, answered), now));
    }
    return last(policy, namespace, now);
  }

  @Override
  public Map<String, Amount> last(Policy policy, String namespace, Instant now) {
    Instant start = policy.window().start(now);
    Map<String, Amount> spent = new HashMap<>();
    measurements
        .getOrDefault(new Account(policy.name(), namespace), Map.of())
        .forEach(
            (queue, known) -> {
              if (known.serves(policy, start)) {
                spent.put(queue, known.spent());
              }
            });
    return Map.copyOf(spent);
  }

  @Override
  public void forgetNamespace(String namespace) {
    measurements.keySet().removeIf(account -> account.namespace().equals(namespace));
  }

  @Override
  public void forgetPolicy(String policy) {
    measurements.keySet().removeIf(account -> account.policy().equals(policy));
  }

  /**
   * What is asked of a server.
   *
   * @param values of all placeholders that its queries may have
   */
  private record Question(ConsumptionSpec spec, String queue, QueryValues values) {
    static Question of(
        ConsumptionSpec spec, String namespace, String queue, Instant start, Instant now) {
      Duration length = Duration.between(start, now);
      return new Question(
          spec,
          queue,
          QueryValues.none()
              .with(Placeholder.NAMESPACE, namespace)
              .with(Placeholder.QUEUE, queue)
              .withWindow(length.toSeconds() < 1 ? Duration.ofSeconds(1) : length));
    }
  }

  private Amount measured(Policy policy, Question question, Instant now, Runnable answered)
      throws InterruptedException {
    try {
      Amount spent = measured(policy, question, now);
      answered.run();
      return spent;
    } catch (ConsumptionUnknownException e) {
      // That is an answer, too.
      answered.run();
      throw e;
    } catch (BackendUnavailableException e) {
      throw new BackendUnavailableException(cantBeMeasured(policy, e.getMessage()), e);
    }
  }

  private Amount measured(Policy policy, Question question, Instant now)
      throws InterruptedException {
    PrometheusClient client = PrometheusClient.at(backends, question.spec().endpoint());
    try {
      requireFresh(policy, client, question, now);
      OptionalDouble amount =
          client.query(question.spec().template().fill(question.values()), now).amount();
      if (amount.isEmpty()) {
        throw new ConsumptionUnknownException(noData(policy, question));
      }
      return bounded(amount.getAsDouble());
    } catch (PrometheusException e) {
      throw new ConsumptionUnknownException(cantBeMeasured(policy, e.getMessage()), e);
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
  private static void requireFresh(
      Policy policy, PrometheusClient client, Question question, Instant now)
      throws InterruptedException {
    Optional<QueryTemplate> fresh = question.spec().freshness();
    if (fresh.isEmpty()) {
      return;
    }
    List<Sample> samples = client.query(fresh.get().fill(question.values()), now).samples();
    if (!samples.isEmpty() && samples.stream().noneMatch(PrometheusConsumption::isNo)) {
      return;
    }
    if (OF_ONE.stream().anyMatch(fresh.get().placeholders()::contains)) {
      throw new ConsumptionUnknownException(cantBeMeasured(policy, stale(question.spec())));
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

  private static String cantBeMeasured(Policy policy, @Nullable String cause) {
    return "What the namespace has used under the BudgetPolicy '"
        + policy.name()
        + "' can't be measured: "
        + cause;
  }

  private static Amount bounded(double units) {
    BigDecimal amount =
        BigDecimal.valueOf(units).min(LARGEST).setScale(DECIMALS, RoundingMode.HALF_UP);
    return Amount.of(Quantity.of(amount, Quantity.Format.DECIMAL_SI));
  }
}
