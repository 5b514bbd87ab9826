// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.Release;
import com.marcnuri.helm.UpgradeCommand;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.e2e.cluster.Cluster;
import io.github.kueue4j.e2e.scenarios.ScenarioCluster;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testdefaults.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The life of a release on a cluster: installed by the chart of the previous release, upgraded to
 * this one, set back, upgraded again, removed.
 */
@Order(1)
class ChartLifecycleTest {
  private static final String NAMESPACE = "kueue-system";

  /** Longer than helm itself waits. */
  private static final Duration HELM = Duration.ofMinutes(2);

  private static final String CERTIFICATE =
      "/api/v1/namespaces/" + NAMESPACE + "/secrets/kueue-webhook-server-cert";
  private static final String WORKLOADS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/workloads.kueue.x-k8s.io";
  private static final String WEBHOOKS =
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/"
          + "kueue-validating-webhook-configuration";

  private static final String LEASES =
      "/apis/coordination.k8s.io/v1/namespaces/" + NAMESPACE + "/leases";

  @TempDir Path folder;
  private Path kubeconfig;
  private ClusterContents cluster;

  /** Of a certificate, in Base64, as the API has it. */
  private String authority;

  /** A part of the test's own. */
  private interface Life {
    void live() throws Exception;
  }

  private void on(ScenarioCluster kind, Life life) throws Exception {
    try (InputStream in = ChartLifecycleTest.class.getResourceAsStream("authority.pem")) {
      authority = Base64.getEncoder().encodeToString(requireNonNull(in).readAllBytes());
    }
    try (Cluster running = kind.start(InstantSource.system());
        ClusterContents contents = ClusterContents.of(running.kubeconfig())) {
      kubeconfig = running.kubeconfig();
      cluster = contents;
      cluster.create(
          "/api/v1/namespaces",
          "{apiVersion: v1, kind: Namespace, metadata: {name: " + NAMESPACE + "}}");
      life.live();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"EMBEDDED", "BINARIES"})
  void theCoreIsUpgradedSetBackUpgradedAndRemoved(ScenarioCluster kind) throws Exception {
    on(kind, this::coreIsUpgradedSetBackUpgradedAndRemoved);
  }

  private void coreIsUpgradedSetBackUpgradedAndRemoved() throws Exception {
    Set<String> before = cluster.objects();
    Path previous = previous("kueue-core");
    new Helm(previous)
        .install()
        .withName("kueue")
        .withNamespace(NAMESPACE)
        .set("controllerManager.replicas", 2)
        .withKubeConfig(kubeconfig)
        .call();
    theCoreEntersItsCertificate();
    cluster.create(
        "/apis/kueue.x-k8s.io/v1beta2/workloadpriorityclasses",
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass, metadata: {name: a},"
            + " value: 1}");

    upgradingWithTheValuesOfThePreviousChartAloneIsRefused();
    assertThat(upgrade("kueue", Chart.named("kueue-core").folder()).call().getStatus())
        .isEqualTo("deployed");
    assertThat(deployment("kueue-controller-manager")).contains("\"replicas\":2", "startupProbe");
    theCertificateIsStillThere();
    helmTestAsksAndLeavesNothingBehind(
        "kueue", "kueue-test", "http://kueue-test.kueue-system.svc/readyz");

    upgrade("kueue", previous).call();
    assertThat(deployment("kueue-controller-manager"))
        .contains("\"replicas\":2")
        .doesNotContain("startupProbe");
    theCertificateIsStillThere();

    Release again = upgrade("kueue", Chart.named("kueue-core").folder()).call();
    assertThat(again.getStatus()).isEqualTo("deployed");
    assertThat(deployment("kueue-controller-manager")).contains("startupProbe");

    lease("c1f6bfd2.kueue.x-k8s.io", "kueue-controller-manager-a");
    lease("another", "another");
    assertThat(
            new PlayedHook(
                    "kueue",
                    new ObjectKey(NAMESPACE, "kueue-after-uninstall"),
                    kubeconfig,
                    kubeconfig)
                .uninstall())
        .contains(
            "Lease kueue-system/c1f6bfd2.kueue.x-k8s.io: deleted",
            "definition workloads.kueue.x-k8s.io: only its stored version is served");
    assertThat(leases()).contains("another").doesNotContain("c1f6bfd2");
    v1beta1IsConverted(false);
    assertThat(added(before))
        .contains("workloadpriorityclasses a")
        .allMatch(
            each ->
                each.matches(
                    "(workloadpriorityclasses a|customresourcedefinitions .*kueue.x-k8s.io)"));

    assertThat(
            Chart.named("kueue-core")
                .helm()
                .install()
                .withName("kueue")
                .withNamespace(NAMESPACE)
                .withKubeConfig(kubeconfig)
                .call()
                .getStatus())
        .as("a release of the same name takes over the definitions that were kept")
        .isEqualTo("deployed");
    v1beta1IsConverted(true);
  }

  @ParameterizedTest
  @EnumSource(names = {"EMBEDDED", "BINARIES"})
  void theChecksAreUpgradedSetBackUpgradedAndRemoved(ScenarioCluster kind) throws Exception {
    on(kind, this::checksAreUpgradedSetBackUpgradedAndRemoved);
  }

  private void checksAreUpgradedSetBackUpgradedAndRemoved() throws Exception {
    for (String definition : Crds.kueue()) {
      cluster.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
    }
    Set<String> before = cluster.objects();
    Path previous = previous("admission-checks");
    new Helm(previous)
        .install()
        .withName("checks")
        .withNamespace(NAMESPACE)
        .set("checks.http.enabled", true)
        .withKubeConfig(kubeconfig)
        .call();

    upgrade("checks", Chart.named("admission-checks").folder())
        .withValuesFile(
            Chart.written(
                """
                checks: {budget: {replicas: 2}, http: {secrets: {names: [licenses]}}}
                customChecks:
                  license:
                    image: {repository: registry.example.com/license-check}
                    controllerName: example.com/license
                admissionChecks:
                  - name: gpus
                    controllerName: kueue4j.io/gpu-availability
                    parameters: {apiGroup: checks.kueue4j.io, kind: GpuAvailabilityPolicy, name: gpus}
                    retry: {baseDelay: 30s}
                    pendingTimeoutSeconds: 600
                    preemptionPolicy: AfterCheckPassedOrOnDemand
                parametersObjects:
                  - apiVersion: checks.kueue4j.io/v1alpha1
                    kind: GpuAvailabilityPolicy
                    metadata: {name: gpus}
                    spec: {}
                networkPolicy: {enabled: true}
                podDisruptionBudget: {enabled: true}
                metrics: {dashboards: {enabled: true}}
                """))
        .call();
    assertThat(added(before))
        .contains(
            "admissionchecks gpus",
            "gpuavailabilitypolicies gpus",
            "deployments kueue-system/checks-license",
            "deployments kueue-system/checks-http",
            "roles kueue-system/checks-http-namespace",
            "networkpolicies kueue-system/checks-budget")
        .doesNotContain("roles kueue-system/checks-http-secrets");
    helmTestAsksAndLeavesNothingBehind(
        "checks",
        "checks-checks-test",
        "http://checks-budget-metrics.kueue-system.svc:8081/readyz",
        "http://checks-gpu-metrics.kueue-system.svc:8081/readyz",
        "http://checks-http-metrics.kueue-system.svc:8081/readyz",
        "http://checks-license-metrics.kueue-system.svc:8081/readyz");

    upgrade("checks", previous).resetValues().call();
    assertThat(added(before))
        .contains("deployments kueue-system/checks-budget")
        .noneMatch(each -> each.contains("license") || each.contains("gpus"));

    upgrade("checks", Chart.named("admission-checks").folder()).call();
    for (String check : List.of("budget", "gpu", "http")) {
      lease("kueue4j-check-" + check, "");
    }
    assertThat(
            new PlayedHook(
                    "checks",
                    new ObjectKey(NAMESPACE, "checks-checks-after-uninstall"),
                    kubeconfig,
                    kubeconfig)
                .uninstall()
                .lines())
        .containsExactlyInAnyOrder(
            "Lease kueue-system/kueue4j-check-budget: deleted",
            "Lease kueue-system/kueue4j-check-gpu: deleted");
    assertThat(leases())
        .as("the check http doesn't belong to the release any more")
        .contains("kueue4j-check-http")
        .doesNotContain("kueue4j-check-budget", "kueue4j-check-gpu");
    assertThat(added(before))
        .isNotEmpty()
        .allMatch(each -> each.matches("customresourcedefinitions .*checks.kueue4j.io"));
  }

  /** {@code --reuse-values} takes no defaults of the new chart. */
  private void upgradingWithTheValuesOfThePreviousChartAloneIsRefused() {
    UpgradeCommand reusing =
        Chart.named("kueue-core")
            .helm()
            .upgrade()
            .withName("kueue")
            .withNamespace(NAMESPACE)
            .reuseValues()
            .withKubeConfig(kubeconfig);
    assertThatThrownBy(reusing::call).hasMessageContaining("missing propert");
  }

  /** Here, where no kubelet is, this says that the pod has succeeded. */
  private void helmTestAsksAndLeavesNothingBehind(String release, String name, String... urls) {
    Set<String> before = cluster.objects();
    try (Actors operators = Actors.onPlatformThreads("operator")) {
      Act<Release> test =
          operators.ask(
              () ->
                  Helm.test(release)
                      .withNamespace(NAMESPACE)
                      .withKubeConfig(kubeconfig)
                      .withTimeout((int) Patience.LIMIT.toSeconds())
                      .call());
      await()
          .alias("the test of the release " + release + " has made the pod " + name)
          .until(() -> added(before).contains("pods " + NAMESPACE + "/" + name));
      String pod = "/api/v1/namespaces/" + NAMESPACE + "/pods/" + name;
      assertThat(cluster.get(pod).toString())
          .contains("[\"ready\",\"--timeout=2m\",\"" + String.join("\",\"", urls) + "\"]");
      cluster.patch(pod + "/status", "{\"status\":{\"phase\":\"Succeeded\"}}");

      assertThat(test.get(HELM).getStatus()).isEqualTo("deployed");
    }
    assertThat(added(before)).isEmpty();
  }

  private void theCoreEntersItsCertificate() {
    cluster.patch(CERTIFICATE, "{\"data\":{\"ca.crt\":\"" + authority + "\"}}");
    cluster.patch(
        WORKLOADS,
        "{\"spec\":{\"conversion\":{\"webhook\":{\"clientConfig\":{\"caBundle\":\""
            + authority
            + "\"}}}}}");
    JsonArray webhooks = cluster.get(WEBHOOKS).getAsJsonArray("webhooks");
    webhooks.forEach(
        each ->
            each.getAsJsonObject()
                .getAsJsonObject("clientConfig")
                .addProperty("caBundle", authority));
    cluster.patch(WEBHOOKS, "{\"webhooks\":" + webhooks + "}");
  }

  private void theCertificateIsStillThere() {
    assertThat(cluster.get(CERTIFICATE).get("data").toString()).contains(authority);
    assertThat(cluster.get(WORKLOADS).getAsJsonObject("spec").get("conversion").toString())
        .contains(authority);
    // The previous chart has none for JobSets: a core enters its certificate in what is new.
    assertThat(cluster.get(WEBHOOKS).getAsJsonArray("webhooks"))
        .filteredOn(each -> !each.toString().contains("vjobset.kb.io"))
        .isNotEmpty()
        .allSatisfy(
            each ->
                assertThat(each.getAsJsonObject().get("clientConfig").toString())
                    .contains(authority));
  }

  private String deployment(String name) {
    return cluster
        .get("/apis/apps/v1/namespaces/" + NAMESPACE + "/deployments/" + name)
        .get("spec")
        .toString();
  }

  private Set<String> added(Set<String> before) {
    Set<String> added = new TreeSet<>(cluster.objects());
    added.removeAll(before);
    return added;
  }

  /**
   * As the page says; {@code helm rollback}, which the library lacks, applies the same manifest.
   */
  private UpgradeCommand upgrade(String release, Path chart) {
    return new Helm(chart)
        .upgrade()
        .withName(release)
        .withNamespace(NAMESPACE)
        .resetThenReuseValues()
        .withKubeConfig(kubeconfig);
  }

  /** Which expires soon if it has a holder. */
  private void lease(String name, String holder) {
    cluster.create(
        LEASES,
        "{apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: "
            + name
            + "}, spec: {leaseDurationSeconds: 1, holderIdentity: \""
            + holder
            + "\"}}");
  }

  private String leases() {
    return cluster.get(LEASES).get("items").toString();
  }

  private void v1beta1IsConverted(boolean converted) {
    JsonObject spec = cluster.get(WORKLOADS).getAsJsonObject("spec");
    assertThat(spec.getAsJsonObject("conversion").get("strategy").getAsString())
        .isEqualTo(converted ? "Webhook" : "None");
    assertThat(spec.getAsJsonArray("versions"))
        .filteredOn(each -> each.getAsJsonObject().get("name").getAsString().equals("v1beta1"))
        .singleElement()
        .satisfies(
            each ->
                assertThat(each.getAsJsonObject().get("served").getAsBoolean())
                    .isEqualTo(converted));
  }

  /** The chart of the previous release, as it was packaged. */
  private Path previous(String chart) throws IOException {
    Path file = folder.resolve(chart + "-0.1.0.tgz");
    try (InputStream in =
        ChartLifecycleTest.class.getResourceAsStream(
            requireNonNull(file.getFileName()).toString())) {
      Files.copy(requireNonNull(in), file);
    }
    return file;
  }
}
