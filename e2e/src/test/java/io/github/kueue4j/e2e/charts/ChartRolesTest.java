// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import io.github.kueue4j.e2e.charts.Chart.Rendered;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The roles for people. */
@Tag("thorough")
class ChartRolesTest {
  private final List<Rendered> objects =
      Stream.of("kueue-core", "admission-checks")
          .flatMap(chart -> Chart.named(chart).render().stream())
          .toList();

  @Test
  void eachKindOfTheDefinitionsHasAnEditorAndAViewer() {
    List<Rendered> definitions =
        objects.stream().filter(each -> each.kind().equals("CustomResourceDefinition")).toList();

    assertThat(definitions).hasSize(18);
    for (Rendered each : definitions) {
      String singular = String.valueOf(each.at("spec", "names", "singular")).replace("\"", "");
      String resource = String.valueOf(each.at("spec", "names", "plural"));
      for (String role : List.of("editor", "viewer")) {
        assertThat(rules("kueue-" + singular + "-" + role + "-role"))
            .as("%s of %s", role, singular)
            .contains("\"resources\":[" + resource + "]");
      }
      assertThat(rules("kueue-" + singular + "-viewer-role"))
          .contains("\"verbs\":[\"get\",\"list\",\"watch\"]")
          .doesNotContain("create", "patch", "delete");
    }
  }

  @Test
  void administratorsAndUsersGetWhatIsLabelledForThem() {
    assertThat(collected("admin"))
        .contains("create clusterqueues", "patch workloads", "create budgetpolicies", "create jobs")
        .doesNotContain("patch budgetledgers", "patch workloads/status", "update workloads/status");
    assertThat(collected("user"))
        .containsExactlyInAnyOrder(
            "create jobs",
            "delete jobs",
            "patch jobs",
            "update jobs",
            "get jobs",
            "list jobs",
            "watch jobs",
            "get jobs/status",
            "create jobsets",
            "delete jobsets",
            "patch jobsets",
            "update jobsets",
            "get jobsets",
            "list jobsets",
            "watch jobsets",
            "get jobsets/status",
            "get localqueues",
            "list localqueues",
            "watch localqueues",
            "get localqueues/status",
            "get workloads",
            "list workloads",
            "watch workloads",
            "get workloads/status",
            "get approvals",
            "list approvals",
            "watch approvals",
            "get approvals/status",
            "get workloadpriorityclasses",
            "list workloadpriorityclasses",
            "watch workloadpriorityclasses",
            "get workloadpriorityclasses/status",
            "get budgets",
            "list budgets",
            "watch budgets",
            "get budgets/status");
  }

  @Test
  void thoseOfJobsAreForTheKindsThatAreManaged() {
    assertThat(
            Chart.named("kueue-core")
                .renderWith(
                    """
                    managerConfig:
                      controllerManagerConfigYaml: |
                        integrations: {frameworks: [ray.io/rayjob]}
                        kueue4j:
                          jobKinds:
                          - {framework: a.b/c, apiVersion: a.b/v1, kind: Batch, suspend: spec.suspend}
                    """)
                .stream()
                .filter(each -> each.id().matches("ClusterRole/kueue-(batch|job|jobset|ray.*)-.*"))
                .map(each -> each.name() + " " + each.at("rules")))
        .anyMatch(each -> each.matches("kueue-rayjob-editor-role .*ray.io.*rayjobs.*create.*"))
        .anyMatch(each -> each.matches("kueue-rayjob-viewer-role .*rayjobs.*get.*list.*watch.*"))
        .anyMatch(each -> each.matches("kueue-batch-editor-role .*a[.]b.*batches.*create.*"))
        .noneMatch(each -> each.matches("kueue-(job|jobset|raycluster)-.*"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"kueue-core", "admission-checks"})
  void areLeftOutIfNotWanted(String chart) {
    assertThat(Chart.named(chart).render(values -> values.set("roles.create", false)))
        .map(Rendered::name)
        .noneMatch(name -> name.matches(".*(editor|viewer|batch|approver).*"));
  }

  /** As the cluster's controller aggregates them: the rules of all roles with the label. */
  private Set<String> collected(String person) {
    Rendered role = role("kueue-batch-" + person + "-role");
    String label = "rbac.kueue.x-k8s.io/batch-" + person;
    assertThat(String.valueOf(role.at("aggregationRule")))
        .isEqualTo("{\"clusterRoleSelectors\":[{\"matchLabels\":{\"" + label + "\":\"true\"}}]}");
    assertThat(role.at("rules")).isNull();
    Set<String> allowed = new TreeSet<>();
    for (Rendered each : objects) {
      if (each.kind().equals("ClusterRole")
          && String.valueOf(each.at("metadata", "labels")).contains(label)) {
        for (JsonElement rule : requireNonNull(each.at("rules")).getAsJsonArray()) {
          for (JsonElement verb : rule.getAsJsonObject().getAsJsonArray("verbs")) {
            rule.getAsJsonObject()
                .getAsJsonArray("resources")
                .forEach(
                    resource -> allowed.add(verb.getAsString() + " " + resource.getAsString()));
          }
        }
      }
    }
    return allowed;
  }

  private String rules(String name) {
    return String.valueOf(role(name).at("rules"));
  }

  private Rendered role(String name) {
    return objects.stream()
        .filter(each -> each.id().equals("ClusterRole/" + name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no role " + name));
  }
}
