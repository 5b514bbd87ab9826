// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.jobs.ServingKind;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.patch.MergePatch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kueue4j migrate} on a cluster as another implementation's chart leaves it. */
class MigrateCommandTest {
  private static final String DEFINITION =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: workloads.kueue.x-k8s.io}
      ---
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: cohorts.kueue.x-k8s.io, annotations: {helm.sh/resource-policy: keep}}
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: kueue-webhook-service}
      """;

  @TempDir private Path folder;

  private static EmbeddedApiServer server;
  private static ClusterConnection connection;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    server = EmbeddedApiServer.builder().objects(Crds.kueue()).start();
    connection = ClusterConnection.builder("migrate-test").url(server.uri()).connect();
    server.apply(
        """
        apiVersion: v1
        kind: Namespace
        metadata: {name: kueue-system}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: kueue-controller-manager
          namespace: kueue-system
          labels: {control-plane: controller-manager, helm.sh/chart: kueue-0.19.2}
        spec:
          replicas: 2
          selector: {matchLabels: {control-plane: controller-manager}}
          template:
            metadata: {labels: {control-plane: controller-manager}}
            spec: {containers: [{name: manager, image: "example.invalid/kueue:v0.19.2"}]}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: kueue-manager-config, namespace: kueue-system}
        data:
          controller_manager_config.yaml: |
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            integrations: {frameworks: [batch/job, sparkoperator.k8s.io/sparkapplication]}
            multiKueue: {}
        ---
        apiVersion: v1
        kind: Secret
        metadata:
          name: sh.helm.release.v1.kueue.v3
          namespace: kueue-system
          labels: {owner: helm, name: kueue, status: deployed}
        type: helm.sh/release.v1
        data: {release: "%s"}
        ---
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingWebhookConfiguration
        metadata: {name: kueue-validating-webhook-configuration}
        webhooks:
        - name: vclusterqueue.kb.io
          admissionReviewVersions: [v1]
          sideEffects: None
          failurePolicy: Ignore
          clientConfig: {service: {namespace: kueue-system, name: kueue-webhook-service}}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ResourceFlavor
        metadata: {name: racks}
        spec: {nodeLabels: {a: b}, topologyName: racks}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: AdmissionCheck
        metadata: {name: clusters}
        spec: {controllerName: kueue.x-k8s.io/multikueue}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: AdmissionCheck
        metadata: {name: nodes}
        spec: {controllerName: kueue.x-k8s.io/provisioning-request}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: AdmissionCheck
        metadata: {name: budget}
        spec: {controllerName: example.com/budget, pendingTimeoutSeconds: 60}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: single, namespace: default}
        spec: {containers: [{name: c, image: i}]}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: delayed, namespace: default}
        spec:
          queueName: main
          podSets: [{name: main, count: 1, template: {spec: {containers: [{name: c, image: i}]}}}]
        """
            .formatted(release(DEFINITION)));
    applyServerSide(
        "gitops",
        "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/"
            + "kueue-validating-webhook-configuration",
        """
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingWebhookConfiguration
        metadata: {name: kueue-validating-webhook-configuration, labels: {team: batch}}
        """);
    server.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata:
          name: pod-group
          namespace: default
          ownerReferences:
          - {apiVersion: v1, kind: Pod, name: single, uid: "%s"}
        spec:
          queueName: main
          podSets: [{name: main, count: 1, template: {spec: {containers: [{name: c, image: i}]}}}]
        """
            .formatted(
                Uids.of(
                    connection
                        .api()
                        .get(CoreTypes.POD, new ObjectKey("default", "single"))
                        .orElseThrow())));
    connection
        .api()
        .patchStatus(
            KueueTypes.WORKLOAD,
            new ObjectKey("default", "delayed"),
            patch(
                """
                {"status": {
                  "conditions": [
                    {"type": "Requeued", "status": "False", "reason": "AdmissionCheck", "message": "",
                     "lastTransitionTime": "2026-01-01T10:00:00Z"}],
                  "requeueState": {"requeueAt": "2040-01-01T00:00:00Z"}}}
                """));
  }

  /** As tools for GitOps do, which keep an object as they have it. */
  private static void applyServerSide(String manager, String path, String object)
      throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(
                      server.uri().resolve(path + "?force=true&fieldManager=" + manager))
                  .header("Content-Type", "application/apply-patch+yaml")
                  .method("PATCH", HttpRequest.BodyPublishers.ofString(object))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }
  }

  private static MergePatch patch(String json) {
    return new MergePatch(JsonParser.parseString(json).getAsJsonObject());
  }

  @AfterAll
  static void stop() {
    connection.close();
    server.close();
  }

  @Test
  void namesWhatStandsInTheWayWhatToDoAndWhatChanges() {
    CommandRun run = CommandRun.of("migrate", "check", "--server=" + server.uri());

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out())
        .contains("Stands in the way")
        .contains("line 3: integrations.frameworks names sparkoperator.k8s.io/sparkapplication")
        .contains("1 Workload of a group of core/Pod", "(default/pod-group)")
        .contains("1 ResourceFlavor with spec.topologyName", "admit nothing (racks)")
        .contains("AdmissionCheck clusters")
        .contains("To do")
        .contains("Deployment kueue-system/kueue-controller-manager", "2 replicas of")
        .contains("AdmissionCheck nodes", "its condition Active stays True")
        .contains("Helm release kueue-system/kueue", "workloads.kueue.x-k8s.io without")
        .contains("ValidatingWebhookConfiguration kueue-validating-webhook-configuration")
        .contains(
            "the field manager gitops",
            "ValidatingWebhookConfiguration kueue-validating-webhook-configuration by server-side")
        .contains("Will be different", "Nothing acts on multiKueue")
        .contains("belong to the field managers migrate-test (1)", "becomes kueue-core's")
        .contains("1 Workload (default/delayed)", "They are queued at once.")
        .contains("Workload: 2", "Workloads, backoff: 1", "Workloads, queued: 1")
        .doesNotContain("pendingTimeoutSeconds");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void theWayBackNamesWhatOthersDrop() {
    CommandRun run = CommandRun.of("migrate", "check", "--back", "--server=" + server.uri());

    assertThat(run.out())
        .contains("1 AdmissionCheck with spec.pendingTimeoutSeconds", "budget", "others drop it")
        .contains("requeueAt is set")
        .doesNotContain("core/Pod", "kueue-controller-manager");
  }

  @Test
  void jsonHasTheSame() {
    CommandRun run = CommandRun.of("migrate", "check", "-o", "json", "--server=" + server.uri());

    JsonObject answer = JsonParser.parseString(run.out()).getAsJsonObject();
    assertThat(answer.get("passes").getAsBoolean()).isFalse();
    assertThat(answer.getAsJsonArray("findings")).hasSizeGreaterThan(6);
    assertThat(answer.getAsJsonObject("objects").get("Workload").getAsInt()).isEqualTo(2);
  }

  @Test
  void anEmptyClusterPasses() {
    try (EmbeddedApiServer empty = EmbeddedApiServer.start()) {
      CommandRun run = CommandRun.of("migrate", "check", "--server=" + empty.uri());

      assertThat(run.status()).isZero();
      assertThat(run.out())
          .contains("No core and no configuration of one was found there")
          .contains("Nothing stands in the way.");
    }
  }

  @Test
  void onlyKindsThatTheConfigurationNamesAreManaged() throws IOException {
    Path config = folder.resolve("config.yaml");
    Files.writeString(
        config,
        """
        apiVersion: config.kueue.x-k8s.io/v1beta2
        kind: Configuration
        integrations: {frameworks: [jobset.x-k8s.io/jobset, pod]}
        """);
    try (EmbeddedApiServer cluster = EmbeddedApiServer.builder().objects(Crds.kueue()).start();
        ClusterConnection there =
            ClusterConnection.builder("migrate-test").url(cluster.uri()).connect()) {
      cluster.apply(
          """
          apiVersion: batch/v1
          kind: Job
          metadata: {name: training, namespace: default}
          spec:
            suspend: true
            template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}
          """);
      cluster.apply(
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: Workload
          metadata:
            name: job-training
            namespace: default
            ownerReferences:
            - {apiVersion: batch/v1, kind: Job, name: training, uid: "%s", controller: true}
          spec:
            queueName: main
            podSets: [{name: main, count: 1, template: {spec: {containers: [{name: c, image: i}]}}}]
          """
              .formatted(
                  Uids.of(
                      there
                          .api()
                          .get(CoreTypes.JOB, new ObjectKey("default", "training"))
                          .orElseThrow())));
      String server = "--server=" + cluster.uri();

      assertThat(CommandRun.of("migrate", "check", server).status()).isZero();
      cluster.apply(
          """
          apiVersion: v1
          kind: Pod
          metadata: {name: member, namespace: default}
          spec: {containers: [{name: c, image: i}]}
          """);
      cluster.apply(
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: Workload
          metadata:
            name: group
            namespace: default
            annotations: {kueue.x-k8s.io/is-group-workload: "true"}
            ownerReferences:
            - {apiVersion: v1, kind: Pod, name: member, uid: "%s"}
          spec:
            queueName: main
            podSets: [{name: main, count: 1, template: {spec: {containers: [{name: c, image: i}]}}}]
          """
              .formatted(
                  Uids.of(
                      there
                          .api()
                          .get(CoreTypes.POD, new ObjectKey("default", "member"))
                          .orElseThrow())));
      CommandRun run = CommandRun.of("migrate", "check", server, "--config=" + config);

      assertThat(run.status()).isEqualTo(1);
      assertThat(run.out())
          .contains("1 Workload of batch/Job", "(default/job-training)")
          .doesNotContain("core/Pod");
    }
  }

  /**
   * Each with what the move would do to it, as its user wrote it; a Job that has ended with none.
   */
  @Test
  void whatJobsAskForInVainIsNamed() {
    try (EmbeddedApiServer cluster = EmbeddedApiServer.builder().objects(Crds.kueue()).start();
        ClusterConnection there =
            ClusterConnection.builder("migrate-test").url(cluster.uri()).connect()) {
      cluster.apply(job("far", "", "managedBy: kueue.x-k8s.io/multikueue, suspend: true", "", ""));
      cluster.apply(job("far-too", "", "managedBy: kueue.x-k8s.io/multikueue", "", ""));
      cluster.apply(job("ended", "", "managedBy: kueue.x-k8s.io/multikueue", "", ""));
      cluster.apply(job("elastic", "kueue.x-k8s.io/elastic-job: 'true'", "suspend: true", "", ""));
      cluster.apply(
          job("racks", "", "", "kueue.x-k8s.io/podset-required-topology: example.com/rack", ""));
      String gate = "schedulingGates: [{name: kueue.x-k8s.io/topology}], ";
      cluster.apply(job("gated", "", "", "", gate));
      cluster.apply(job("waits", "", "suspend: true", "", gate));
      cluster.apply(
          job("gpus", "", "", "", "resourceClaims: [{name: g, resourceClaimTemplateName: g}], "));
      cluster.apply(
          job("nowhere", "", "", "", "")
              .replace("namespace: default", "namespace: kube-system")
              .replace("queue-name: main", "queue-name: Main"));
      there
          .api()
          .patchStatus(
              CoreTypes.JOB,
              new ObjectKey("default", "ended"),
              patch(
                  """
                  {"status": {
                    "startTime": "2026-01-01T10:00:00Z",
                    "conditions": [
                      {"type": "FailureTarget", "status": "True"},
                      {"type": "Failed", "status": "True"}]}}
                  """));

      CommandRun run = CommandRun.of("migrate", "check", "--server=" + cluster.uri());

      assertThat(run.status()).isEqualTo(1);
      String blocks = run.out().substring(0, run.out().indexOf("Will be different"));
      String changes = run.out().substring(blocks.length());
      assertThat(blocks)
          .contains("2 Jobs with spec.managedBy", "(default/far, default/far-too)")
          .contains("1 Job with metadata.annotations[kueue.x-k8s.io/elastic-job]")
          .contains("1 Job with spec.template.spec.resourceClaims", "(default/gpus)")
          .contains("1 Job with spec.template.spec.schedulingGates", "(default/gated)");
      assertThat(changes)
          .contains("1 Job with spec.template.spec.schedulingGates", "(default/waits)")
          .contains("podset-required-topology]", "any nodes of their flavor (default/racks)")
          .contains("1 Job with a queue in the namespace kube-system", "notin (kube-system")
          .contains("at once, without quota (kube-system/nowhere)")
          .contains("1 Job with metadata.labels[kueue.x-k8s.io/queue-name]");
    }
  }

  /** Not the pod of a Job, and not what names no queue. */
  @Test
  void whatNamesAQueueInVainIsNamed() throws IOException {
    try (EmbeddedApiServer cluster = EmbeddedApiServer.builder().objects(Crds.kueue()).start()) {
      cluster.apply(
          """
          {apiVersion: v1, kind: Pod, metadata: {name: shell, namespace: default,
            labels: {kueue.x-k8s.io/queue-name: main}}, spec: {containers: [{name: c, image: i}]}}
          ---
          {apiVersion: v1, kind: Pod, metadata: {name: plain, namespace: default},
            spec: {containers: [{name: c, image: i}]}}
          ---
          {apiVersion: v1, kind: Pod, metadata: {name: of-a-job, namespace: default,
            labels: {kueue.x-k8s.io/queue-name: main}, ownerReferences: [
              {apiVersion: batch/v1, kind: Job, name: j, uid: u, controller: true}]},
            spec: {containers: [{name: c, image: i}]}}
          ---
          {apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: default,
            labels: {kueue.x-k8s.io/queue-name: main}}, spec: {selector: {matchLabels: {a: b}},
            template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}}
          ---
          apiVersion: apiextensions.k8s.io/v1
          kind: CustomResourceDefinition
          metadata: {name: sparkapplications.sparkoperator.k8s.io}
          spec:
            group: sparkoperator.k8s.io
            names: {kind: SparkApplication, listKind: SparkApplicationList, plural: sparkapplications,
              singular: sparkapplication}
            scope: Namespaced
            versions:
            - {name: v1beta2, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
          ---
          {apiVersion: kueue.x-k8s.io/v1beta2, kind: AdmissionCheck, metadata: {name: licence},
            spec: {controllerName: example.com/licence}}
          """);
      cluster.apply(
          """
          {apiVersion: sparkoperator.k8s.io/v1beta2, kind: SparkApplication, metadata: {name: train,
            namespace: default, labels: {kueue.x-k8s.io/queue-name: main}}}
          """);

      CommandRun run = CommandRun.of("migrate", "check", "--server=" + cluster.uri());

      assertThat(run.status()).isEqualTo(1);
      assertThat(run.out())
          .contains("1 core/Pod with metadata.labels[kueue.x-k8s.io/queue-name]")
          .contains("runs without quota, whatever queue it names (default/shell)")
          .contains(
              "1 apps/Deployment with", "(default/web)", "Name the kind in integrations.frameworks")
          .contains("1 sparkoperator.k8s.io/SparkApplication with", "spec.driver.labels")
          .contains(
              "1 AdmissionCheck of other controllers", "doesn't show that one runs (licence)");
      Path file = folder.resolve("configuration.yaml");
      Files.writeString(
          file,
          """
          apiVersion: config.kueue.x-k8s.io/v1beta2
          kind: Configuration
          webhook: {port: 9443}
          integrations: {frameworks: [batch/job, pod]}
          """);
      assertThat(
              CommandRun.of("migrate", "check", "--server=" + cluster.uri(), "--config=" + file)
                  .out())
          .contains("1 apps/Deployment with")
          .doesNotContain("core/Pod");
      Files.writeString(
          file, Files.readString(file).replace("[batch/job, pod]", "[batch/job, pod, deployment]"));
      assertThat(
              CommandRun.of("migrate", "check", "--server=" + cluster.uri(), "--config=" + file)
                  .out())
          .contains(
              "1 apps/Deployment whose pod template names another queue or none", "(default/web)")
          .doesNotContain("1 apps/Deployment with");
    }
  }

  /** This core would be its controller, and leaves it alone. */
  @Test
  void aGroupThatAnotherCoreHasServeStandsInTheWay() throws Exception {
    try (EmbeddedApiServer older = EmbeddedApiServer.builder().objects(Crds.kueue()).start();
        ClusterConnection there =
            ClusterConnection.builder("migrate-test").url(older.uri()).connect()) {
      older.apply(
          """
          {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db, namespace: default},
            spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}},
            spec: {containers: [{name: c, image: i}]}}}}
          """);
      String uid =
          Uids.of(
              there
                  .api()
                  .get(ServingKind.ALL.get(1).type(), new ObjectKey("default", "db"))
                  .orElseThrow());
      older.apply(
          """
          {apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: of-a-set,
            namespace: default, annotations: {kueue.x-k8s.io/is-group-workload: "true"},
            ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: db, uid: "%s"}]},
            spec: {podSets: [{name: main, template: {spec: {containers: [{name: c, image: i}]}}}]}}
          """
              .formatted(uid));
      Path file = folder.resolve("configuration.yaml");
      Files.writeString(
          file,
          """
          apiVersion: config.kueue.x-k8s.io/v1beta2
          kind: Configuration
          webhook: {port: 9443}
          integrations: {frameworks: [batch/job, pod, statefulset]}
          """);

      CommandRun run =
          CommandRun.of("migrate", "check", "--server=" + older.uri(), "--config=" + file);

      assertThat(run.status()).isEqualTo(1);
      assertThat(run.out())
          .contains("1 Workload of a group of apps/StatefulSet", "(default/of-a-set)");
    }
  }

  /** A Job of the queue main; each of the others is the inside of a YAML flow mapping. */
  private static String job(
      String name, String annotations, String spec, String podAnnotations, String podSpec) {
    return """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: %s
          namespace: default
          labels: {kueue.x-k8s.io/queue-name: main}
          annotations: {%s}
        spec: {%stemplate: {metadata: {annotations: {%s}}, spec: {%srestartPolicy: Never,
          containers: [{name: c, image: i}]}}}
        """
        .formatted(name, annotations, spec.isEmpty() ? "" : spec + ", ", podAnnotations, podSpec);
  }

  @Test
  void storesEverythingInOneVersion() throws Exception {
    try (EmbeddedApiServer older = EmbeddedApiServer.builder().objects(Crds.kueue()).start();
        ClusterConnection there =
            ClusterConnection.builder("migrate-test").url(older.uri()).connect()) {
      older.apply(
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: Cohort
          metadata: {name: all}
          ---
          # A kind of the group that this core doesn't have, stored in its only version, whose name is odd.
          apiVersion: apiextensions.k8s.io/v1
          kind: CustomResourceDefinition
          metadata:
            name: topologies.kueue.x-k8s.io
            annotations: {api-approved.kubernetes.io: unapproved}
          spec:
            group: kueue.x-k8s.io
            scope: Cluster
            names: {kind: Topology, plural: topologies, singular: topology}
            versions:
            - name: alpha1
              served: true
              storage: true
              schema: {openAPIV3Schema: {type: object}}
          """);
      there
          .api()
          .patchStatus(
              CoreTypes.CUSTOM_RESOURCE_DEFINITION,
              ObjectKey.cluster(KueueTypes.COHORT.qualifiedName()),
              patch("{\"status\": {\"storedVersions\": [\"v1beta1\", \"v1beta2\"]}}"));
      String server = "--server=" + older.uri();
      assertThat(CommandRun.of("migrate", "check", server).out())
          .contains("CustomResourceDefinitions cohorts.kueue.x-k8s.io", "migrate storage");

      CommandRun run = CommandRun.of("migrate", "storage", server);

      assertThat(run.err()).isEmpty();
      assertThat(run.out())
          .contains("cohorts: 1 stored as v1beta2", "clusterqueues: nothing to do");
      assertThat(
              there
                  .api()
                  .get(
                      CoreTypes.CUSTOM_RESOURCE_DEFINITION,
                      ObjectKey.cluster(KueueTypes.COHORT.qualifiedName()))
                  .orElseThrow()
                  .getStatus()
                  .getStoredVersions())
          .isEqualTo(List.of("v1beta2"));
      assertThat(CommandRun.of("migrate", "check", server).status()).isZero();
    }
  }

  /** The data of a release's Secret: base64 of base64 of packed JSON. */
  private static String release(String manifest) throws IOException {
    JsonObject release = new JsonObject();
    release.addProperty("name", "kueue");
    release.addProperty("manifest", manifest);
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(release.toString().getBytes(StandardCharsets.UTF_8));
    }
    byte[] once = Base64.getEncoder().encode(packed.toByteArray());
    return Base64.getEncoder().encodeToString(once);
  }
}
