// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.consumption;

import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.policy.ConsumptionSpec;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.http.HttpBackends;
import io.github.kueue4j.sdk.BackendUnavailableException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The consumption that Prometheus or another service has measured, for policies that name one; the
 * ledger's numbers for others. A measurement serves for half a minute. One that is known not to be
 * fresh is none.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class MeasuredConsumption implements Consumption {

  private static final Duration FRESH = Duration.ofSeconds(30);
  private static final BigDecimal LARGEST = BigDecimal.TEN.pow(12);
  private static final int DECIMALS = 6;

  private record Account(String policy, String namespace) {}

  private record Measurement(ConsumptionSpec asked, Amount spent, Instant at) {
    boolean serves(Policy policy, Instant start) {
      return policy.spec().consumption().filter(asked::equals).isPresent() && !at.isBefore(start);
    }
  }

  private final PrometheusSource prometheus;
  private final ServiceSource services;

  // By LocalQueue; of the namespace as a whole under the empty one.
  private final Map<Account, Map<String, Measurement>> measurements = new ConcurrentHashMap<>();

  /** Asks through these backends. */
  public MeasuredConsumption(HttpBackends backends) {
    this.prometheus = new PrometheusSource(backends);
    this.services = new ServiceSource(backends);
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
      Question question = new Question(spec.get(), namespace, asked, start, now);
      known.put(asked, new Measurement(spec.get(), measured(policy, question, answered), now));
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

  private Amount measured(Policy policy, Question question, Runnable answered)
      throws InterruptedException {
    try {
      double spent =
          question.spec().http().isPresent()
              ? services.spent(policy, question)
              : prometheus.spent(policy, question);
      answered.run();
      return bounded(spent);
    } catch (ConsumptionUnknownException e) {
      // That is an answer, too.
      answered.run();
      throw e;
    } catch (BackendUnavailableException e) {
      throw new BackendUnavailableException(cantBeMeasured(policy, e.getMessage()), e);
    }
  }

  static String cantBeMeasured(Policy policy, @Nullable String cause) {
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
