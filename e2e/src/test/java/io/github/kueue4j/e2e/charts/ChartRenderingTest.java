// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.webhook.WebhookRegistration;
import io.github.kueue4j.e2e.charts.Chart.Rendered;
import io.github.kueue4j.sdk.rbac.StatusGuard;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChartRenderingTest {
  private static final Chart CORE = Chart.named("kueue-core");

  @ParameterizedTest
  @ValueSource(strings = {"kueue-core", "admission-checks"})
  void lintFindsNothing(String chart) {
    LintResult result = Chart.named(chart).lint();

    assertThat(result.isFailed()).describedAs("%s", result.getMessages()).isFalse();
  }

  @Test
  void theChartsDefinitionsAreThoseOfTheApi() {
    List<Map<String, Object>> ofTheApi =
        Crds.kueue().stream().map(Chart::parse).map(List::getFirst).map(Rendered::tree).toList();

    assertThat(definitions(CORE.render(values -> values.set("crds.keep", false))))
        .containsExactlyInAnyOrderElementsOf(ofTheApi);
  }

  @Test
  void definitionsSurviveAnUninstallUnlessAskedOtherwise() {
    assertThat(definitions(CORE.render()))
        .isNotEmpty()
        .allSatisfy(
            crd ->
                assertThat(Chart.asMap(Chart.asMap(crd.get("metadata")).get("annotations")))
                    .containsEntry("helm.sh/resource-policy", "keep"));
    assertThat(definitions(CORE.render(values -> values.set("crds.install", false)))).isEmpty();
  }

  @Test
  void objectsCarryTheReleasesName() {
    Set<String> ids = new TreeSet<>();
    CORE.render(values -> values.set("crds.install", false)).forEach(each -> ids.add(each.id()));

    assertThat(ids)
        .containsExactly(
            "ClusterRole/kueue-manager-role",
            "ClusterRole/kueue-metrics-auth-role",
            "ClusterRole/kueue-metrics-reader",
            "ClusterRole/kueue-webhook-authority-role",
            "ClusterRoleBinding/kueue-manager-rolebinding",
            "ClusterRoleBinding/kueue-metrics-auth-rolebinding",
            "ClusterRoleBinding/kueue-webhook-authority-rolebinding",
            "ConfigMap/kueue-manager-config",
            "Deployment/kueue-controller-manager",
            "MutatingWebhookConfiguration/kueue-mutating-webhook-configuration",
            "Role/kueue-leader-election-role",
            "Role/kueue-webhook-certificate-role",
            "RoleBinding/kueue-leader-election-rolebinding",
            "RoleBinding/kueue-webhook-certificate-rolebinding",
            "Secret/kueue-webhook-server-cert",
            "Service/kueue-controller-manager-metrics-service",
            "Service/kueue-webhook-service",
            "ServiceAccount/kueue-controller-manager",
            "ValidatingAdmissionPolicy/kueue-status-guard",
            "ValidatingAdmissionPolicyBinding/kueue-status-guard",
            "ValidatingWebhookConfiguration/kueue-validating-webhook-configuration");
  }

  @Test
  void aPolicyCanSuspendJobsInPlaceOfTheWebhookThatMustBeAnswered() {
    UnaryOperator<TemplateCommand> policy =
        values ->
            values
                .set("enableMutatingAdmissionPolicy", true)
                .set("crds.install", false)
                .set(
                    "managerConfig.controllerManagerConfigYaml",
                    """
                    apiVersion: config.kueue.x-k8s.io/v1beta2
                    kind: Configuration
                    webhook: {port: 9443}
                    integrations:
                      frameworks: [batch/job, jobset.x-k8s.io/jobset]
                      externalFrameworks: [AppWrapper.v1beta2.workload.codeflare.dev]
                    """);

    Map<String, Map<String, Object>> objects = new TreeMap<>();
    CORE.render(values -> policy.apply(values).withKubeVersion("v1.36.0"))
        .forEach(each -> objects.put(each.id(), each.tree()));

    assertThat(
            String.valueOf(
                objects.get("MutatingWebhookConfiguration/kueue-mutating-webhook-configuration")))
        .doesNotContain("name=mjob.kb.io", "name=mjobset.kb.io", "failurePolicy=Fail")
        .contains("name=mjob-others.kb.io", "name=mjobset-others.kb.io");
    for (String kind : List.of("job", "jobset")) {
      String name = "kueue-suspend-" + kind;
      assertThat(String.valueOf(objects.get("MutatingAdmissionPolicy/" + name)))
          .contains(
              "resources=[" + kind + "s]",
              "kueue.x-k8s.io/queue-name",
              "kubernetes.io/metadata.name",
              "(owner.apiVersion + ' ' + owner.kind) in ['batch/v1 Job',"
                  + " 'jobset.x-k8s.io/v1alpha2 JobSet',"
                  + " 'workload.codeflare.dev/v1beta2 AppWrapper']",
              "Object{spec: Object.spec{suspend: true}}");
      assertThat(String.valueOf(objects.get("MutatingAdmissionPolicyBinding/" + name)))
          .contains("policyName=" + name);
    }
    assertThatThrownBy(() -> CORE.render(policy)).hasMessageContaining("Kubernetes 1.36");
  }

  @Test
  void theStatusGuardIsThatOfTheSdk() {
    String core = "system:serviceaccount:kueue-system:kueue-controller-manager";
    assertThat(guards(CORE.render(values -> values.set("statusGuard.exempt[0]", "bob"))))
        .containsExactlyElementsOf(
            guards(
                Chart.parse(
                    StatusGuard.exempting("kueue-status-guard", List.of(core, "bob")).yaml())));
    assertThat(guards(Chart.named("admission-checks").render()))
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
  void checksWriteTheStatusOfTheirOwnAdmissionChecks() {
    UnaryOperator<TemplateCommand> values =
        command ->
            command
                .set("admissionChecks[0].name", "money")
                .set("admissionChecks[0].controllerName", "kueue4j.io/budget")
                .set("checks.gpu.names[0]", "gpus");

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
  void rightsForJobSetsAndForDeletingJobsComeWithTheConfiguration() {
    assertThat(managerRole("integrations: {frameworks: [batch/job]}"))
        .doesNotContain("jobsets", "resources=[jobs], verbs=[delete]");
    assertThat(
            managerRole(
                "integrations: {frameworks: [batch/job, jobset.x-k8s.io/jobset]}\n"
                    + "objectRetentionPolicies: {workloads: {afterDeactivatedByKueue: 24h}}"))
        .contains(
            "resources=[jobsets], verbs=[get, list, watch, patch, delete]",
            "resources=[jobs], verbs=[delete]");
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

  @Test
  void withoutWebhooksTheCoreGetsNoRightsForThem() {
    List<String> ids =
        CORE
            .render(
                values ->
                    values.set(
                        "managerConfig.controllerManagerConfigYaml",
                        "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n"))
            .stream()
            .map(Rendered::id)
            .filter(id -> id.contains("webhook"))
            .toList();

    assertThat(ids).isEmpty();
  }

  @Test
  void theChartRegistersTheWebhooksThatTheCoreServes() {
    registers(List.of("batch/job"), CORE.render());
    registers(
        List.of("batch/job", "jobset.x-k8s.io/jobset"),
        CORE.render(
            values ->
                values.set(
                    "managerConfig.controllerManagerConfigYaml",
                    """
                    webhook: {}
                    integrations:
                      frameworks:
                        - batch/job
                        - jobset.x-k8s.io/jobset
                    """)));
  }

  private static void registers(List<String> frameworks, List<Rendered> objects) {
    WebhookRegistration registration =
        new WebhookRegistration(
            new ObjectKey("kueue-system", "kueue-webhook-service"),
            WebhookRegistration.allNamespacesBut("kueue-system"),
            frameworks,
            "system:serviceaccount:kueue-system:kueue-controller-manager");

    assertThat(webhooks(objects, "MutatingWebhookConfiguration"))
        .isEqualTo(KueueJson.toTree(registration.mutating()).getAsJsonObject().get("webhooks"));
    assertThat(webhooks(objects, "ValidatingWebhookConfiguration"))
        .isEqualTo(KueueJson.toTree(registration.validating()).getAsJsonObject().get("webhooks"));
  }

  private static JsonElement webhooks(List<Rendered> objects, String kind) {
    return JsonParser.parseString(
        KueueJson.toJson(Objects.requireNonNull(only(objects, kind).tree().get("webhooks"))));
  }

  @Test
  void jobsAreAskedAboutWhereTheConfigurationManagesThem() {
    List<Rendered> objects =
        CORE.render(
            values ->
                values.set(
                    "managerConfig.controllerManagerConfigYaml",
                    "webhook: {}\nmanagedJobsNamespaceSelector: {matchLabels: {batch: \"on\"}}"));

    assertThat(webhooks(objects, "MutatingWebhookConfiguration").toString())
        .contains("\"namespaceSelector\":{\"matchLabels\":{\"batch\":\"on\"}}")
        .doesNotContain("NotIn");
  }

  @Test
  void versionsThatAreNotConvertedOrNotReadAreNotServed() {
    List<String> converted = List.of("clusterqueues", "cohorts", "localqueues", "workloads");

    assertThat(withoutV1beta1(values -> values)).isEmpty();
    // As after --reuse-values of a release that didn't know the value.
    assertThat(withoutV1beta1(values -> values.set("crds.v1beta1", "null"))).isEmpty();
    assertThat(withoutV1beta1(values -> values.set("crds.v1beta1", false))).isEqualTo(converted);
    assertThat(
            withoutV1beta1(
                values ->
                    values.set(
                        "managerConfig.controllerManagerConfigYaml",
                        "metrics: {bindAddress: \"0\"}")))
        .isEqualTo(converted);
  }

  private static List<String> withoutV1beta1(UnaryOperator<TemplateCommand> values) {
    return CORE.render(values).stream()
        .filter(each -> each.id().startsWith("CustomResourceDefinition/"))
        .filter(each -> !served(each, "v1beta1"))
        .peek(each -> assertThat(served(each, "v1beta2")).isTrue())
        .map(each -> each.name().substring(0, each.name().indexOf('.')))
        .sorted()
        .toList();
  }

  private static boolean served(Rendered definition, String version) {
    JsonObject spec = KueueJson.toTree(definition.tree()).getAsJsonObject().getAsJsonObject("spec");
    for (JsonElement each : spec.getAsJsonArray("versions")) {
      if (each.getAsJsonObject().get("name").getAsString().equals(version)) {
        return each.getAsJsonObject().get("served").getAsBoolean();
      }
    }
    throw new AssertionError(definition.name() + " has no version " + version);
  }

  @Test
  void certManagerTakesOverWhereItIsAskedTo() {
    String external = "webhook: {}\ninternalCertManagement: {enable: false}\n";
    List<Rendered> objects =
        CORE.render(
            values ->
                values
                    .set("enableCertManager", true)
                    .set("managerConfig.controllerManagerConfigYaml", external));

    assertThat(objects).map(Rendered::id).contains("Issuer/kueue-selfsigned-issuer");
    assertThat(only(objects, "Certificate").tree().toString())
        .contains(
            "kueue-webhook-service.kueue-system.svc",
            "kueue-controller-manager-metrics-service.kueue-system.svc",
            "kueue-webhook-server-cert");
    assertThat(objects)
        .filteredOn(
            each ->
                each.tree().toString().contains("inject-ca-from=kueue-system/kueue-serving-cert"))
        .map(Rendered::name)
        .containsExactlyInAnyOrder(
            "workloads.kueue.x-k8s.io",
            "clusterqueues.kueue.x-k8s.io",
            "localqueues.kueue.x-k8s.io",
            "cohorts.kueue.x-k8s.io",
            "kueue-mutating-webhook-configuration",
            "kueue-validating-webhook-configuration");
    assertThat(objects).map(Rendered::id).noneMatch(id -> id.startsWith("Secret/"));
    assertThatThrownBy(() -> CORE.render(values -> values.set("enableCertManager", true)))
        .hasMessageContaining("internalCertManagement.enable: false");
  }

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
  void conversionIsAskedForOnThePortOfTheService() {
    Rendered workloads =
        CORE.render(values -> values.set("webhookService.ports[0].port", 9443)).stream()
            .filter(each -> each.name().equals("workloads.kueue.x-k8s.io"))
            .findFirst()
            .orElseThrow();

    assertThat(workloads.tree().toString())
        .contains("service={namespace=kueue-system, name=kueue-webhook-service, port=9443,");
  }

  @Test
  void aChangedConfigurationRestartsThePods() {
    assertThat(checksum("clientConnection: {qps: 7}")).isNotEqualTo(checksum("{}"));
  }

  @Test
  void portsFollowTheConfiguration() {
    String deployment =
        only(
                CORE.render(
                    values ->
                        values.set(
                            "managerConfig.controllerManagerConfigYaml",
                            "health: {healthProbeBindAddress: \":9000\"}")),
                "Deployment")
            .tree()
            .toString();

    assertThat(deployment).contains("name=health, containerPort=9000");
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

  private static List<Map<String, Object>> definitions(List<Rendered> objects) {
    return objects.stream()
        .filter(each -> each.kind().equals("CustomResourceDefinition"))
        .map(Rendered::tree)
        .toList();
  }

  private static Rendered only(List<Rendered> objects, String kind) {
    List<Rendered> found = objects.stream().filter(each -> each.kind().equals(kind)).toList();
    assertThat(found).hasSize(1);
    return found.getFirst();
  }
}
