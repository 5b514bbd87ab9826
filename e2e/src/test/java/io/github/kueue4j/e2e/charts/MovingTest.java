// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonParser;
import com.marcnuri.helm.Helm;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.cli.migrate.ClusterFacts;
import io.github.kueue4j.cli.migrate.Direction;
import io.github.kueue4j.cli.migrate.FactsReader;
import io.github.kueue4j.cli.migrate.Finding;
import io.github.kueue4j.cli.migrate.Preflight;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.webhook.WebhookRegistration;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1ValidatingWebhook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The steps of docs/guides/migration.md with Helm: from a chart that has the definitions among its
 * templates, as the other implementation's, to kueue-core and back. No object goes missing, and a
 * Job that runs keeps running.
 */
class MovingTest {
  private static final String NAMESPACE = "kueue-system";
  private static final String RELEASE = "kueue";
  private static final ObjectKey JOB = new ObjectKey("team", "training");

  @TempDir Path folder;
  private EmbeddedApiServer server;
  private ClusterConnection connection;
  private KubernetesApi api;
  private Path kubeconfig;

  @BeforeEach
  void start() {
    server = EmbeddedApiServer.start();
    connection = ClusterConnection.builder("moving-test").url(server.uri()).connect();
    api = connection.api();
    kubeconfig = server.kubeconfig(folder.resolve("kubeconfig"));
  }

  @AfterEach
  void stop() {
    connection.close();
    server.close();
  }

  @Test
  void everyObjectOutlivesTheMoveAndTheWayBack() throws Exception {
    Helm other = otherChart();
    other
        .install()
        .withName(RELEASE)
        .withNamespace(NAMESPACE)
        .createNamespace()
        .withKubeConfig(kubeconfig)
        .call();
    createQueuesAndRunningJob();
    Map<String, List<String>> before = objects();
    String workload = workload().key().name();

    List<Finding> findings = examine(Direction.IN);
    assertThat(Preflight.passes(findings)).as("%s", findings).isTrue();
    assertThat(findings)
        .extracting(Finding::subject)
        .containsExactlyInAnyOrder(
            "Helm release kueue-system/kueue",
            "Deployment kueue-system/kueue-controller-manager",
            "ValidatingWebhookConfiguration " + WebhookRegistration.VALIDATING);

    forgetRelease();
    delete("kueue-controller-manager");
    deleteWebhooks();
    installThisCore();
    assertThat(webhooks()).isNotEmpty().isSubsetOf(WebhookRegistration.names());
    assertThat(examine(Direction.IN)).isEmpty();
    runCoreUntilItHasSeen(workload);

    assertThat(objects()).isEqualTo(before);
    assertThat(workload().conditions().admitted()).isTrue();
    assertThat(api.get(CoreTypes.JOB, JOB).orElseThrow().getSpec().getSuspend()).isFalse();

    assertThat(Preflight.passes(examine(Direction.OUT))).isTrue();
    new PlayedHook(
            RELEASE, new ObjectKey(NAMESPACE, RELEASE + "-after-uninstall"), kubeconfig, kubeconfig)
        .uninstall();
    assertThat(objects()).isEqualTo(before);
    other.install().withName(RELEASE).withNamespace(NAMESPACE).withKubeConfig(kubeconfig).call();

    assertThat(objects()).isEqualTo(before);
    assertThat(workload().conditions().admitted()).isTrue();
  }

  /** Helm merges lists: a webhook that nothing serves keeps its objects from being created. */
  @Test
  void webhooksThatWereNotDeletedAreNamed() throws Exception {
    otherChart()
        .install()
        .withName(RELEASE)
        .withNamespace(NAMESPACE)
        .createNamespace()
        .withKubeConfig(kubeconfig)
        .call();
    forgetRelease();
    delete("kueue-controller-manager");

    installThisCore();

    assertThat(examine(Direction.IN))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.subject())
                  .isEqualTo("ValidatingWebhookConfiguration " + WebhookRegistration.VALIDATING);
              assertThat(finding.toString())
                  .contains("vdeployment.kb.io")
                  .doesNotContain("vjob.kb.io");
            });
    assertThat(Preflight.passes(examine(Direction.IN))).isFalse();

    deleteWebhooks();
    Chart.named("kueue-core")
        .helm()
        .upgrade()
        .withName(RELEASE)
        .withNamespace(NAMESPACE)
        .withKubeConfig(kubeconfig)
        .call();
    assertThat(examine(Direction.IN)).isEmpty();
  }

  private void installThisCore() {
    Chart.named("kueue-core")
        .helm()
        .install()
        .withName(RELEASE)
        .withNamespace(NAMESPACE)
        .withKubeConfig(kubeconfig)
        .call();
  }

  /** kubectl delete validatingwebhookconfiguration NAME. */
  private void deleteWebhooks() {
    assertThat(
            api.delete(
                CoreTypes.VALIDATING_WEBHOOK_CONFIGURATION,
                ObjectKey.cluster(WebhookRegistration.VALIDATING),
                DeleteOptions.background()))
        .isTrue();
  }

  private List<String> webhooks() {
    return api
        .get(
            CoreTypes.VALIDATING_WEBHOOK_CONFIGURATION,
            ObjectKey.cluster(WebhookRegistration.VALIDATING))
        .orElseThrow()
        .getWebhooks()
        .stream()
        .map(V1ValidatingWebhook::getName)
        .toList();
  }

  private List<Finding> examine(Direction direction) {
    ClusterFacts facts = FactsReader.read(connection, NAMESPACE, Optional.empty(), Instant.EPOCH);
    return Preflight.examine(facts, direction);
  }

  /** A chart of a manager and the definitions, none of them marked to be kept. */
  private Helm otherChart() throws IOException {
    Path chart = folder.resolve("other");
    Path templates = Files.createDirectories(chart.resolve("templates"));
    Files.writeString(
        chart.resolve("Chart.yaml"), "{apiVersion: v2, name: kueue, version: 0.19.2}\n");
    int number = 0;
    for (String definition : Crds.kueue()) {
      Files.writeString(templates.resolve("crd-" + number++ + ".yaml"), definition);
    }
    Files.writeString(
        templates.resolve("manager.yaml"),
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: kueue-controller-manager
          namespace: {{ .Release.Namespace }}
          labels: {control-plane: controller-manager, helm.sh/chart: kueue-0.19.2}
        spec:
          selector: {matchLabels: {control-plane: controller-manager}}
          template:
            metadata: {labels: {control-plane: controller-manager}}
            spec: {containers: [{name: manager, image: "example.invalid/kueue:v0.19.2"}]}
        ---
        apiVersion: v1
        kind: Service
        metadata: {name: kueue-webhook-service, namespace: {{ .Release.Namespace }}}
        spec: {ports: [{port: 443, targetPort: 9443}], selector: {control-plane: controller-manager}}
        ---
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingWebhookConfiguration
        metadata: {name: kueue-validating-webhook-configuration}
        webhooks:
        {{- range list "clusterqueue" "job" "deployment" }}
        - name: v{{ . }}.kb.io
          admissionReviewVersions: [v1]
          sideEffects: None
          clientConfig: {service: {namespace: kueue-system, name: kueue-webhook-service, path: /{{ . }}}}
        {{- end }}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: kueue-manager-config, namespace: {{ .Release.Namespace }}}
        data:
          controller_manager_config.yaml: |
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            integrations: {frameworks: [batch/job]}
        """);
    return new Helm(chart);
  }

  private void createQueuesAndRunningJob() throws InterruptedException {
    server.apply(
        """
        apiVersion: v1
        kind: Namespace
        metadata: {name: team}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ResourceFlavor
        metadata: {name: default}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: cq}
        spec:
          namespaceSelector: {}
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: default, resources: [{name: cpu, nominalQuota: 1}]}]
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: lq, namespace: team}
        spec: {clusterQueue: cq}
        ---
        apiVersion: batch/v1
        kind: Job
        metadata: {name: training, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq}}
        spec:
          suspend: true
          template:
            spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
              resources: {requests: {cpu: 1}}}]}
        """);
    try (TimeSource time = TimeSource.system();
        RunningCore core = core(time)) {
      assertThat(core.server()).isEqualTo(server.uri());
      await().untilAsserted(() -> assertThat(workload().conditions().admitted()).isTrue());
      await().until(() -> !api.get(CoreTypes.JOB, JOB).orElseThrow().getSpec().getSuspend());
    }
  }

  /** Goes on once this core has counted what runs. */
  private void runCoreUntilItHasSeen(String workload) throws InterruptedException {
    try (TimeSource time = TimeSource.system();
        RunningCore core = core(time)) {
      assertThat(core.server()).isEqualTo(server.uri());
      api.patchStatus(
          KueueTypes.CLUSTER_QUEUE,
          ObjectKey.cluster("cq"),
          new MergePatch(
              JsonParser.parseString("{\"status\": {\"admittedWorkloads\": 0}}")
                  .getAsJsonObject()));
      await()
          .until(
              () ->
                  api.get(KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster("cq"))
                          .orElseThrow()
                          .status()
                          .admittedWorkloads()
                      == 1);
      assertThat(workload().key().name()).isEqualTo(workload);
    }
  }

  private RunningCore core(TimeSource time) throws InterruptedException {
    return RunningCore.start(
        Target.of(kubeconfig),
        Configuration.parse(
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            leaderElection: {leaderElect: false}
            health: {healthProbeBindAddress: "0"}
            metrics: {bindAddress: "0"}
            """),
        time);
  }

  /** kubectl delete secret -n kueue-system -l owner=helm,name=kueue. */
  private void forgetRelease() {
    ListOptions ofHelm =
        ListOptions.inNamespace(NAMESPACE).withLabelSelector("owner=helm,name=" + RELEASE);
    for (V1Secret secret : api.list(CoreTypes.SECRET, ofHelm).items()) {
      assertThat(api.delete(CoreTypes.SECRET, ObjectKey.of(secret), DeleteOptions.background()))
          .isTrue();
    }
  }

  /** kubectl delete deployment -n kueue-system NAME. */
  private void delete(String deployment) {
    assertThat(
            api.delete(
                CoreTypes.DEPLOYMENT,
                new ObjectKey(NAMESPACE, deployment),
                DeleteOptions.background()))
        .isTrue();
  }

  private Workload workload() {
    return api.list(KueueTypes.WORKLOAD, ListOptions.inNamespace("team")).items().getFirst();
  }

  /** Name and UID of every object of the kinds, so that one that was made anew is noticed. */
  private Map<String, List<String>> objects() {
    return KueueTypes.ALL.stream()
        .collect(
            Collectors.toMap(
                type -> type.kind(),
                type ->
                    api.list(type, ListOptions.all()).items().stream()
                        .map(each -> ObjectKey.of(each) + " " + Uids.of(each))
                        .toList()));
  }
}
