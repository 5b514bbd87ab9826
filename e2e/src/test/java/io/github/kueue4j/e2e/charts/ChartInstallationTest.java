// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.Release;
import com.marcnuri.helm.TemplateCommand;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.KubernetesApi;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a cluster makes of the charts: Helm itself talks to the embedded API server. */
class ChartInstallationTest {
  private static final String NAMESPACE = "kueue-system";

  @TempDir Path folder;
  private EmbeddedApiServer server;
  private ClusterConnection connection;

  /** A chart with values that switch everything optional on. */
  record Everything(String chart, UnaryOperator<TemplateCommand> values) {
    @Override
    public String toString() {
      return chart;
    }
  }

  static Stream<Everything> charts() {
    return Stream.of(
        new Everything(
            "kueue-core",
            values -> values.set("controllerManager.podDisruptionBudget.enabled", true)),
        new Everything(
            "admission-checks",
            values ->
                values
                    .set("checks.provisioning.enabled", true)
                    .set("checks.http.enabled", true)
                    .set("podDisruptionBudget.enabled", true)
                    .set("admissionChecks[0].name", "budget")
                    .set("admissionChecks[0].controllerName", "kueue4j.io/budget")));
  }

  @BeforeEach
  void start() {
    server = EmbeddedApiServer.start();
    connection = ClusterConnection.builder("charts-test").url(server.uri()).connect();
  }

  @AfterEach
  void stop() {
    connection.close();
    server.close();
  }

  @ParameterizedTest
  @MethodSource("charts")
  void everyRenderedObjectIsAccepted(Everything everything) {
    server.apply("{apiVersion: v1, kind: Namespace, metadata: {name: " + NAMESPACE + "}}");
    server.applyCrds(Crds.kueue());

    assertThatCode(
            () -> server.apply(Chart.named(everything.chart()).manifest(everything.values())))
        .doesNotThrowAnyException();
  }

  @Test
  void helmInstallsUpgradesAndUninstallsTheCore() {
    Path kubeconfig = server.kubeconfig(folder.resolve("kubeconfig"));
    KubernetesApi api = connection.api();
    Chart chart = Chart.named("kueue-core");

    Release installed =
        chart
            .helm()
            .install()
            .withName("kueue")
            .withNamespace(NAMESPACE)
            .createNamespace()
            .withKubeConfig(kubeconfig)
            .call();
    assertThat(installed.getStatus()).isEqualTo("deployed");
    assertThat(api.serves(KueueTypes.WORKLOAD)).isTrue();
    assertThat(replicas(api)).isEqualTo(1);

    Release upgraded =
        chart
            .helm()
            .upgrade()
            .withName("kueue")
            .withNamespace(NAMESPACE)
            .set("controllerManager.replicas", 3)
            .withKubeConfig(kubeconfig)
            .call();
    assertThat(upgraded.getRevision()).isEqualTo("2");
    assertThat(replicas(api)).isEqualTo(3);

    Helm.uninstall("kueue").withNamespace(NAMESPACE).withKubeConfig(kubeconfig).call();
    assertThat(api.get(CoreTypes.DEPLOYMENT, manager())).isEmpty();
    assertThat(api.serves(KueueTypes.WORKLOAD))
        .describedAs("the definitions, and with them all Workloads, are kept")
        .isTrue();
  }

  @Test
  void helmInstallsTheChecksBesideTheCore() {
    Path kubeconfig = server.kubeconfig(folder.resolve("kubeconfig"));
    server.applyCrds(Crds.kueue());

    Release installed =
        Chart.named("admission-checks")
            .helm()
            .install()
            .withName("checks")
            .withNamespace(NAMESPACE)
            .createNamespace()
            .set("admissionChecks[0].name", "gpu")
            .set("admissionChecks[0].controllerName", "kueue4j.io/gpu-availability")
            .withKubeConfig(kubeconfig)
            .call();

    assertThat(installed.getStatus()).isEqualTo("deployed");
    assertThat(connection.api().get(KueueTypes.ADMISSION_CHECK, ObjectKey.cluster("gpu")))
        .isPresent();
    assertThat(
            connection.api().get(CoreTypes.DEPLOYMENT, new ObjectKey(NAMESPACE, "checks-budget")))
        .isPresent();
  }

  private static ObjectKey manager() {
    return new ObjectKey(NAMESPACE, "kueue-controller-manager");
  }

  private static Integer replicas(KubernetesApi api) {
    return api.get(CoreTypes.DEPLOYMENT, manager()).orElseThrow().getSpec().getReplicas();
  }
}
