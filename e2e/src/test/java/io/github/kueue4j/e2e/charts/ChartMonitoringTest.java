// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static io.github.kueue4j.e2e.charts.Chart.only;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.marcnuri.helm.TemplateCommand;
import io.github.kueue4j.e2e.charts.Chart.Rendered;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How metrics are reached and read. */
@Tag("thorough")
class ChartMonitoringTest {
  private static final Chart CORE = Chart.named("kueue-core");

  @Test
  void prometheusIsToldHowToReadMetrics() {
    assertThat(CORE.render()).noneMatch(each -> each.kind().equals("ServiceMonitor"));
    List<Rendered> objects = CORE.render(values -> values.set("enablePrometheus", true));

    assertThat(only(objects, "ServiceMonitor").tree().toString())
        .contains(
            "port=https",
            "scheme=https",
            "bearerTokenFile=/var/run/secrets/kubernetes.io/serviceaccount/token",
            "ca={secret={name=kueue-webhook-server-cert, key=ca.crt}}",
            "serverName=kueue-webhook-service.kueue-system.svc");
    assertThat(objects)
        .filteredOn(each -> each.id().equals("ClusterRoleBinding/kueue-metrics-reader-rolebinding"))
        .singleElement()
        .satisfies(
            binding ->
                assertThat(binding.tree().toString())
                    .contains("name=prometheus-k8s, namespace=monitoring"));
    String own =
        only(
                CORE.render(
                    values ->
                        values
                            .set("enablePrometheus", true)
                            .set("metrics.serviceMonitor.tlsConfig.insecureSkipVerify", true)),
                "ServiceMonitor")
            .tree()
            .toString();
    assertThat(own).contains("tlsConfig={insecureSkipVerify=true}");
  }

  @Test
  void metricsInPlainHttpNeedNoRights() {
    List<Rendered> objects =
        CORE.render(
            values ->
                values
                    .set("enablePrometheus", true)
                    .set(
                        "managerConfig.controllerManagerConfigYaml",
                        "kueue4j: {insecureMetrics: true}"));

    assertThat(objects).map(Rendered::id).noneMatch(id -> id.contains("metrics-auth"));
    assertThat(only(objects, "ServiceMonitor").tree().toString())
        .contains("scheme=http}")
        .doesNotContain("tlsConfig", "bearer");
  }

  @Test
  void withoutMetricsNeitherPortNorServiceNorRightsAreMade() {
    UnaryOperator<TemplateCommand> off =
        values ->
            values.set(
                "managerConfig.controllerManagerConfigYaml", "metrics: {bindAddress: \"0\"}");

    List<Rendered> objects = CORE.render(off);

    assertThat(objects).map(Rendered::id).noneMatch(id -> id.contains("metrics"));
    assertThat(only(objects, "Deployment").tree().toString())
        .contains("name=health")
        .doesNotContain("name=metrics");
    assertThatThrownBy(() -> CORE.render(values -> off.apply(values).set("enablePrometheus", true)))
        .hasMessageContaining("enablePrometheus needs metrics");
  }

  @Test
  void prometheusIsToldHowToReadTheChecks() {
    Chart checks = Chart.named("admission-checks");
    assertThat(checks.render()).noneMatch(each -> each.kind().equals("ServiceMonitor"));
    List<Rendered> objects =
        checks.renderWith(
            "{enablePrometheus: true, metrics: {serviceMonitor: {interval: 15s, scrapeTimeout: 5s,"
                + " labels: {release: prometheus}, metricRelabelings: [{action: drop}]}}}");

    Rendered monitor = only(objects, "ServiceMonitor");
    assertThat(String.valueOf(monitor.at("metadata", "labels")))
        .contains("\"release\":\"prometheus\"");
    assertThat(String.valueOf(monitor.at("spec", "endpoints")))
        .isEqualTo(
            "[{\"port\":\"metrics\",\"path\":\"/metrics\",\"scheme\":\"http\","
                + "\"interval\":\"15s\",\"scrapeTimeout\":\"5s\","
                + "\"metricRelabelings\":[{\"action\":\"drop\"}]}]");
    JsonObject selected =
        requireNonNull(monitor.at("spec", "selector", "matchLabels")).getAsJsonObject();
    assertThat(objects)
        .filteredOn(each -> each.kind().equals("Service"))
        .hasSize(2)
        .allSatisfy(
            service ->
                assertThat(
                        requireNonNull(service.at("metadata", "labels"))
                            .getAsJsonObject()
                            .entrySet())
                    .containsAll(selected.entrySet()));
    assertThatThrownBy(
            () -> checks.renderWith("{enablePrometheus: true, metricsService: {enabled: false}}"))
        .hasMessageContaining("set metricsService.enabled to true");
  }

  @ParameterizedTest
  @ValueSource(strings = {"kueue-core", "admission-checks"})
  void grafanaFindsTheDashboards(String chart) {
    assertThat(Chart.named(chart).render())
        .map(Rendered::name)
        .noneMatch(name -> name.contains("dashboard"));
    Rendered map =
        Chart.named(chart)
            .renderWith(
                "metrics: {dashboards: {enabled: true, namespace: monitoring, annotations: {folder: batch}}}")
            .stream()
            .filter(each -> each.name().contains("dashboard"))
            .findFirst()
            .orElseThrow();

    assertThat(map.kind()).isEqualTo("ConfigMap");
    assertThat(String.valueOf(map.at("metadata")))
        .contains(
            "\"namespace\":\"monitoring\"",
            "\"grafana_dashboard\":\"1\"",
            "\"annotations\":{\"folder\":\"batch\"}");
    assertThat(requireNonNull(map.at("data")).getAsJsonObject().asMap().values())
        .singleElement()
        .satisfies(
            json ->
                assertThat(JsonParser.parseString(json.getAsString()).getAsJsonObject().keySet())
                    .contains("panels", "title"));
  }
}
