// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.consumption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.ledger.Rate;
import io.github.kueue4j.budget.ledger.Reservations;
import io.github.kueue4j.budget.ledger.Terms;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.http.AddressRange;
import io.github.kueue4j.http.AddressRules;
import io.github.kueue4j.http.HttpBackends;
import io.github.kueue4j.http.SecretTexts;
import io.github.kueue4j.sdk.BackendUnavailableException;
import io.github.kueue4j.testdefaults.RealPrometheus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * What the real Prometheus says of two hours in which pods of two namespaces and two LocalQueues
 * ran, scraped as from kube-state-metrics.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RealPrometheusConsumptionTest {

  /** That of docs/guides/budget-check.md. */
  private static final String PER_QUEUE =
      """
      sum_over_time((sum(
          max by (namespace, pod, container) (
            kube_pod_container_resource_requests{namespace="{{namespace}}", resource="cpu"})
        * on (namespace, pod) group_left ()
          max by (namespace, pod) (kube_pod_status_phase{namespace="{{namespace}}", phase="Running"})
        * on (namespace, pod) group_left ()
          max by (namespace, pod) (
            kube_pod_labels{namespace="{{namespace}}", label_kueue_x_k8s_io_queue_name="{{queue}}"})
      ))[{{window}}:1m]) / 60 or 0 * count(kube_pod_labels)
      """;

  private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
  private RealPrometheus server;
  private HttpBackends backends;
  private MeasuredConsumption consumption;

  @BeforeAll
  void start() {
    StringBuilder history = new StringBuilder();
    for (int ago = 180; ago >= 0; ago--) {
      long millis = now.minus(Duration.ofMinutes(ago)).toEpochMilli();
      boolean running = ago <= 120 && ago > 60;
      pod(history, "team-a", "short", "training", 2, running, millis);
      pod(history, "team-a", "long", "inference", 1, ago <= 120, millis);
      pod(history, "team-b", "other", "training", 8, running, millis);
    }
    backends =
        HttpBackends.of(
            SecretTexts.none(),
            AddressRules.defaults().allowing(AddressRange.parse("127.0.0.1/32")));
    server = RealPrometheus.startWith(history.toString());
    consumption = new MeasuredConsumption(backends);
  }

  @AfterAll
  void stop() {
    backends.close();
    if (server != null) {
      server.close();
    }
  }

  private static void pod(
      StringBuilder history,
      String namespace,
      String name,
      String queue,
      int cpus,
      boolean running,
      long millis) {
    String pod = "namespace=\"" + namespace + "\",pod=\"" + name + "\"";
    line(
        history,
        "kube_pod_container_resource_requests{"
            + pod
            + ",container=\"main\",resource=\"cpu\",unit=\"core\"}",
        cpus,
        millis);
    line(history, "kube_pod_status_phase{" + pod + ",phase=\"Running\"}", running ? 1 : 0, millis);
    line(
        history,
        "kube_pod_labels{" + pod + ",label_kueue_x_k8s_io_queue_name=\"" + queue + "\"}",
        1,
        millis);
  }

  private static void line(StringBuilder history, String series, int value, long millis) {
    history.append(series).append(' ').append(value).append(' ').append(millis).append('\n');
  }

  @Test
  void aNamespaceHasUsedWhatItsPodsDidNotWhatThoseOfOthersDid() throws InterruptedException {
    Policy policy = policy(Map.of("readyMade", "kube-state-metrics-cpu-hours"), "Namespace");

    // 2 CPUs for an hour and 1 CPU for two.
    assertThat(units(consumption.spent(policy, "team-a", "training", now, () -> {}), ""))
        .isCloseTo(4, within(0.2));
    assertThat(units(consumption.spent(policy, "team-b", "training", now, () -> {}), ""))
        .isCloseTo(8, within(0.2));
    assertThat(units(consumption.spent(policy, "team-c", "training", now, () -> {}), "")).isZero();
  }

  @Test
  void eachLocalQueueHasUsedWhatItsOwnPodsDid() throws InterruptedException {
    Policy policy = policy(Map.of("query", PER_QUEUE), "LocalQueue");

    consumption.spent(policy, "team-a", "training", now, () -> {});
    Map<String, Amount> both = consumption.spent(policy, "team-a", "inference", now, () -> {});

    assertThat(both).containsOnlyKeys("training", "inference");
    assertThat(units(both, "training")).isCloseTo(2, within(0.1));
    assertThat(units(both, "inference")).isCloseTo(2, within(0.1));
    assertThat(consumption.last(policy, "team-a", now)).isEqualTo(both);
    assertThat(units(consumption.spent(policy, "team-b", "training", now, () -> {}), "training"))
        .isCloseTo(8, within(0.2));
  }

  @Test
  void onlyTheWindowCounts() throws InterruptedException {
    // The window of an hour begins up to 1/48 of it earlier.
    Policy lastHour = policy(Map.of("readyMade", "kube-state-metrics-cpu-hours"), "1h");

    assertThat(units(consumption.spent(lastHour, "team-b", "training", now, () -> {}), ""))
        .isLessThan(0.4);
  }

  @Test
  void aQueryThatPrometheusRefusesIsNoZero() {
    Policy broken = policy(Map.of("query", "sum(cpu{namespace=\"{{namespace}}\"}"), "Namespace");

    assertThatThrownBy(() -> consumption.spent(broken, "team-a", "training", now, () -> {}))
        .isInstanceOf(ConsumptionUnknownException.class)
        .hasMessageContaining("Prometheus refused it (bad_data)");
  }

  /** The server lives, and gives the same sum for ever: see the last policy, which can't know. */
  @Test
  void whenTheExporterHasDiedNothingIsMeasured() throws InterruptedException {
    Instant later = now.plus(Duration.ofMinutes(10));
    String query =
        "sum_over_time(sum(kube_pod_status_phase{namespace=\"{{namespace}}\"})[{{window}}:1m])";
    String fresh = "count(count_over_time(kube_pod_labels[3m]))";
    String ofOne = fresh.replace("labels[", "labels{namespace=\"{{namespace}}\"}[");

    for (Map<String, Object> asked :
        List.<Map<String, Object>>of(
            Map.of("readyMade", "kube-state-metrics-cpu-hours"),
            Map.of("query", query, "fresh", fresh))) {
      Policy policy = policy(asked, "Namespace");
      assertThat(consumption.spent(policy, "team-b", "training", now, () -> {})).isNotEmpty();
      assertThatThrownBy(() -> consumption.spent(policy, "team-b", "training", later, () -> {}))
          .isInstanceOf(BackendUnavailableException.class)
          .hasMessageContaining("can't be measured")
          .hasMessageContaining("see that the exporter runs");
    }
    Policy own = policy(Map.of("query", query, "fresh", ofOne), "Namespace");
    assertThat(consumption.spent(own, "team-b", "training", now, () -> {})).isNotEmpty();
    // Other namespaces may have what this one hasn't.
    assertThatThrownBy(() -> consumption.spent(own, "team-c", "training", now, () -> {}))
        .isInstanceOf(ConsumptionUnknownException.class)
        .hasMessageContaining("spec.consumption.fresh gives no data");
    Policy unchecked = policy(Map.of("query", query), "Namespace");
    assertThat(consumption.spent(unchecked, "team-b", "training", later, () -> {}))
        .isEqualTo(consumption.spent(own, "team-b", "training", now, () -> {}));
  }

  /**
   * Jobs of 20 s, which no scrape saw, and one that ended half a minute ago, after the last sample:
   * the ledger knows them. What ran beside them only the measurement knows.
   */
  @Test
  void whatNoScrapeSawCounts() throws InterruptedException {
    Policy policy = policy(Map.of("readyMade", "kube-state-metrics-cpu-hours"), "Namespace");
    Terms terms = policy.terms(List.of()).orElseThrow();
    Ledger ledger = Ledger.empty().roll(terms, now);
    for (int job = 0; job < 90; job++) {
      ledger = ran(ledger, terms, "brief" + job, 12, now.minusSeconds(30), Duration.ofSeconds(20));
    }
    Ledger unseen = ran(ledger, terms, "late", 6, now.minusSeconds(30), Duration.ofHours(1));

    assertThat(spent(unseen, terms, policy, "team-c")).isCloseTo(12, within(0.001));
    // 8 CPU-hours were measured.
    assertThat(spent(unseen, terms, policy, "team-b")).isCloseTo(12, within(0.001));
    assertThat(spent(ledger, terms, policy, "team-b")).isCloseTo(8, within(0.2));
  }

  private static Ledger ran(
      Ledger ledger, Terms terms, String uid, int cpus, Instant end, Duration length) {
    Instant begin = end.minus(length);
    Rate rate = new Rate(BigInteger.valueOf(cpus * 1_000_000L));
    return ledger
        .with(Reservations.of(uid, "q", rate, length, begin))
        .start(uid, begin)
        .settle(uid, end, terms);
  }

  private double spent(Ledger ledger, Terms terms, Policy policy, String namespace)
      throws InterruptedException {
    Map<String, Amount> measured = consumption.spent(policy, namespace, "training", now, () -> {});
    return ledger.use(terms.withMeasured(measured), now, "").spent().toDouble();
  }

  private static double units(Map<String, Amount> spent, String queue) {
    return Objects.requireNonNull(spent.get(queue)).toDouble();
  }

  /**
   * A policy whose rolling window covers all that was scraped.
   *
   * @param scope of the limit; or the length of another window
   */
  private Policy policy(Map<String, Object> query, String scope) {
    boolean shorter = scope.equals("1h");
    Map<String, Object> asked = new HashMap<>(query);
    asked.put("endpoint", Map.of("url", server.uri().toString()));
    return Policy.of(
        CustomResource.of(
            Policy.POLICIES,
            new V1ObjectMeta().name("measured-" + query.hashCode() + scope.length()),
            Map.of(
                "limit",
                100,
                "per",
                shorter ? "Namespace" : scope,
                "window",
                Map.of("type", "Rolling", "length", shorter ? "1h" : "4h"),
                "consumption",
                asked)));
  }
}
