// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.cli.install.Definitions;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.webhook.WebhookRegistration;
import io.github.kueue4j.e2e.cluster.Cluster;
import io.github.kueue4j.e2e.cluster.ClusterWait;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.e2e.objects.QueueYaml;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.testdefaults.Patience;
import io.kubernetes.client.openapi.models.AdmissionregistrationV1WebhookClientConfig;
import io.kubernetes.client.openapi.models.V1MutatingWebhook;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import io.kubernetes.client.openapi.models.V1ValidatingWebhook;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Plain pods and pods that serve, of the controllers of Kubernetes, on a real API server that asks
 * the core's webhooks; the test writes into the pods' statuses what kubelets would.
 */
class RealServingTest {
  private static final ResourceType<V1StatefulSet> STATEFUL_SET =
      ResourceType.of("apps/v1", "StatefulSet", V1StatefulSet.class);

  private static final ObjectKey SERVICE = new ObjectKey("kueue-system", "kueue-webhook-service");

  private static final Configuration CONFIGURATION =
      Configuration.parse(
          """
          apiVersion: config.kueue.x-k8s.io/v1beta2
          kind: Configuration
          leaderElection: {leaderElect: false}
          health: {healthProbeBindAddress: "0"}
          metrics: {bindAddress: "0"}
          webhook: {port: 0, host: 127.0.0.1}
          integrations: {frameworks: [pod, deployment, statefulset]}
          """);

  private static final String TEMPLATE =
      """
      metadata: {labels: {app: %1$s%2$s}}
          spec: {terminationGracePeriodSeconds: 0, containers: [{name: main, image: example.invalid/main,
            resources: {requests: {cpu: 1}}}]}
      """;

  @Test
  void podsOfRealControllersAreQueuedServeAndGo() throws Exception {
    try (Cluster cluster = ScenarioCluster.binariesWith("deployment", "replicaset", "statefulset");
        ClusterConnection connection = Target.of(cluster.kubeconfig()).connect("users");
        TimeSource time = TimeSource.system();
        RunningCore core = start(cluster, connection.api(), time)) {
      KubernetesApi api = connection.api();
      register(api, core);
      ClusterWait wait = ClusterWait.on(api, Patience.LIMIT);
      wait.until("the webhooks are trusted", () -> trusted(api));
      wait.until("the API server has noticed that", () -> reviewed(api));
      apply(api, QueueYaml.ML.cpus(2));

      statefulSet(api);
      wait.until("its first pod may start", () -> started(api, "db-0"));
      assertThat(workloads(api)).singleElement().asString().startsWith("statefulset-db-");
      ready(api, "db-0");
      wait.until("so may the second", () -> started(api, "db-1"));
      ready(api, "db-1");

      deployment(api);
      wait.until("its pod has a Workload", () -> workloads(api).size() == 2);
      pod(api, "alone");
      wait.until("so has a single pod", () -> workloads(api).size() == 3);
      assertThat(gated(api)).as("there is quota for two pods").hasSize(2);

      api.patch(STATEFUL_SET, key("db"), merge("{\"spec\": {\"replicas\": 0}}"));
      wait.until("both run on its quota", () -> gated(api).isEmpty() && pods(api).size() == 2);
      wait.until("it has no Workload any more", () -> workloads(api).size() == 2);
      api.delete(STATEFUL_SET, key("db"), DeleteOptions.background());
      api.delete(CoreTypes.DEPLOYMENT, key("web"), DeleteOptions.background());
      api.patchStatus(
          CoreTypes.POD, key("alone"), merge("{\"status\": {\"phase\": \"Succeeded\"}}"));
      wait.until("the single pod is all that is left", () -> pods(api).size() == 1);
      api.delete(CoreTypes.POD, key("alone"), DeleteOptions.background());
      wait.until("no pod is left", () -> pods(api).isEmpty());
      wait.until("no Workload is left", () -> workloads(api).isEmpty());
    }
  }

  private static RunningCore start(Cluster cluster, KubernetesApi api, TimeSource time)
      throws InterruptedException {
    Definitions.installKueueUnconverted(api);
    apply(api, "{apiVersion: v1, kind: Namespace, metadata: {name: kueue-system}}");
    return RunningCore.start(Target.of(cluster.kubeconfig()), CONFIGURATION, time);
  }

  /** No service leads to this machine; a URL does. */
  private static void register(KubernetesApi api, RunningCore core) {
    WebhookRegistration registration =
        new WebhookRegistration(
            SERVICE,
            WebhookRegistration.allNamespacesBut(SERVICE.namespace()),
            CONFIGURATION.integrations(),
            null);
    var mutating = registration.mutating();
    mutating.getWebhooks().forEach(webhook -> at(core, webhook.getClientConfig()));
    api.create(CoreTypes.MUTATING_WEBHOOK_CONFIGURATION, mutating);
    var validating = registration.validating();
    validating.getWebhooks().forEach(webhook -> at(core, webhook.getClientConfig()));
    api.create(CoreTypes.VALIDATING_WEBHOOK_CONFIGURATION, validating);
  }

  /** The core has added the authority of its certificate. */
  private static boolean trusted(KubernetesApi api) {
    return Stream.concat(
            api.list(CoreTypes.MUTATING_WEBHOOK_CONFIGURATION, ListOptions.all()).items().stream()
                .flatMap(each -> each.getWebhooks().stream())
                .map(V1MutatingWebhook::getClientConfig),
            api.list(CoreTypes.VALIDATING_WEBHOOK_CONFIGURATION, ListOptions.all()).items().stream()
                .flatMap(each -> each.getWebhooks().stream())
                .map(V1ValidatingWebhook::getClientConfig))
        .allMatch(client -> client.getCaBundle() != null);
  }

  /** Its webhooks go by a copy of their configuration that is older than what it shows. */
  private static boolean reviewed(KubernetesApi api) {
    String probe = "{apiVersion: kueue.x-k8s.io/v1beta2, kind: %s, metadata: {name: probe}%s}";
    try {
      apply(api, probe.formatted("ResourceFlavor", ""));
      apply(api, probe.formatted("Cohort", ""));
      return true;
    } catch (KubernetesApiException.AlreadyExists e) {
      return true;
    } catch (KubernetesApiException.ServerFailure e) {
      return false;
    }
  }

  private static void at(RunningCore core, AdmissionregistrationV1WebhookClientConfig client) {
    String path = Objects.requireNonNull(client.getService()).getPath();
    client.service(null).url("https://localhost:" + core.webhookPort() + path);
  }

  private static void statefulSet(KubernetesApi api) {
    apply(
        api,
        """
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: db, namespace: ml, labels: {kueue.x-k8s.io/queue-name: main}}
        spec:
          replicas: 2
          serviceName: db
          selector: {matchLabels: {app: db}}
          template:
            %s
        """
            .formatted(TEMPLATE.formatted("db", "").strip()));
  }

  private static void deployment(KubernetesApi api) {
    apply(
        api,
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web, namespace: ml, labels: {kueue.x-k8s.io/queue-name: main}}
        spec:
          selector: {matchLabels: {app: web}}
          template:
            %s
        """
            .formatted(TEMPLATE.formatted("web", "").strip()));
  }

  private static void pod(KubernetesApi api, String name) {
    apply(
        api,
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, namespace: ml, labels: {kueue.x-k8s.io/queue-name: main}}
        spec: {restartPolicy: Never, terminationGracePeriodSeconds: 0, containers: [{name: main,
          image: example.invalid/main, resources: {requests: {cpu: 1}}}]}
        """
            .formatted(name));
  }

  private static void apply(KubernetesApi api, String yaml) {
    Manifests.parse(yaml).createIn(api);
  }

  private static ObjectKey key(String name) {
    return new ObjectKey("ml", name);
  }

  private static MergePatch merge(String json) {
    return new MergePatch(JsonParser.parseString(json).getAsJsonObject());
  }

  private static List<V1Pod> pods(KubernetesApi api) {
    return api.list(CoreTypes.POD, ListOptions.inNamespace("ml")).items();
  }

  private static List<String> gated(KubernetesApi api) {
    return pods(api).stream().filter(pod -> !runs(pod)).map(RealServingTest::name).toList();
  }

  private static String name(V1Pod pod) {
    return ObjectKey.of(pod).name();
  }

  private static boolean runs(V1Pod pod) {
    var gates = Objects.requireNonNull(pod.getSpec()).getSchedulingGates();
    return gates == null || gates.isEmpty();
  }

  private static boolean started(KubernetesApi api, String pod) {
    return api.get(CoreTypes.POD, key(pod)).filter(RealServingTest::runs).isPresent();
  }

  private static void ready(KubernetesApi api, String pod) {
    api.patchStatus(
        CoreTypes.POD,
        key(pod),
        merge(
            """
            {"status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True",
              "lastProbeTime": null, "lastTransitionTime": "2026-03-02T10:00:00Z"}]}}
            """));
  }

  private static List<String> workloads(KubernetesApi api) {
    return api.list(KueueTypes.WORKLOAD, ListOptions.inNamespace("ml")).items().stream()
        .map(workload -> ObjectKey.of(workload).name())
        .toList();
  }
}
