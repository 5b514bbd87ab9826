// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.consumption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.http.AddressRange;
import io.github.kueue4j.http.AddressRules;
import io.github.kueue4j.http.HttpBackends;
import io.github.kueue4j.http.HttpEndpoint;
import io.github.kueue4j.http.SecretTexts;
import io.github.kueue4j.http.prometheus.PrometheusClient;
import io.github.kueue4j.testdefaults.RealPrometheus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
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

  private final Instant now = Instant.now();
  private RealPrometheus server;
  private HttpBackends backends;
  private PrometheusConsumption consumption;

  @BeforeAll
  void start() throws InterruptedException {
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
    // On a machine with much to do, the scrape of so many lines may take longer than its timeout.
    for (int more = 0; more < 5 && !isStored(); more++) {
      server.close();
      server = RealPrometheus.startWith(history.toString());
    }
    consumption = new PrometheusConsumption(backends);
  }

  private boolean isStored() throws InterruptedException {
    return PrometheusClient.at(backends, HttpEndpoint.of(server.uri()))
        .query("count(kube_pod_labels)", now)
        .value()
        .isPresent();
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
    assertThat(units(consumption.spent(policy, "team-a", "training", now), ""))
        .isCloseTo(4, within(0.2));
    assertThat(units(consumption.spent(policy, "team-b", "training", now), ""))
        .isCloseTo(8, within(0.2));
    assertThat(units(consumption.spent(policy, "team-c", "training", now), "")).isZero();
  }

  @Test
  void eachLocalQueueHasUsedWhatItsOwnPodsDid() throws InterruptedException {
    Policy policy = policy(Map.of("query", PER_QUEUE), "LocalQueue");

    consumption.spent(policy, "team-a", "training", now);
    Map<String, Amount> both = consumption.spent(policy, "team-a", "inference", now);

    assertThat(both).containsOnlyKeys("training", "inference");
    assertThat(units(both, "training")).isCloseTo(2, within(0.1));
    assertThat(units(both, "inference")).isCloseTo(2, within(0.1));
    assertThat(consumption.last(policy, "team-a", now)).isEqualTo(both);
    assertThat(units(consumption.spent(policy, "team-b", "training", now), "training"))
        .isCloseTo(8, within(0.2));
  }

  @Test
  void onlyTheWindowCounts() throws InterruptedException {
    // The window of an hour begins up to 1/48 of it earlier.
    Policy lastHour = policy(Map.of("readyMade", "kube-state-metrics-cpu-hours"), "1h");

    assertThat(units(consumption.spent(lastHour, "team-b", "training", now), "")).isLessThan(0.4);
  }

  @Test
  void aQueryThatPrometheusRefusesIsNoZero() {
    Policy broken = policy(Map.of("query", "sum(cpu{namespace=\"{{namespace}}\"}"), "Namespace");

    assertThatThrownBy(() -> consumption.spent(broken, "team-a", "training", now))
        .isInstanceOf(ConsumptionUnknownException.class)
        .hasMessageContaining("Prometheus refused it (bad_data)");
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
