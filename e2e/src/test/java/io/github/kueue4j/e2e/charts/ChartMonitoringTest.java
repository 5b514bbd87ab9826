// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static io.github.kueue4j.e2e.charts.Chart.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.TemplateCommand;
import io.github.kueue4j.e2e.charts.Chart.Rendered;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** How metrics are reached and read. */
class ChartMonitoringTest {
  private static final Chart CORE = Chart.named("kueue-core");

  @Test
  void prometheusIsToldHowToReadMetrics() {
    assertThat(CORE.render()).noneMatch(each -> each.kind().equals("ServiceMonitor"));
    List<Rendered> objects = CORE.render(values -> values.set("enablePrometheus", true));

    assertThat(only(objects, "ServiceMonitor").tree().toString())
        .contains(
            "port=metrics",
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
}
