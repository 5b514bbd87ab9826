// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static io.github.kueue4j.e2e.charts.Chart.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.e2e.charts.Chart.Rendered;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The pods of the charts. */
@Tag("thorough")
class ChartPodsTest {
  private static final Chart CORE = Chart.named("kueue-core");

  @Test
  void aBudgetForDisruptionsIsOptIn() {
    assertThat(CORE.render()).noneMatch(each -> each.kind().equals("PodDisruptionBudget"));
    assertThat(
            CORE.render(
                values -> values.set("controllerManager.podDisruptionBudget.enabled", true)))
        .anyMatch(each -> each.kind().equals("PodDisruptionBudget"));
  }

  @Test
  void severalReplicasAreSpreadOverNodes() {
    assertThat(only(CORE.render(), "Deployment").tree().toString())
        .doesNotContain("topologySpreadConstraints");
    assertThat(
            only(CORE.render(values -> values.set("controllerManager.replicas", 2)), "Deployment")
                .tree()
                .toString())
        .contains("replicas=2", "topologyKey=kubernetes.io/hostname, whenUnsatisfiable=Schedule");
  }

  @Test
  void operatorsLimitAChecksEvaluationsByItsEnvironment() {
    String deployment =
        only(
                Chart.named("admission-checks")
                    .render(
                        values ->
                            values
                                .set("checks.gpu.enabled", false)
                                .set("checks.budget.env[0].name", "KUEUE4J_GUARDS_TIMEOUT")
                                .set("checks.budget.env[0].value", "10s")),
                "Deployment")
            .tree()
            .toString();

    assertThat(deployment).contains("KUEUE4J_GUARDS_TIMEOUT", "10s");
  }

  @Test
  void aCheckGetsItsOwnOptions() {
    String deployment =
        only(
                Chart.named("admission-checks")
                    .render(
                        values ->
                            values
                                .set("checks.budget.enabled", false)
                                .set("checks.gpu.enabled", false)
                                .set("checks.provisioning.enabled", true)
                                .set("checks.provisioning.args[0]", "--recheck-ready-every=10m")),
                "Deployment")
            .tree()
            .toString();

    assertThat(deployment).contains("--leader-elect", "--recheck-ready-every=10m");
  }

  @Test
  void theCoreAcceptsItsConfiguration() {
    Rendered config = only(CORE.render(), "ConfigMap");
    String text =
        String.valueOf(
            Chart.asMap(config.tree().get("data")).get("controller_manager_config.yaml"));

    assertThat(Configuration.parse(text).unusedKeys()).isEmpty();
  }

  @Test
  void whatIsUnsupportedIsIgnoredOnRequest() {
    String option = "--ignore-unsupported";
    assertThat(only(CORE.render(), "Deployment").tree().toString()).doesNotContain(option);
    assertThat(
            only(
                    CORE.render(values -> values.set("managerConfig.ignoreUnsupported", true)),
                    "Deployment")
                .tree()
                .toString())
        .contains(option);
  }

  @Test
  void aChangedConfigurationRestartsThePods() {
    assertThat(checksum("clientConnection: {qps: 7}")).isNotEqualTo(checksum("{}"));
  }

  @Test
  void portsAndProbesFollowTheConfiguration() {
    Rendered deployment =
        only(
            CORE.render(
                values ->
                    values.set(
                        "managerConfig.controllerManagerConfigYaml",
                        "health: {healthProbeBindAddress: \":9000\", livenessEndpointName: alive,"
                            + " readinessEndpointName: ready}")),
            "Deployment");

    assertThat(deployment.tree().toString())
        .contains(
            "name=health, containerPort=9000",
            "startupProbe={httpGet={path=/alive?until-ready=8s,",
            "readinessProbe={httpGet={path=/ready,",
            "livenessProbe={httpGet={path=/alive,");
  }

  @Test
  void aPortThatIsNoneIsRefused() {
    assertThatThrownBy(
            () ->
                CORE.render(
                    values ->
                        values.set(
                            "managerConfig.controllerManagerConfigYaml",
                            "metrics: {bindAddress: nowhere}")))
        .hasMessageContaining("metrics.bindAddress of the Configuration must end in a port");
  }

  private static String checksum(String configuration) {
    Rendered deployment =
        only(
            CORE.render(
                values -> values.set("managerConfig.controllerManagerConfigYaml", configuration)),
            "Deployment");
    Map<String, Object> spec = Chart.asMap(deployment.tree().get("spec"));
    Map<String, Object> metadata = Chart.asMap(Chart.asMap(spec.get("template")).get("metadata"));
    return String.valueOf(
        Chart.asMap(metadata.get("annotations")).get("charts.kueue.x-k8s.io/config-checksum"));
  }
}
