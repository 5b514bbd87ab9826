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
import io.github.kueue4j.http.prometheus.QueryValues;
import io.github.kueue4j.sdk.BackendUnavailableException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What Prometheus has measured, for policies that name a server; the ledger's numbers for others. A
 * measurement serves for half a minute.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class PrometheusConsumption implements Consumption {

  private static final Duration FRESH = Duration.ofSeconds(30);
  private static final BigDecimal LARGEST = BigDecimal.TEN.pow(12);
  private static final int DECIMALS = 6;

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
  public Map<String, Amount> spent(Policy policy, String namespace, String queue, Instant now)
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
      Amount spent = measured(policy, spec.get(), namespace, asked, start, now);
      known.put(asked, new Measurement(spec.get(), spent, now));
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

  private Amount measured(
      Policy policy,
      ConsumptionSpec spec,
      String namespace,
      String queue,
      Instant start,
      Instant now)
      throws InterruptedException {
    Duration length = Duration.between(start, now);
    Duration window = length.toSeconds() < 1 ? Duration.ofSeconds(1) : length;
    QueryValues values =
        QueryValues.none()
            .with(Placeholder.NAMESPACE, namespace)
            .with(Placeholder.QUEUE, queue)
            .withWindow(window);
    try {
      OptionalDouble amount =
          PrometheusClient.at(backends, spec.endpoint())
              .query(spec.template().fill(values), now)
              .amount();
      if (amount.isEmpty()) {
        throw new ConsumptionUnknownException(
            "The query of the BudgetPolicy '"
                + policy.name()
                + "' gives no data for the "
                + (queue.isEmpty() ? "namespace" : "LocalQueue '" + queue + "'")
                + ": see that Prometheus scrapes what it asks for");
      }
      return bounded(amount.getAsDouble());
    } catch (PrometheusException e) {
      throw new ConsumptionUnknownException(cantBeMeasured(policy, e), e);
    } catch (BackendUnavailableException e) {
      throw new BackendUnavailableException(cantBeMeasured(policy, e), e);
    }
  }

  private static String cantBeMeasured(Policy policy, RuntimeException cause) {
    return "What the namespace has used under the BudgetPolicy '"
        + policy.name()
        + "' can't be measured: "
        + cause.getMessage();
  }

  private static Amount bounded(double units) {
    BigDecimal amount =
        BigDecimal.valueOf(units).min(LARGEST).setScale(DECIMALS, RoundingMode.HALF_UP);
    return Amount.of(Quantity.of(amount, Quantity.Format.DECIMAL_SI));
  }
}
