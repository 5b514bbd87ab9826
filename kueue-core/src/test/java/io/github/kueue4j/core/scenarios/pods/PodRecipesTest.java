// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.job.UnmanagedKind.Unread;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.core.testing.TestCluster;
import io.kubernetes.client.common.KubernetesObject;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Pods as Argo Workflows, Tekton and Spark create them: with their labels, owners, containers and
 * restart policy, and in their order. What the guide says of them is seen here.
 */
class PodRecipesTest {
  private static final ResourceType<CustomResource<Unread>> WORKFLOW =
      ResourceType.namespaced("argoproj.io/v1alpha1", "Workflow", Unread.class);
  private static final ResourceType<CustomResource<Unread>> TASK_RUN =
      ResourceType.namespaced("tekton.dev/v1", "TaskRun", Unread.class);

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
    cluster.cluster.apply(
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: %s
          namespace: team
          labels:
            workflows.argoproj.io/workflow: flow
            workflows.argoproj.io/completed: "false"
            kueue.x-k8s.io/queue-name: lq
          ownerReferences: %s
        spec:
          restartPolicy: Never
          initContainers:
            - {name: init, image: argoexec, resources: {requests: {cpu: 100m}}}
          containers:
            - {name: wait, image: argoexec, resources: {requests: {cpu: 100m}}}
            - {name: main, image: step, resources: {requests: {cpu: 900m}}}
        """
            .formatted(name, owner));
  }

  @Test
  void eachStepOfAWorkflowWaitsForItself() {
    try (PodsCluster cluster = new PodsCluster("default=1")) {
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

      // Preempted it is deleted; with retryStrategy the program makes one of another name.
      cluster.pod("high", "1", "kueue.x-k8s.io/priority-class: high", "");
      cluster.awaitPod("flow-a-2", Health::terminating);
      cluster.removed("flow-a-2");
      cluster.awaitGone("flow-a-2");
      step(cluster, "flow-a-3", owner);
      cluster.awaitPod("high", pod -> !PodsCluster.gated(pod));
      assertThat(cluster.waits("flow-a-3")).isTrue();
    }
  }

  private static void task(PodsCluster cluster, String name, String owner) {
    cluster.cluster.apply(
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: %s
          namespace: team
          labels: {tekton.dev/pipelineRun: run, tekton.dev/taskRun: run-build, kueue.x-k8s.io/queue-name: lq}
          annotations: {pipeline.tekton.dev/release: "v1"}
          ownerReferences: %s
        spec:
          restartPolicy: Never
          activeDeadlineSeconds: 5400
          initContainers:
            - {name: prepare, image: entrypoint}
            - {name: place-scripts, image: shell}
          containers:
            - {name: step-compile, image: build, resources: {requests: {cpu: 1}}}
            - {name: step-test, image: build, resources: {requests: {cpu: 1}}}
        """
            .formatted(name, owner));
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

  private static void spark(PodsCluster cluster, String name, String role, String owners) {
    cluster.cluster.apply(
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: %s
          namespace: team
          labels: {spark-role: %s, spark-app-selector: spark-1, kueue.x-k8s.io/queue-name: lq}
          ownerReferences: %s
        spec:
          restartPolicy: Never
          containers:
            - {name: spark, image: spark, resources: {requests: {cpu: 1}}}
        """
            .formatted(name, role, owners));
  }

  /** The driver makes its executors once it runs, and owns them. */
  @Test
  void theDriverAndEachExecutorOfSparkWaitForThemselves() {
    try (PodsCluster cluster = new PodsCluster("default=2")) {
      cluster.startCoreWithWebhooks();
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

      // At its end it deletes its executors, those that wait, too.
      List.of("pi-exec-1", "pi-exec-2").forEach(cluster::delete);
      cluster.removed("pi-exec-1");
      cluster.ends("pi-driver", "Succeeded");
      cluster.awaitGone("pi-exec-1");
      cluster.awaitGone("pi-exec-2");
      cluster.awaitWorkload(
          "pi-driver", workload -> TestCluster.isTrue(workload, WorkloadConditions.FINISHED));
      cluster.cluster.awaitThat("one is left", world -> world.workloads().size() == 1);
    }
  }
}
