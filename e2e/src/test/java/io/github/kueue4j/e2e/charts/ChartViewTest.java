// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static io.github.kueue4j.e2e.charts.Chart.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.e2e.charts.Chart.Rendered;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The view in the chart: its port, Service, rights and NetworkPolicy. */
class ChartViewTest {
  private static final Chart CORE = Chart.named("kueue-core");
  private static final String SERVICE = "Service/kueue-view-service";

  private static final String MANAGER = "ClusterRole/kueue-manager-role";
  private static final String BUDGETS = "\"resources\":[\"budgetpolicies\",\"budgets\"]";

  private static String values(String view, String others) {
    return """
        {%s managerConfig: {controllerManagerConfigYaml: 'metrics: {bindAddress: "0"}

          kueue4j: {view: %s}'}}
        """
        .formatted(others, view);
  }

  private static Rendered object(List<Rendered> objects, String id) {
    return objects.stream().filter(each -> each.id().equals(id)).findFirst().orElseThrow();
  }

  @Test
  void theConfigurationTurnsItOnWithPortServiceAndRights() {
    List<Rendered> objects = CORE.renderWith(values("{bindAddress: \":8447\"}", ""));

    assertThat(only(objects, "Deployment").tree().toString())
        .contains("name=view, containerPort=8447");
    assertThat(String.valueOf(object(objects, SERVICE).at("spec", "ports")))
        .contains("\"name\":\"https\"", "\"port\":8447", "\"targetPort\":\"view\"");
    assertThat(object(objects, SERVICE).at("spec", "selector"))
        .isEqualTo(only(objects, "Deployment").at("spec", "selector", "matchLabels"));
    assertThat(String.valueOf(object(objects, "ClusterRole/kueue-metrics-auth-role").at("rules")))
        .contains("tokenreviews", "subjectaccessreviews");
    assertThat(String.valueOf(object(objects, MANAGER).at("rules"))).contains(BUDGETS);
    assertThat(objects)
        .as("nothing else of /metrics is there")
        .map(Rendered::id)
        .contains("ClusterRoleBinding/kueue-metrics-auth-rolebinding")
        .noneMatch(id -> id.contains("metrics-reader") || id.contains("metrics-service"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{bindAddress: \"0\"}",
        "{bindAddress: \"127.0.0.1:8447\", secureServing: false}"
      })
  void nothingIsOpenedForAViewThatIsServedToNobodyElse(String view) {
    List<Rendered> objects = CORE.renderWith(values(view, "networkPolicy: {enabled: true},"));

    assertThat(objects)
        .map(Rendered::id)
        .noneMatch(id -> id.equals(SERVICE) || id.contains("metrics-auth"));
    assertThat(String.valueOf(object(objects, MANAGER).at("rules"))).doesNotContain(BUDGETS);
    assertThat(only(objects, "Deployment").tree().toString()).doesNotContain("name=view");
    assertThat(only(objects, "NetworkPolicy").tree().toString()).doesNotContain("port=view");
  }

  @Test
  void theNetworkPolicyLetsInWhoMayReachIt() {
    String view = "{bindAddress: \":8447\"}";

    assertThat(ingress(values(view, "networkPolicy: {enabled: true},")))
        .contains("{\"ports\":[{\"protocol\":\"TCP\",\"port\":\"view\"}]}");
    assertThat(
            ingress(
                values(
                    view,
                    "networkPolicy: {enabled: true, viewFrom: [{podSelector: {matchLabels: {app:"
                        + " proxy}}}]},")))
        .contains(
            "{\"ports\":[{\"protocol\":\"TCP\",\"port\":\"view\"}],"
                + "\"from\":[{\"podSelector\":{\"matchLabels\":{\"app\":\"proxy\"}}}]}");
  }

  private static String ingress(String values) {
    return String.valueOf(only(CORE.renderWith(values), "NetworkPolicy").at("spec", "ingress"));
  }

  @Test
  void anAddressWithoutAPortIsRefused() {
    assertThatThrownBy(() -> CORE.renderWith(values("{bindAddress: everywhere}", "")))
        .hasMessageContaining("kueue4j.view.bindAddress of the Configuration must end in a port");
  }
}
