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

  private record Measurement(ConsumptionSpec asked, Amount spent, Instant at) {}

  private final HttpBackends backends;
  private final Map<Account, Measurement> measurements = new ConcurrentHashMap<>();

  /** Asks through these backends. */
  public PrometheusConsumption(HttpBackends backends) {
    this.backends = backends;
  }

  @Override
  public Optional<Amount> spent(Policy policy, String namespace, Instant now)
      throws InterruptedException {
    Optional<ConsumptionSpec> spec = policy.spec().consumption();
    if (spec.isEmpty()) {
      return Optional.empty();
    }
    Account account = new Account(policy.name(), namespace);
    @Nullable Measurement known = measurements.get(account);
    Instant start = policy.window().start(now);
    if (known != null
        && known.asked().equals(spec.get())
        && !known.at().isBefore(start)
        // A measurement of the future is from before the clock was set back.
        && Duration.between(known.at(), now).abs().compareTo(FRESH) < 0) {
      return Optional.of(known.spent());
    }
    Amount spent = measured(policy, spec.get(), namespace, start, now);
    measurements.put(account, new Measurement(spec.get(), spent, now));
    return Optional.of(spent);
  }

  @Override
  public Optional<Amount> last(Policy policy, String namespace, Instant now) {
    @Nullable Measurement known = measurements.get(new Account(policy.name(), namespace));
    return known == null
            || policy.spec().consumption().filter(known.asked()::equals).isEmpty()
            || known.at().isBefore(policy.window().start(now))
        ? Optional.empty()
        : Optional.of(known.spent());
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
      Policy policy, ConsumptionSpec spec, String namespace, Instant start, Instant now)
      throws InterruptedException {
    Duration length = Duration.between(start, now);
    Duration window = length.toSeconds() < 1 ? Duration.ofSeconds(1) : length;
    QueryValues values =
        QueryValues.none().with(Placeholder.NAMESPACE, namespace).withWindow(window);
    try {
      OptionalDouble amount =
          PrometheusClient.at(backends, spec.endpoint())
              .query(spec.template().fill(values), now)
              .amount();
      if (amount.isEmpty()) {
        throw new ConsumptionUnknownException(
            "The query of the BudgetPolicy '"
                + policy.name()
                + "' gives no data for the namespace: see that Prometheus scrapes what it asks for");
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
