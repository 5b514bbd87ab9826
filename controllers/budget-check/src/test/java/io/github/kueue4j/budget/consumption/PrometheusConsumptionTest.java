// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.consumption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.http.AddressRange;
import io.github.kueue4j.http.AddressRules;
import io.github.kueue4j.http.HttpBackends;
import io.github.kueue4j.http.SecretTexts;
import io.github.kueue4j.sdk.BackendUnavailableException;
import io.github.kueue4j.testdefaults.FakePrometheus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PrometheusConsumptionTest {

  private static final Instant NOW = Instant.parse("2026-06-01T08:00:00Z");

  private final FakePrometheus prometheus = FakePrometheus.start();
  private final MeasuredConsumption consumption =
      new MeasuredConsumption(
          HttpBackends.of(
              SecretTexts.none(),
              AddressRules.defaults().allowing(AddressRange.parse("127.0.0.0/8"))));

  @AfterEach
  void end() {
    prometheus.close();
  }

  @Test
  void oneNamespaceWithoutDataSpeaksNotAgainstTheServer() {
    prometheus.values();

    assertThatThrownBy(() -> consumption.spent(policy(), "team-a", "q", NOW, () -> {}))
        .isInstanceOf(ConsumptionUnknownException.class)
        .isNotInstanceOf(BackendUnavailableException.class)
        .hasMessageContaining("gives no data");
  }

  @Test
  void neitherDoesAQueryThatFails() {
    prometheus.body(
        422, "{\"status\":\"error\",\"errorType\":\"execution\",\"error\":\"too many samples\"}");

    assertThatThrownBy(() -> consumption.spent(policy(), "team-a", "q", NOW, () -> {}))
        .isInstanceOf(ConsumptionUnknownException.class)
        .isNotInstanceOf(BackendUnavailableException.class)
        .hasMessageContaining("Prometheus refused it (execution)")
        .hasMessageNotContaining("too many samples");
  }

  /** A store of Thanos that is down: the sum of the others would leave a budget too much. */
  @Test
  void anAnswerWithWarningsIsNoMeasurement() throws InterruptedException {
    prometheus.values("7");
    assertThat(consumption.spent(policy(), "team-a", "q", NOW, () -> {})).isNotEmpty();
    prometheus.body(
        200,
        "{\"status\":\"success\",\"warnings\":[\"a store is down\"],\"data\":{\"resultType\":"
            + "\"vector\",\"result\":[{\"metric\":{},\"value\":[1,\"3\"]}]}}");

    assertThatThrownBy(
            () ->
                consumption.spent(
                    policy(), "team-a", "q", NOW.plus(Duration.ofMinutes(1)), () -> {}))
        .isInstanceOf(BackendUnavailableException.class)
        .hasMessageContaining("can't be measured")
        .hasMessageContaining("gave warnings with the answer")
        .hasMessageNotContaining("store");
  }

  @Test
  void aServerThatIsDownIsDownForAll() {
    prometheus.body(503, "down");

    assertThatThrownBy(() -> consumption.spent(policy(), "team-a", "q", NOW, () -> {}))
        .isInstanceOf(BackendUnavailableException.class)
        .hasMessageContaining("can't be measured");
  }

  @Test
  void whatWasMeasuredOfNamespacesAndPoliciesThatAreGoneIsDropped() throws InterruptedException {
    prometheus.values("7");
    consumption.spent(policy(), "team-a", "q", NOW, () -> {});
    consumption.spent(policy(), "team-b", "q", NOW, () -> {});

    consumption.forgetNamespace("team-a");

    assertThat(consumption.last(policy(), "team-a", NOW)).isEmpty();
    assertThat(consumption.last(policy(), "team-b", NOW)).containsEntry("", Amount.units(7));
    consumption.forgetPolicy("measured");
    assertThat(consumption.last(policy(), "team-b", NOW)).isEmpty();
  }

  @Test
  void aMeasurementFromBeforeTheClockWasSetBackIsNotFresh() throws InterruptedException {
    prometheus.values("7");
    consumption.spent(policy(), "team-a", "q", NOW, () -> {});
    prometheus.values("8");

    Instant back = NOW.minus(Duration.ofHours(1));
    assertThat(consumption.spent(policy(), "team-a", "q", back, () -> {}))
        .containsEntry("", Amount.units(8));
  }

  private Policy policy() {
    return Policy.of(
        CustomResource.of(
            Policy.POLICIES,
            new V1ObjectMeta().name("measured"),
            Map.of(
                "limit",
                100,
                "window",
                Map.of("type", "Daily"),
                "consumption",
                Map.of(
                    "endpoint",
                    Map.of("url", prometheus.uri().toString()),
                    "query",
                    "vector(0)"))));
  }
}
