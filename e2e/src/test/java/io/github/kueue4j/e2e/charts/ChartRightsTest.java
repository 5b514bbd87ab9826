// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.marcnuri.helm.TemplateCommand;
import io.github.kueue4j.core.config.Integrations;
import io.github.kueue4j.e2e.charts.Chart.Rendered;
import io.github.kueue4j.jobs.UnmanagedKind;
import io.github.kueue4j.sdk.rbac.StatusGuard;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who may do what in an installation of the charts. */
@Tag("thorough")
class ChartRightsTest {
  private static final Chart CORE = Chart.named("kueue-core");

  @Test
  void theStatusGuardIsThatOfTheSdk() {
    String core = "system:serviceaccount:kueue-system:kueue-controller-manager";
    assertThat(guards(CORE.render(values -> values.set("statusGuard.exempt[0]", "bob"))))
        .containsExactlyElementsOf(
            guards(
                Chart.parse(
                    StatusGuard.exempting("kueue-status-guard", List.of(core, "bob")).yaml())));
    // The other two are the chart's own: whose controller a check is, only the chart knows.
    assertThat(
            guards(Chart.named("admission-checks").render()).stream()
                .filter(guard -> !String.valueOf(guard.get("id")).contains("-controller-guard")))
        .containsExactlyElementsOf(
            guards(
                Chart.parse(
                    StatusGuard.confining(
                            "kueue-checks-status-guard",
                            List.of(
                                "system:serviceaccount:kueue-system:kueue-budget",
                                "system:serviceaccount:kueue-system:kueue-gpu"))
                        .yaml())));
    assertThat(guards(CORE.render(values -> values.set("statusGuard.enabled", false)))).isEmpty();
  }

  private static List<Map<String, Object>> guards(List<Rendered> objects) {
    return objects.stream()
        .filter(each -> each.kind().startsWith("ValidatingAdmissionPolicy"))
        .filter(each -> !each.id().matches(".*-(unmanaged-kinds|job-guard|workload-guard)"))
        .map(
            each ->
                Map.of(
                    "id",
                    (Object) each.id(),
                    "spec",
                    Objects.requireNonNull(each.tree().get("spec"))))
        .toList();
  }

  @Test
  void whatIsKnownAndNotManagedIsToldOfItsQueueLabel() {
    Set<String> kinds = new TreeSet<>(Set.of("cronjobs.batch"));
    UnmanagedKind.ALL.forEach(kind -> kinds.add(kind.type().qualifiedName()));
    Integrations.ofAll().types().values().forEach(type -> kinds.add(type.qualifiedName()));
    List.of("jobs.batch", "rayjobs.ray.io", "sparkapplications.sparkoperator.k8s.io")
        .forEach(managed -> assertThat(kinds.remove(managed)).as(managed).isTrue());

    Set<String> told = new TreeSet<>();
    CORE
        .render(
            values ->
                values.set(
                    "managerConfig.controllerManagerConfigYaml",
                    """
                    integrations: {frameworks: [batch/job, ray.io/rayjob]}
                    kueue4j:
                      jobKinds:
                      - framework: sparkoperator.k8s.io/own
                        apiVersion: sparkoperator.k8s.io/v1beta2
                        kind: SparkApplication
                        suspend: spec.suspend
                    """))
        .stream()
        .filter(each -> each.id().equals("ValidatingAdmissionPolicy/kueue-unmanaged-kinds"))
        .flatMap(
            each ->
                Objects.requireNonNull(each.at("spec", "matchConstraints", "resourceRules"))
                    .getAsJsonArray()
                    .asList()
                    .stream())
        .map(JsonElement::getAsJsonObject)
        .forEach(
            rule ->
                told.add(
                    (rule.get("resources").getAsString()
                            + "."
                            + rule.get("apiGroups").getAsString())
                        .replaceFirst("[.]$", "")));

    assertThat(told).isEqualTo(kinds);
  }

  @Test
  void checksWriteTheStatusOfTheirOwnAdmissionChecks() {
    UnaryOperator<TemplateCommand> values =
        command ->
            command
                .set("admissionChecks[0].name", "money")
                .set("admissionChecks[0].controllerName", "kueue4j.io/budget")
                .set("checks.gpu.names[0]", "gpus")
                .set("roles.create", false);

    List<String> roles =
        Chart.named("admission-checks").render(values).stream()
            .filter(each -> each.kind().equals("ClusterRole"))
            .map(each -> each.tree().toString())
            .toList();

    assertThat(roles).hasSize(2);
    assertThat(roles.get(0)).contains("resources=[admissionchecks/status], resourceNames=[money]");
    assertThat(roles.get(1)).contains("resources=[admissionchecks/status], resourceNames=[gpus]");
  }

  @Test
  void rightsForKindsAndForDeletingJobsComeWithTheConfiguration() {
    assertThat(managerRole("integrations: {frameworks: [batch/job]}"))
        .contains("[jobs], verbs=[get, list, watch, patch]}", "[jobs/finalizers]", "[jobs/status]")
        .doesNotContain("jobsets", "kubeflow", "ray.io");
    assertThat(
            managerRole(
                "integrations: {frameworks: [batch/job, jobset.x-k8s.io/jobset]}\n"
                    + "objectRetentionPolicies: {workloads: {afterDeactivatedByKueue: 24h}}"))
        .contains(
            "[jobsets], verbs=[get, list, watch, patch, delete]",
            "[jobs], verbs=[get, list, watch, patch, delete]");
    assertThat(managerRole("integrations: {frameworks: [jobset.x-k8s.io/jobset]}"))
        .contains("[jobs], verbs=[list, patch]", "resources=[jobs/status], verbs=[patch]")
        .doesNotContain("jobs/finalizers");
    assertThat(managerRole("{integrations: {frameworks: [pod]}, webhook: {port: 9443}}"))
        .contains(
            "resources=[pods], verbs=[get, list, watch, patch, delete]",
            "resources=[pods/status], verbs=[patch]",
            "resources=[pods/finalizers], verbs=[update]");
    assertThat(
            managerRole(
                """
                integrations: {frameworks: [ray.io/rayjob]}
                kueue4j:
                  jobKinds:
                  - framework: example.com/batch
                    apiVersion: example.com/v1
                    kind: Batch
                    suspend: spec.suspend
                """))
        .contains(
            "apiGroups=[ray.io], resources=[rayjobs], verbs=[get, list, watch, patch]}",
            "apiGroups=[ray.io], resources=[rayjobs/finalizers], verbs=[update]",
            "apiGroups=[example.com], resources=[batches], verbs=[get, list, watch, patch]}",
            "apiGroups=[example.com], resources=[batches/finalizers], verbs=[update]")
        .contains("resources=[pods], verbs=[list]")
        .doesNotContain("apiGroups=[batch]", "rayclusters", "pods/");
  }

  private static String managerRole(String configuration) {
    return CORE
        .render(values -> values.set("managerConfig.controllerManagerConfigYaml", configuration))
        .stream()
        .filter(each -> each.id().equals("ClusterRole/kueue-manager-role"))
        .map(each -> each.tree().toString())
        .findFirst()
        .orElseThrow();
  }
}
