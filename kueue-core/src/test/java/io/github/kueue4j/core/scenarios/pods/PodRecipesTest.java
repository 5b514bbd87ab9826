// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.jobs.FieldPath;
import io.github.kueue4j.jobs.UnmanagedKind.Unread;
import io.github.kueue4j.jobs.testing.FromYaml;
import io.github.kueue4j.testdefaults.Checkout;
import io.kubernetes.client.common.KubernetesObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Pods as Argo Workflows, Tekton and Spark create them from the blocks of docs/guides/workflows.md:
 * with their labels, owners, containers and restart policy, and in their order. What the guide says
 * of them is seen here.
 */
class PodRecipesTest {
  private static final ResourceType<CustomResource<Unread>> WORKFLOW =
      ResourceType.namespaced("argoproj.io/v1alpha1", "Workflow", Unread.class);
  private static final ResourceType<CustomResource<Unread>> TASK_RUN =
      ResourceType.namespaced("tekton.dev/v1", "TaskRun", Unread.class);

  /** The block of the guide under a heading. */
  private static String block(String program) {
    try {
      String page = Files.readString(Checkout.root().resolve("docs/guides/workflows.md"));
      String section = page.substring(page.indexOf("\n## " + program + "\n"));
      int start = section.indexOf('\n', section.indexOf("\n```") + 1) + 1;
      return section.substring(start, section.indexOf("\n```", start));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonObject object(String program) {
    return JsonParser.parseString(FromYaml.json(block(program))).getAsJsonObject();
  }

  private static JsonElement at(JsonObject object, String path) {
    return FieldPath.parse(path).in(object).orElseThrow();
  }

  private static JsonObject labels(JsonElement some, String more) {
    JsonObject labels = JsonParser.parseString(FromYaml.json(more)).getAsJsonObject();
    some.getAsJsonObject().asMap().forEach(labels::add);
    return labels;
  }

  /** An object of the program, of which only the uid matters here. */
  private static KubernetesObject owner(
      PodsCluster cluster, ResourceType<CustomResource<Unread>> type, String name) {
    cluster.cluster.server.applyCrds(
        List.of(
            """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: %1$s.%2$s}
            spec:
              group: %2$s
              names: {kind: %3$s, listKind: %3$sList, plural: %1$s}
              scope: Namespaced
              versions:
                - name: %4$s
                  served: true
                  storage: true
                  schema:
                    openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
            """
                .formatted(type.plural(), type.group(), type.kind(), type.version())));
    cluster.cluster.apply(
        "{apiVersion: %s, kind: %s, metadata: {name: %s, namespace: team}, spec: {}}"
            .formatted(type.apiVersion(), type.kind(), name));
    return cluster.cluster.api.get(type, TestCluster.key(name)).orElseThrow();
  }

  private static String controlledBy(ResourceType<?> type, String name, KubernetesObject owner) {
    return "[{apiVersion: %s, kind: %s, name: %s, uid: %s, controller: true}]"
        .formatted(type.apiVersion(), type.kind(), name, Uids.of(owner));
  }

  /** A step's pod: an init container, and one that waits for the main one. */
  private static void step(PodsCluster cluster, String name, String owner) {
    JsonObject workflow = object("Argo Workflows");
    JsonObject template = at(workflow, "spec.templates").getAsJsonArray().get(0).getAsJsonObject();
    assertThat(at(workflow, "metadata.namespace").getAsString()).isEqualTo("team");
    JsonObject main = template.getAsJsonObject("container");
    main.addProperty("name", "main");
    cluster.cluster.apply(
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: %s
          namespace: team
          labels: %s
          ownerReferences: %s
        spec:
          restartPolicy: Never
          initContainers:
            - {name: init, image: argoexec, resources: {requests: {cpu: 100m}}}
          containers:
            - {name: wait, image: argoexec, resources: {requests: {cpu: 100m}}}
            - %s
        """
            .formatted(
                name,
                labels(
                    at(workflow, "spec.podMetadata.labels"),
                    "{workflows.argoproj.io/workflow: flow, workflows.argoproj.io/completed: \"false\"}"),
                owner,
                main));
  }

  @Test
  void eachStepOfAWorkflowWaitsForItself() {
    try (PodsCluster cluster = new PodsCluster("default=2")) {
      cluster.startCoreWithWebhooks();
      String owner = controlledBy(WORKFLOW, "flow", owner(cluster, WORKFLOW, "flow"));
      step(cluster, "flow-a-1", owner);
      cluster.awaitPod("flow-a-1", pod -> !PodsCluster.gated(pod));
      cluster.runs("flow-a-1");
      step(cluster, "flow-a-2", owner);
      cluster.awaitWorkload("flow-a-2", made -> true);
      cluster.cluster.settle();
      cluster.awaitWorkload("flow-a-2", decided -> !TestCluster.admitted(decided));
      assertThat(cluster.waits("flow-a-2")).as("in parallel").isTrue();

      cluster.ends("flow-a-1", "Succeeded");
      cluster.awaitPod("flow-a-2", pod -> !PodsCluster.gated(pod));
      cluster.runs("flow-a-2");

      assertThat(
              at(
                      at(object("Argo Workflows"), "spec.templates")
                          .getAsJsonArray()
                          .get(0)
                          .getAsJsonObject(),
                      "retryStrategy.retryPolicy")
                  .getAsString())
          .isEqualTo("Always");
      // Preempted it is deleted; with its retryStrategy the program makes one of another name.
      cluster.pod("high", "1", "kueue.x-k8s.io/priority-class: high", "");
      cluster.awaitPod("flow-a-2", Health::terminating);
      cluster.removed("flow-a-2");
      cluster.awaitGone("flow-a-2");
      step(cluster, "flow-a-3", owner);
      cluster.awaitPod("high", pod -> !PodsCluster.gated(pod));
      assertThat(cluster.waits("flow-a-3")).isTrue();
    }
  }

  /** A task's pod: each step is a container. */
  private static void task(PodsCluster cluster, String name, String owner) {
    JsonObject run = object("Tekton");
    JsonObject task = at(run, "spec.pipelineSpec.tasks").getAsJsonArray().get(0).getAsJsonObject();
    JsonArray containers = new JsonArray();
    for (JsonElement each : at(task, "taskSpec.steps").getAsJsonArray()) {
      JsonObject step = each.getAsJsonObject();
      JsonObject container = new JsonObject();
      container.addProperty("name", "step-" + step.get("name").getAsString());
      container.add("image", step.get("image"));
      container.add("resources", step.get("computeResources"));
      containers.add(container);
    }
    cluster.cluster.apply(
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: %s
          namespace: team
          labels: %s
          annotations: {pipeline.tekton.dev/release: "v1"}
          ownerReferences: %s
        spec:
          restartPolicy: Never
          activeDeadlineSeconds: 5400
          initContainers:
            - {name: prepare, image: entrypoint}
            - {name: place-scripts, image: shell}
          containers: %s
        """
            .formatted(
                name,
                labels(
                    at(run, "metadata.labels"),
                    "{tekton.dev/pipelineRun: run, tekton.dev/taskRun: run-build}"),
                owner,
                containers));
  }

  /** All its steps are containers of one pod, which are there at once: their requests add up. */
  @Test
  void aTaskWaitsForAllItsStepsAndTheAffinityAssistantForItself() {
    try (PodsCluster cluster = new PodsCluster("default=3")) {
      cluster.startCoreWithWebhooks();
      String owner = controlledBy(TASK_RUN, "run-build", owner(cluster, TASK_RUN, "run-build"));
      task(cluster, "run-build-pod", owner);
      Workload workload = cluster.awaitWorkload("run-build-pod", TestCluster::admitted);
      assertThat(workload.status().admission().podSetAssignments().getFirst().resourceUsage())
          .hasToString("{cpu=2}");
      cluster.awaitPod("run-build-pod", pod -> !PodsCluster.gated(pod));
      cluster.runs("run-build-pod");
      task(cluster, "run-build-pod-retry1", owner);
      cluster.awaitWorkload("run-build-pod-retry1", made -> true);
      cluster.cluster.settle();
      cluster.awaitWorkload("run-build-pod-retry1", decided -> !TestCluster.admitted(decided));
      assertThat(cluster.waits("run-build-pod-retry1")).isTrue();

      // Labels of a PipelineRun are on its affinity assistant, too.
      PlayedStatefulSet assistant = new PlayedStatefulSet(cluster, "affinity-assistant");
      assistant.podsAreReviewed();
      assistant.queued(1);
      assistant.reach("it runs", () -> assistant.running().size() == 1);
      assertThat(assistant.workload().orElseThrow().spec().podSets())
          .extracting(PodSet::count)
          .containsExactly(1);
    }
  }

  /** What the command line says after {@code --conf}. */
  private static Map<String, String> sparkConfiguration() {
    return Pattern.compile("--conf (\\S+)=(\\S+)")
        .matcher(block("spark-submit"))
        .results()
        .collect(Collectors.toMap(found -> found.group(1), found -> found.group(2)));
  }

  private static void spark(PodsCluster cluster, String name, String role, String owners) {
    Map<String, String> configuration = sparkConfiguration();
    JsonObject labels = new JsonObject();
    String prefix = "spark.kubernetes." + role + ".label.";
    configuration.forEach(
        (key, value) -> {
          if (key.startsWith(prefix)) {
            labels.addProperty(key.substring(prefix.length()), value);
          }
        });
    cluster.cluster.apply(
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: %s
          namespace: %s
          labels: %s
          ownerReferences: %s
        spec:
          restartPolicy: Never
          containers:
            - {name: spark, image: spark, resources: {requests: {cpu: 1}}}
        """
            .formatted(
                name,
                configuration.get("spark.kubernetes.namespace"),
                labels(labels, "{spark-role: %s, spark-app-selector: spark-1}".formatted(role)),
                owners));
  }

  /** The driver makes its executors once it runs, and owns them. */
  @Test
  void theDriverAndEachExecutorOfSparkWaitForThemselves() {
    try (PodsCluster cluster = new PodsCluster("default=1")) {
      cluster.cluster.apply(
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: ClusterQueue
          metadata: {name: drivers}
          spec:
            namespaceSelector: {}
            resourceGroups:
              - coveredResources: [cpu]
                flavors: [{name: default, resources: [{name: cpu, nominalQuota: 1}]}]
          """);
      cluster.cluster.apply(
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: LocalQueue
          metadata: {name: drivers, namespace: team}
          spec: {clusterQueue: drivers}
          """);
      cluster.startCoreWithWebhooks();
      assertThat(sparkConfiguration()).containsEntry("spark.executor.instances", "4");
      spark(cluster, "pi-driver", "driver", "[]");
      cluster.awaitPod("pi-driver", pod -> !PodsCluster.gated(pod));
      cluster.runs("pi-driver");
      String driver = controlledBy(CoreTypes.POD, "pi-driver", cluster.pod("pi-driver"));
      spark(cluster, "pi-exec-1", "executor", driver);
      cluster.awaitPod("pi-exec-1", pod -> !PodsCluster.gated(pod));
      cluster.runs("pi-exec-1");
      spark(cluster, "pi-exec-2", "executor", driver);
      cluster.awaitWorkload("pi-exec-2", made -> true);
      cluster.cluster.settle();
      cluster.awaitWorkload("pi-exec-2", decided -> !TestCluster.admitted(decided));
      assertThat(cluster.waits("pi-exec-2")).as("it runs with fewer").isTrue();
      spark(cluster, "e-driver", "driver", "[]");
      cluster.awaitWorkload("e-driver", made -> true);
      cluster.cluster.settle();
      assertThat(cluster.waits("e-driver")).as("drivers have a queue of their own").isTrue();

      // At its end it deletes its executors, those that wait, too.
      List.of("pi-exec-1", "pi-exec-2").forEach(cluster::delete);
      cluster.removed("pi-exec-1");
      cluster.ends("pi-driver", "Succeeded");
      cluster.awaitGone("pi-exec-1");
      cluster.awaitGone("pi-exec-2");
      cluster.awaitWorkload(
          "pi-driver", workload -> TestCluster.isTrue(workload, WorkloadConditions.FINISHED));
      cluster.awaitPod("e-driver", pod -> !PodsCluster.gated(pod));
      cluster.cluster.awaitThat(
          "those of drivers are left", world -> world.workloads().size() == 2);
    }
  }
}
