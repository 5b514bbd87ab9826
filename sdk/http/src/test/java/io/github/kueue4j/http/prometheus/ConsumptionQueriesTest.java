// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.kueue4j.http.AddressRange;
import io.github.kueue4j.http.AddressRules;
import io.github.kueue4j.http.HttpBackends;
import io.github.kueue4j.http.HttpEndpoint;
import io.github.kueue4j.http.SecretTexts;
import io.github.kueue4j.http.prometheus.ConsumptionQueries.ConsumptionQuery;
import io.github.kueue4j.testdefaults.RealPrometheus;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each ready-made query on three hours of series in the exporter's own form. In them the pod {@code
 * train-0} of team-a ran from 120 to 60 minutes ago. Nothing is exposed after them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsumptionQueriesTest {
  private final Instant now = Instant.now().truncatedTo(ChronoUnit.MINUTES);

  private RealPrometheus server;
  private HttpBackends backends;
  private PrometheusClient client;

  @BeforeAll
  void start() {
    StringBuilder history = new StringBuilder();
    for (int ago = 180; ago >= 0; ago--) {
      long millis = now.minus(Duration.ofMinutes(ago)).toEpochMilli();
      Consumer<String> line = text -> history.append(text).append(' ').append(millis).append('\n');
      boolean running = ago <= 120 && ago > 60;
      kubeStateMetrics(line, running);
      kubelet(line, ago);
      openCost(line, running);
      dcgm(line, running);
      measuredByNode2(line, ago);
    }
    server = RealPrometheus.startWith(history.toString());
    backends =
        HttpBackends.of(
            SecretTexts.none(),
            AddressRules.defaults().allowing(AddressRange.parse("127.0.0.1/32")));
    client = PrometheusClient.at(backends, HttpEndpoint.of(server.uri()));
  }

  @AfterAll
  void stop() {
    if (server != null) {
      backends.close();
      server.close();
    }
  }

  /** Labels and phases as in docs/metrics/workload/pod-metrics.md of kube-state-metrics. */
  private static void kubeStateMetrics(Consumer<String> line, boolean running) {
    String pod = "namespace=\"team-a\",pod=\"train-0\",uid=\"u-1\"";
    requests(line, pod + ",container=\"main\",node=\"node1\",resource=\"cpu\",unit=\"core\"", "2");
    requests(line, pod + ",container=\"log\",node=\"node1\",resource=\"cpu\",unit=\"core\"", "0.5");
    requests(
        line,
        pod + ",container=\"main\",node=\"node1\",resource=\"memory\",unit=\"byte\"",
        "4e+09");
    requests(
        line,
        pod + ",container=\"main\",node=\"node1\",resource=\"nvidia_com_gpu\",unit=\"integer\"",
        "3");
    phase(line, pod, "Running", running);
    phase(line, pod, "Succeeded", !running);
    String waiting = "namespace=\"team-a\",pod=\"train-1\",uid=\"u-2\"";
    requests(line, waiting + ",container=\"main\",node=\"\",resource=\"cpu\",unit=\"core\"", "64");
    phase(line, waiting, "Running", false);
    phase(line, waiting, "Pending", true);
    String foreign = "namespace=\"team-b\",pod=\"web-0\",uid=\"u-3\"";
    requests(
        line, foreign + ",container=\"main\",node=\"node1\",resource=\"cpu\",unit=\"core\"", "100");
    phase(line, foreign, "Running", true);
  }

  private static void requests(Consumer<String> line, String labels, String value) {
    line.accept("kube_pod_container_resource_requests{" + labels + "} " + value);
  }

  private static void phase(Consumer<String> line, String pod, String phase, boolean is) {
    line.accept("kube_pod_status_phase{" + pod + ",phase=\"" + phase + "\"} " + (is ? 1 : 0));
  }

  /** As cAdvisor writes it: a series for each container, one for the pod, one for its sandbox. */
  private static void kubelet(Consumer<String> line, int ago) {
    if (ago <= 120 && ago >= 60) {
      int seconds = 30 * (120 - ago);
      String pod = "cpu=\"total\",namespace=\"team-a\",pod=\"train-0\"";
      line.accept(cpuSeconds("main", "registry/train:1", pod, seconds));
      line.accept(cpuSeconds("POD", "registry/pause:3.9", pod, 1));
      line.accept(cpuSeconds("", "", pod, seconds + 1));
    }
    line.accept(
        cpuSeconds(
            "main", "web:1", "cpu=\"total\",namespace=\"team-b\",pod=\"web-0\"", 60 * (180 - ago)));
  }

  private static String cpuSeconds(String container, String image, String pod, int seconds) {
    return "container_cpu_usage_seconds_total{container=\"%s\",id=\"/kubepods/%s\",image=\"%s\",%s} %d"
        .formatted(container, container, image, pod, seconds);
  }

  /** As pkg/costmodel/metrics.go of OpenCost registers them. */
  private static void openCost(Consumer<String> line, boolean running) {
    if (running) {
      String labels =
          "{container=\"main\",instance=\"node1\",namespace=\"team-a\",node=\"node1\",pod=\"train-0\"} ";
      line.accept("container_cpu_allocation" + labels + "2");
      line.accept("container_memory_allocation_bytes" + labels + (4L << 30));
      line.accept("container_gpu_allocation" + labels + "3");
    }
    line.accept(
        "container_cpu_allocation{container=\"main\",instance=\"node1\",namespace=\"team-b\",node=\"node1\",pod=\"web-0\"} 100");
    String node =
        "{arch=\"amd64\",instance=\"node1\",instance_type=\"g5\",node=\"node1\",provider_id=\"x\",region=\"eu\"} ";
    line.accept("node_cpu_hourly_cost" + node + "0.03");
    line.accept("node_ram_hourly_cost" + node + "0.004");
    line.accept("node_gpu_hourly_cost" + node + "0.95");
  }

  /** As the README of dcgm-exporter shows it; a GPU without a pod has no labels of one. */
  private static void dcgm(Consumer<String> line, boolean running) {
    if (running) {
      String pod = ",container=\"main\",namespace=\"team-a\",pod=\"train-0\"} ";
      line.accept(gpu(0) + pod + "50");
      line.accept(gpu(1) + pod + "100");
      // Shared with another pod by time-slicing.
      line.accept(gpu(1) + pod.replace("train-0", "train-9") + "100");
    }
    line.accept(gpu(2) + "} 0");
  }

  /** In team-d a pod runs on a node whose exporters have been down for the last ten minutes. */
  private static void measuredByNode2(Consumer<String> line, int ago) {
    boolean up = ago >= 10;
    String target = "job=\"node\",instance=\"node2:1\"";
    line.accept("up{" + target + "} " + (up ? 1 : 0));
    if (up) {
      String pod = target + ",namespace=\"team-d\",pod=\"train-0\",container=\"main\"";
      requests(line, pod + ",resource=\"cpu\"", "1");
      phase(line, pod, "Running", true);
      line.accept("container_cpu_usage_seconds_total{" + pod + "} " + 60 * (180 - ago));
      line.accept("DCGM_FI_DEV_GPU_UTIL{UUID=\"GPU-9\"," + pod + "} 100");
    }
  }

  private static String gpu(int number) {
    return "DCGM_FI_DEV_GPU_UTIL{gpu=\"%1$d\",UUID=\"GPU-%1$d\",pci_bus_id=\"00000000:0%1$d:00.0\",device=\"nvidia%1$d\",modelName=\"Tesla T4\",Hostname=\"node1\",DCGM_FI_DRIVER_VERSION=\"550.54.15\""
        .formatted(number);
  }

  @ParameterizedTest
  @CsvSource({
    "kube-state-metrics-cpu-hours, CPU-hours, 2.5",
    "kube-state-metrics-gpu-hours, GPU-hours, 3",
    "kubelet-cpu-hours, CPU-hours, 0.5",
    "opencost-cost, currency, 2.926",
    "dcgm-gpu-hours, GPU-hours, 2",
    "dcgm-busy-gpu-hours, GPU-hours, 1.5",
  })
  void whatRanForAnHourIsCounted(String name, String unit, double expected) throws Exception {
    ConsumptionQuery query = ConsumptionQueries.named(name);

    assertThat(query.unit()).isEqualTo(unit);
    // A minute is seen or not at either end.
    assertThat(consumed(query, "team-a", Duration.ofHours(3), now))
        .hasValueCloseTo(expected, within(expected / 25));
    if (!name.startsWith("kubelet")) {
      assertThat(consumed(query, "team-a", Duration.ofMinutes(90), now))
          .hasValueCloseTo(expected / 2, within(expected / 25));
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void aNamespaceWithoutPodsHasConsumedNothing(String name) throws Exception {
    ConsumptionQuery query = ConsumptionQueries.named(name);

    assertThat(consumed(query, "team-c", Duration.ofHours(3), now)).hasValue(0);
  }

  @ParameterizedTest
  @MethodSource("names")
  void withoutTheExporterThereIsNoData(String name) throws Exception {
    ConsumptionQuery query = ConsumptionQueries.named(name);
    Instant before = now.minus(Duration.ofHours(5));

    assertThat(consumed(query, "team-a", Duration.ofMinutes(30), before)).isEmpty();
  }

  static Iterable<String> names() {
    return ConsumptionQueries.names();
  }

  /** The exporter dies, and Prometheus lives: the sum that it gives stays what it was. */
  @ParameterizedTest
  @MethodSource("names")
  void whenTheExporterHasDiedNothingIsFresh(String name) throws Exception {
    ConsumptionQuery query = ConsumptionQueries.named(name);
    String fresh = query.fresh().fill(QueryValues.none());
    Instant later = now.plus(Duration.ofMinutes(10));

    assertThat(client.query(fresh, now).samples()).hasSize(1);
    assertThat(client.query(fresh, now.plus(Duration.ofMinutes(2))).samples()).hasSize(1);
    assertThat(client.query(fresh, later).samples()).isEmpty();
    assertThat(consumed(query, "team-a", Duration.ofMinutes(190), later).orElseThrow())
        .isPositive();
  }

  /** OpenCost, one target for all nodes, is not among them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "kube-state-metrics-cpu-hours",
        "kube-state-metrics-gpu-hours",
        "kubelet-cpu-hours",
        "dcgm-gpu-hours",
        "dcgm-busy-gpu-hours"
      })
  void whileATargetThatMeasuredTheNamespaceIsDownThereIsNoData(String name) throws Exception {
    ConsumptionQuery query = ConsumptionQueries.named(name);
    Duration day = Duration.ofHours(3);

    assertThat(consumed(query, "team-d", day, now.minus(Duration.ofMinutes(9)))).isPresent();
    assertThat(consumed(query, "team-d", day, now)).isEmpty();
    assertThat(consumed(query, "team-a", day, now)).isPresent();
  }

  @Test
  void anUnknownNameListsTheKnownOnes() {
    assertThatThrownBy(() -> ConsumptionQueries.named("opencost-costs"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'opencost-cost' is meant?")
        .hasMessageContaining("kubelet-cpu-hours, opencost-cost");
  }

  private OptionalDouble consumed(
      ConsumptionQuery query, String namespace, Duration window, Instant at)
      throws InterruptedException {
    QueryValues values =
        QueryValues.none().with(Placeholder.NAMESPACE, namespace).withWindow(window);
    return client.query(query.template().fill(values), at).amount();
  }
}
