// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.marcnuri.helm.Release;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.e2e.charts.Chart.Rendered;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The values for production of docs/guides/install.md, installed on clusters with and without
 * Prometheus' operator and the namespace of Grafana.
 */
class PrometheusOperatorTest {
  private static final String NAMESPACE = "kueue-system";

  /** As much of the operator's own definitions as this needs. */
  private static final String DEFINITION =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: PLURAL.monitoring.coreos.com}
      spec:
        group: monitoring.coreos.com
        names: {kind: KIND, listKind: KINDList, plural: PLURAL, singular: SINGULAR}
        scope: Namespaced
        versions:
          - name: v1
            served: true
            storage: true
            schema:
              openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
      """;

  @TempDir Path folder;
  private EmbeddedApiServer server;
  private Path kubeconfig;
  private ClusterContents cluster;
  private Path coreValues;
  private Path checksValues;

  @BeforeEach
  void start() throws Exception {
    List<String> values = InstallPageTest.values("install");
    coreValues = Chart.written(values.get(0));
    checksValues = Chart.written(values.get(1));
    assertThat(values.get(0)).contains("enablePrometheus: true", "namespace: monitoring");
    assertThat(values.get(1)).contains("enablePrometheus: true", "namespace: monitoring");
    server = EmbeddedApiServer.start();
    kubeconfig = server.kubeconfig(folder.resolve("kubeconfig"));
    cluster = ClusterContents.of(kubeconfig);
    server.apply("{apiVersion: v1, kind: Namespace, metadata: {name: " + NAMESPACE + "}}");
  }

  @AfterEach
  void stop() {
    cluster.close();
    server.close();
  }

  @Test
  void withoutItTheReleasesSayWhatIsLeftOutAndWhenItHasComeAnUpgradeAddsIt() {
    Release core = install("kueue-core", "kueue", coreValues);
    Release checks = install("admission-checks", "checks", checksValues);

    assertThat(Stream.of(core, checks))
        .allSatisfy(
            release -> {
              assertThat(release.getStatus()).isEqualTo("deployed");
              assertThat(release.getOutput())
                  .contains(
                      "Left out: PrometheusRule and ServiceMonitor (monitoring.coreos.com/v1)",
                      "helm upgrade " + release.getName() + " <chart> --namespace kueue-system",
                      "Left out: the dashboards. Their namespace monitoring");
            });
    assertThat(cluster.objects())
        .contains(
            "deployments kueue-system/kueue-controller-manager",
            "deployments kueue-system/checks-budget",
            "clusterrolebindings kueue-metrics-reader-rolebinding")
        .noneMatch(each -> each.matches(".*(monitor|alerts|dashboard).*"));

    operatorAndGrafanaCome();

    assertThat(
            Stream.of(upgrade("kueue-core", "kueue"), upgrade("admission-checks", "checks"))
                .map(Release::getOutput))
        .noneMatch(notes -> notes.contains("Left out"));
    theyAreThere();
  }

  /** By night only: the upgrade, which each build tests, leads to the same objects. */
  @Test
  @Tag("nightly")
  void withItNothingIsLeftOut() {
    operatorAndGrafanaCome();

    assertThat(
            Stream.of(
                    install("kueue-core", "kueue", coreValues),
                    install("admission-checks", "checks", checksValues))
                .map(Release::getOutput))
        .noneMatch(notes -> notes.contains("Left out"));
    theyAreThere();
  }

  /** GitOps renders without a cluster, for one that may serve these kinds. */
  @Test
  void withoutAClusterNothingIsLeftOut() {
    List<Rendered> rendered =
        Stream.of(
                Chart.named("kueue-core").render(each -> each.withValuesFile(coreValues)),
                Chart.named("admission-checks").render(each -> each.withValuesFile(checksValues)))
            .flatMap(List::stream)
            .toList();

    assertThat(rendered)
        .map(Rendered::id)
        .contains(
            "ServiceMonitor/kueue-controller-manager-metrics-monitor",
            "PrometheusRule/kueue-alerts",
            "ConfigMap/kueue-dashboard-core",
            "ServiceMonitor/kueue-checks-metrics-monitor",
            "PrometheusRule/kueue-checks-alerts",
            "ConfigMap/kueue-dashboard-admission-checks");
  }

  private void operatorAndGrafanaCome() {
    for (String kind : List.of("ServiceMonitor", "PrometheusRule")) {
      String singular = kind.toLowerCase(Locale.ROOT);
      server.apply(
          DEFINITION
              .replace("PLURAL", singular + "s")
              .replace("SINGULAR", singular)
              .replace("KIND", kind));
    }
    server.apply("{apiVersion: v1, kind: Namespace, metadata: {name: monitoring}}");
  }

  private void theyAreThere() {
    assertThat(cluster.objects())
        .contains(
            "servicemonitors kueue-system/kueue-controller-manager-metrics-monitor",
            "prometheusrules kueue-system/kueue-alerts",
            "configmaps monitoring/kueue-dashboard-core",
            "servicemonitors kueue-system/checks-checks-metrics-monitor",
            "prometheusrules kueue-system/checks-checks-alerts",
            "configmaps monitoring/checks-dashboard-admission-checks");
  }

  private Release install(String chart, String release, Path values) {
    return Chart.named(chart)
        .helm()
        .install()
        .withName(release)
        .withNamespace(NAMESPACE)
        .withValuesFile(values)
        .withKubeConfig(kubeconfig)
        .call();
  }

  private Release upgrade(String chart, String release) {
    return Chart.named(chart)
        .helm()
        .upgrade()
        .withName(release)
        .withNamespace(NAMESPACE)
        .resetThenReuseValues()
        .withKubeConfig(kubeconfig)
        .call();
  }
}
