// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.rights;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.e2e.assembly.WindableTime;
import io.github.kueue4j.e2e.cluster.ClusterWait;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.informer.Change;
import io.github.kueue4j.runtime.informer.Informers;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.testdefaults.Patience;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1JobStatus;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Users who bring a core and its checks into every situation that makes them ask the API for
 * something: admission, delayed retries of each check, rejection, eviction by a stopped queue,
 * changed and deleted Jobs, deleted queues, flavors and checks.
 */
final class EverySituation implements AutoCloseable {
  private static final String NAMESPACE = "rights";
  private final EmbeddedApiServer server;
  private final KubernetesApi api;
  private final ClusterWait wait;
  private final Informers informers;

  /** Its entry is reset as soon as the Workload is admitted, which users may be too late to see. */
  private final AtomicBoolean gpuCheckHasSaidRetry = new AtomicBoolean();

  /** Users of this server, who may do anything, and watch the Workloads; time passes meanwhile. */
  EverySituation(EmbeddedApiServer server, ClusterConnection users, WindableTime time) {
    this.server = server;
    this.api = users.api();
    this.wait = ClusterWait.on(api, Patience.LIMIT).passing(time, Duration.ofSeconds(5));
    this.informers = Informers.on(users);
    informers.of(KueueTypes.WORKLOAD).inNamespace(NAMESPACE).register().onChange(this::changed);
    informers.start();
  }

  private void changed(Change<Workload> change) {
    change
        .object()
        .status()
        .admissionCheck("gpu")
        .filter(entry -> entry.is(CheckState.RETRY))
        .ifPresent(entry -> gpuCheckHasSaidRetry.set(true));
  }

  @Override
  public void close() {
    informers.close();
  }

  /**
   * Holds the GPUs until the GPU check has said Retry. Called before that starts: one that has yet
   * to see the pod would say Ready.
   */
  void occupyTheGpus() {
    server.apply(
        """
        {apiVersion: v1, kind: Namespace, metadata: {name: %1$s}}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: service, namespace: %1$s}
        spec:
          nodeName: gpu-1
          containers:
            - name: serve
              image: example.invalid/serve:1
              resources: {requests: {nvidia.com/gpu: 8}, limits: {nvidia.com/gpu: 8}}
        """
            .formatted(NAMESPACE));
  }

  void bringAbout() throws IOException {
    try (InputStream in = EverySituation.class.getResourceAsStream("queues.yaml")) {
      server.apply(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
    // Of the nodes with GPUs only one has so many CPUs, and the service is on it.
    job("train", "checked", "1m", "cpu: 8, nvidia.com/gpu: 4");
    job("expensive", "checked", "1m", "cpu: 11");
    job("doomed", "hopeless", "1m", "cpu: 2");
    job("long", "plain", "10h", "cpu: 3");
    job("waiting", "plain", "1m", "cpu: 3");
    stopAndResume();
    until("both are approved", () -> isApproved("train") && isApproved("expensive"));
    until("the GPU check says Retry", gpuCheckHasSaidRetry::get);
    delete(CoreTypes.POD, in("service"));
    until("train is complete", () -> isComplete("train"));
    patch(Policy.BUDGETS, in("own"), "{'spec':{'limit':100}}");
    until("expensive is complete", () -> isComplete("expensive"));
    until("something is deactivated", this::somethingIsDeactivated);
    until("the Cohort has a status", this::theCohortHasAStatus);
    deleteEverything();
  }

  private void stopAndResume() {
    until("long runs", () -> isRunning("long"));
    patch(
        KueueTypes.CLUSTER_QUEUE,
        ObjectKey.cluster("plain"),
        "{'spec':{'stopPolicy':'HoldAndDrain'}}");
    until("long stops", () -> !isRunning("long"));
    patch(CoreTypes.JOB, in("waiting"), "{'spec':{'parallelism':2}}");
    patch(KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster("plain"), "{'spec':{'stopPolicy':'None'}}");
    until("long runs", () -> isRunning("long"));
    // Not what was admitted any more: its Workload is replaced.
    patch(CoreTypes.JOB, in("long"), "{'spec':{'parallelism':2}}");
    until("long stops", () -> !isRunning("long"));
    delete(CoreTypes.JOB, in("long"));
  }

  private void deleteEverything() {
    for (String name : List.of("train", "doomed", "waiting", "expensive")) {
      delete(CoreTypes.JOB, in(name));
    }
    for (String name : List.of("checked", "hopeless", "plain")) {
      delete(KueueTypes.LOCAL_QUEUE, in(name));
      delete(KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster(name));
    }
    untilNoneIsLeft(KueueTypes.CLUSTER_QUEUE);
    delete(KueueTypes.RESOURCE_FLAVOR, ObjectKey.cluster("default"));
    for (String name :
        List.of(
            "budget",
            "gpu",
            "capacity",
            "no-capacity",
            "http",
            "latency",
            "rules",
            "person",
            "after")) {
      delete(KueueTypes.ADMISSION_CHECK, ObjectKey.cluster(name));
    }
    untilNoneIsLeft(KueueTypes.RESOURCE_FLAVOR);
    untilNoneIsLeft(KueueTypes.ADMISSION_CHECK);
  }

  private void job(String name, String queue, String runtime, String limits) {
    boolean queued = !queue.isEmpty();
    server.apply(
        """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: %s
          namespace: %s
          labels: {%s}
          annotations: {simulation.kueue4j.io/runtime: %s}
        spec:
          suspend: %s
          parallelism: 1
          completions: %d
          template:
            spec:
              restartPolicy: Never
              priorityClassName: urgent
              containers: [{name: main, image: example.invalid/main, resources: {limits: {%s}}}]
        """
            .formatted(
                name,
                NAMESPACE,
                queued ? "kueue.x-k8s.io/queue-name: " + queue : "",
                runtime,
                queued,
                queue.equals("plain") ? 2 : 1, // more pods at once later; completions stay
                limits));
  }

  /** Approves the Job's Workload, once there is one. */
  private boolean isApproved(String job) {
    Optional<Workload> workload =
        api.list(KueueTypes.WORKLOAD, ListOptions.inNamespace(NAMESPACE)).items().stream()
            .filter(each -> each.key().name().startsWith("job-" + job + "-"))
            .findFirst();
    workload.ifPresent(
        each ->
            server.apply(
                """
                apiVersion: checks.kueue4j.io/v1alpha1
                kind: Approval
                metadata:
                  name: %1$s
                  namespace: %2$s
                  ownerReferences:
                  - {apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, name: %3$s, uid: %4$s}
                spec:
                  check: person
                  decision: Approve
                  by: system:admin
                  workload: {name: %3$s, uid: %4$s}
                """
                    .formatted(job, NAMESPACE, each.key().name(), each.metadata().getUid())));
    return workload.isPresent();
  }

  private static ObjectKey in(String name) {
    return new ObjectKey(NAMESPACE, name);
  }

  private void patch(ResourceType<?> type, ObjectKey key, String singleQuotedJson) {
    patchAs(type, key, singleQuotedJson.replace('\'', '"'));
  }

  private <T extends KubernetesObject> void patchAs(
      ResourceType<T> type, ObjectKey key, String json) {
    api.patch(type, key, new MergePatch(JsonParser.parseString(json).getAsJsonObject()));
  }

  private void delete(ResourceType<?> type, ObjectKey key) {
    api.delete(type, key, DeleteOptions.background());
  }

  private void untilNoneIsLeft(ResourceType<?> type) {
    until(
        "no " + type.kind() + " is left",
        () -> api.list(type, ListOptions.all()).items().isEmpty());
  }

  private void until(String what, BooleanSupplier condition) {
    wait.until(what, condition::getAsBoolean);
  }

  private boolean isRunning(String job) {
    return has(job, status -> status.getActive() != null && status.getActive() > 0);
  }

  private boolean isComplete(String job) {
    return has(
        job,
        status ->
            status.getConditions() != null
                && status.getConditions().stream()
                    .anyMatch(condition -> condition.getType().equals("Complete")));
  }

  private boolean has(String job, Predicate<V1JobStatus> what) {
    return Optional.ofNullable(api.get(CoreTypes.JOB, in(job)).orElseThrow().getStatus())
        .filter(what)
        .isPresent();
  }

  private boolean somethingIsDeactivated() {
    return api.list(KueueTypes.WORKLOAD, ListOptions.inNamespace(NAMESPACE)).items().stream()
        .anyMatch(workload -> Boolean.FALSE.equals(workload.spec().active()));
  }

  /** Statuses are written some time after the change. */
  private boolean theCohortHasAStatus() {
    return api.get(KueueTypes.COHORT, ObjectKey.cluster("everyone"))
        .filter(cohort -> cohort.status().fairSharing() != null)
        .isPresent();
  }
}
