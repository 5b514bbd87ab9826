// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static io.github.kueue4j.e2e.charts.Chart.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import com.marcnuri.helm.TemplateCommand;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.webhook.WebhookRegistration;
import io.github.kueue4j.e2e.charts.Chart.Rendered;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the API server is told to ask the core. */
@Tag("thorough")
class ChartWebhooksTest {
  private static final Chart CORE = Chart.named("kueue-core");

  @Test
  void aPolicyCanSuspendJobsInPlaceOfTheWebhookThatMustBeAnswered() {
    UnaryOperator<TemplateCommand> policy =
        values ->
            values
                .set("suspendJobsByPolicy", true)
                .set("crds.install", false)
                .set(
                    "managerConfig.controllerManagerConfigYaml",
                    """
                    apiVersion: config.kueue.x-k8s.io/v1beta2
                    kind: Configuration
                    webhook: {port: 9443}
                    integrations:
                      frameworks: [batch/job, jobset.x-k8s.io/jobset, kubeflow.org/tfjob]
                      externalFrameworks: [AppWrapper.v1beta2.workload.codeflare.dev]
                    """);

    Map<String, Map<String, Object>> objects = new TreeMap<>();
    CORE.render(values -> policy.apply(values).withKubeVersion("v1.36.0"))
        .forEach(each -> objects.put(each.id(), each.tree()));

    assertThat(
            String.valueOf(
                objects.get("MutatingWebhookConfiguration/kueue-mutating-webhook-configuration")))
        .doesNotContain("name=mjob.kb.io", "name=mtfjob.kb.io", "failurePolicy=Fail")
        .contains("name=mjob-others.kb.io", "name=mtfjob-others.kb.io");
    String plain = "Object{spec: Object.spec{suspend: true}}";
    Map<String, String> suspended = new TreeMap<>(Map.of("job", plain, "jobset", plain));
    suspended.put(
        "tfjob", "Object{spec: Object.spec{runPolicy: Object.spec.runPolicy{suspend: true}}}");
    for (String kind : suspended.keySet()) {
      String name = "kueue-suspend-" + kind;
      assertThat(String.valueOf(objects.get("MutatingAdmissionPolicy/" + name)))
          .contains(
              "resources=[" + kind + "s]",
              "kueue.x-k8s.io/queue-name",
              "kubernetes.io/metadata.name",
              "(owner.apiVersion + ' ' + owner.kind) in ['batch/v1 Job',"
                  + " 'jobset.x-k8s.io/v1alpha2 JobSet', 'kubeflow.org/v1 TFJob',"
                  + " 'workload.codeflare.dev/v1beta2 AppWrapper']",
              String.valueOf(suspended.get(kind)));
      assertThat(String.valueOf(objects.get("MutatingAdmissionPolicyBinding/" + name)))
          .contains("policyName=" + name);
    }
    assertThatThrownBy(() -> CORE.render(policy)).hasMessageContaining("Kubernetes 1.36");
    assertThatThrownBy(
            () ->
                CORE.render(
                    values ->
                        policy
                            .apply(values)
                            .set(
                                "managerConfig.controllerManagerConfigYaml",
                                """
                                apiVersion: config.kueue.x-k8s.io/v1beta2
                                kind: Configuration
                                """)))
        .hasMessageContaining("suspendJobsByPolicy needs the block webhook");
  }

  /** Then Jobs with a queue start without quota, which their users have to be told. */
  @Test
  void aListWithoutFrameworksIsNone() {
    assertThat(
            CORE.renderWith(
                "managerConfig: {controllerManagerConfigYaml: 'integrations: {frameworks: []}'}"))
        .filteredOn(each -> each.id().endsWith("ValidatingAdmissionPolicy/kueue-unmanaged-kinds"))
        .singleElement()
        .satisfies(
            each ->
                assertThat(String.valueOf(each.tree())).contains("resources=[jobs]", "nothing"));
  }

  /** To the core, too, a block without a value is none. */
  @ParameterizedTest
  @ValueSource(strings = {"", "webhook:\nmetrics: {bindAddress: null}\n"})
  void withoutWebhooksTheCoreGetsNoRightsForThem(String keys) {
    List<String> ids =
        CORE
            .render(
                values ->
                    values.set(
                        "managerConfig.controllerManagerConfigYaml",
                        "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n" + keys))
            .stream()
            .map(Rendered::id)
            .filter(id -> id.contains("webhook"))
            .toList();

    assertThat(ids).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "integrations: {frameworks: [jobset.x-k8s.io/jobset, batch/job]}",
        "integrations: {frameworks: [ray.io/rayjob, kubeflow.org/pytorchjob, ray.io/raycluster]}",
        """
        integrations:
          frameworks: [batch/job, pod, ray.io/rayjob]
          externalFrameworks: [AppWrapper.v1beta2.workload.codeflare.dev]
        """,
        "integrations: {frameworks: [batch/job, pod, statefulset, deployment]}",
        "integrations: {frameworks: [pod, leaderworkerset.x-k8s.io/leaderworkerset]}",
        // A declaration alone has its kind managed, whose plural needn't be told.
        """
        integrations: {frameworks: [ray.io/raycluster, example.com/batch]}
        kueue4j:
          jobKinds:
          - framework: example.com/batch
            apiVersion: example.com/v1beta1
            kind: PodBatch
            suspend: paused
            podSets: [{name: main, template: spec.template}]
          - framework: example.com/policy
            apiVersion: example.com/v1
            otherVersions: [v1beta1, v1alpha2]
            kind: RunPolicy
            suspend: spec.run_policy.mode.suspend
            podSets: [{name: main, template: spec.template}]
          - framework: example.com/sheep
            apiVersion: example.com/v1
            kind: Sheep
            plural: sheep
            suspend: spec.suspend
            podSets: [{name: main, template: spec.template}]
        """
      })
  void theChartRegistersTheWebhooksThatTheCoreServes(String keys) {
    String configuration =
        """
        apiVersion: config.kueue.x-k8s.io/v1beta2
        kind: Configuration
        webhook: {port: 9443}
        """
            + keys;
    List<Rendered> objects =
        CORE.render(
            values -> values.set("managerConfig.controllerManagerConfigYaml", configuration));
    WebhookRegistration registration =
        new WebhookRegistration(
            new ObjectKey("kueue-system", "kueue-webhook-service"),
            WebhookRegistration.allNamespacesBut("kueue-system"),
            Configuration.parse(configuration).integrations(),
            "system:serviceaccount:kueue-system:kueue-controller-manager");

    assertThat(webhooks(objects, "MutatingWebhookConfiguration"))
        .isEqualTo(KueueJson.toTree(registration.mutating()).getAsJsonObject().get("webhooks"));
    assertThat(webhooks(objects, "ValidatingWebhookConfiguration"))
        .isEqualTo(KueueJson.toTree(registration.validating()).getAsJsonObject().get("webhooks"));
  }

  @Test
  void aKindWhosePodsAreQueuedNeedsThem() {
    assertThatThrownBy(
            () ->
                CORE.renderWith(
                    """
                    managerConfig:
                      controllerManagerConfigYaml: |
                        webhook: {port: 9443}
                        integrations: {frameworks: [batch/job, deployment]}
                    """))
        .hasMessageContaining("names deployment, whose pods are queued as pods: name pod, too");
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
}
