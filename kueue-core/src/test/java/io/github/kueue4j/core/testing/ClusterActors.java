// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.testing;

import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.ApiTime;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.kubernetes.client.openapi.models.V1JobStatus;
import java.time.Instant;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What administrators, users, the controllers of checks and the Job controller do in a {@link
 * TestCluster}, through the API alone.
 */
public interface ClusterActors {
  /** The cluster that they act in. */
  TestCluster cluster();

  // Administrators and users.

  /** Creates the objects of a YAML text, or replaces those that exist. */
  default void apply(String yaml) {
    cluster().server.apply(yaml);
  }

  /** A flavor whose nodes have the label {@code flavor=<name>}. */
  default void flavor(String name) {
    apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ResourceFlavor
        metadata: {name: %1$s}
        spec: {nodeLabels: {flavor: %1$s}}
        """
            .formatted(name));
  }

  /**
   * A ClusterQueue {@code cq} with its LocalQueue {@code lq}.
   *
   * @param more further fields of the spec, as the inside of a YAML flow mapping
   * @param flavorsAndCpus such as {@code reserved=4}, in order
   */
  default void queue(String more, String... flavorsAndCpus) {
    StringBuilder flavors = new StringBuilder();
    for (String flavor : flavorsAndCpus) {
      int equals = flavor.indexOf('=');
      flavor(flavor.substring(0, equals));
      flavors
          .append(flavors.isEmpty() ? "" : ", ")
          .append("{name: ")
          .append(flavor, 0, equals)
          .append(", resources: [{name: cpu, nominalQuota: ")
          .append(flavor.substring(equals + 1))
          .append("}]}");
    }
    apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: cq}
        spec: {namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu], flavors: [%s]}]%s}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: lq, namespace: %s}
        spec: {clusterQueue: cq}
        """
            .formatted(flavors, more.isEmpty() ? "" : ", " + more, TestCluster.NAMESPACE));
  }

  /** An active AdmissionCheck that only the test answers. */
  default void check(String name) {
    check(name, "v1beta2");
  }

  /** The same, written in this version of the API. */
  default void check(String name, String version) {
    apply(
        """
        apiVersion: kueue.x-k8s.io/%s
        kind: AdmissionCheck
        metadata: {name: %s}
        spec: {controllerName: example.com/test}
        """
            .formatted(version, name));
    cluster()
        .api
        .patchStatus(
            KueueTypes.ADMISSION_CHECK,
            ObjectKey.cluster(name),
            TestCluster.merge(
                """
            {"status": {"conditions": [{"type": "Active", "status": "True", "reason": "Active",
              "message": "", "lastTransitionTime": "%s"}]}}
            """
                    .formatted(ApiTime.format(cluster().time.instant()))));
  }

  /** A suspended Job that asks for so many CPUs. */
  default void job(String name, int cpus) {
    job(name, cpus, "", true);
  }

  /**
   * A Job that asks for so many CPUs.
   *
   * @param podSpec further fields of its pods' spec, as the inside of a YAML flow mapping
   */
  default void job(String name, int cpus, String podSpec, boolean suspend) {
    apply(
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: %s, namespace: %s, labels: {kueue.x-k8s.io/queue-name: lq}}
        spec:
          suspend: %s
          template:
            spec: {restartPolicy: Never, %scontainers: [{name: main, image: busybox,
              resources: {requests: {cpu: %s}}}]}
        """
            .formatted(
                name,
                TestCluster.NAMESPACE,
                suspend,
                podSpec.isEmpty() ? "" : podSpec + ", ",
                cpus));
  }

  // The Job controller.

  /** The Job controller has created the pod. */
  default void podsRun(String job) {
    jobStatus(job, "\"active\": 1, " + startTime(job));
  }

  /** The Job controller has counted the pods of a Job. */
  default void pods(String job, int active, int ready) {
    jobStatus(job, "\"active\": %d, \"ready\": %d, ".formatted(active, ready) + startTime(job));
  }

  /** The Job controller has removed the pods. */
  default void podsGone(String job) {
    jobStatus(job, "\"active\": 0, \"ready\": 0");
  }

  /** The Job controller has told the pods to end, as it does for a Job that is suspended. */
  default void podsTerminate(String job, int terminating) {
    jobStatus(job, "\"active\": null, \"ready\": 0, \"terminating\": " + terminating);
  }

  /** The Job controller has created a pod, and it runs on this node. */
  default void pod(String job, String node) {
    String uid = cluster().job(job).getMetadata().getUid();
    apply(
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: %1$s-pod
          namespace: %2$s
          labels: {batch.kubernetes.io/job-name: %1$s, job-name: %1$s,
            batch.kubernetes.io/controller-uid: %3$s}
          ownerReferences: [{apiVersion: batch/v1, kind: Job, name: %1$s, uid: %3$s,
            controller: true}]
        spec: {nodeName: %4$s, restartPolicy: Never, containers: [{name: main, image: busybox}]}
        """
            .formatted(job, TestCluster.NAMESPACE, uid, node));
    cluster()
        .api
        .patchStatus(
            CoreTypes.POD,
            TestCluster.key(job + "-pod"),
            TestCluster.merge("{\"status\": {\"phase\": \"Running\"}}"));
  }

  /** The pod of {@link #pod} is deleted, and has 30 s to end. */
  default void deletePod(String job) {
    cluster().api.delete(CoreTypes.POD, TestCluster.key(job + "-pod"), DeleteOptions.background());
  }

  /** The kubelet has removed the pod of {@link #pod}, whose containers have ended. */
  default void podEnds(String job) {
    cluster()
        .api
        .delete(
            CoreTypes.POD,
            TestCluster.key(job + "-pod"),
            DeleteOptions.background().withGracePeriodSeconds(0));
  }

  /** The Job controller has seen the pod succeed. */
  default void jobSucceeds(String job) {
    jobStatus(
        job,
        """
        "active": 0, "ready": 0, "succeeded": 1, %s, "completionTime": "%s", "conditions": [
          {"type": "SuccessCriteriaMet", "status": "True"},
          {"type": "Complete", "status": "True", "message": "Job finished successfully"}]
        """
            .formatted(startTime(job), ApiTime.format(cluster().time.instant())));
  }

  private void jobStatus(String job, String fields) {
    cluster()
        .api
        .patchStatus(
            CoreTypes.JOB,
            TestCluster.key(job),
            TestCluster.merge("{\"status\": {" + fields + "}}"));
  }

  /** The field that says when the Job began: now, unless it runs already. */
  private String startTime(String job) {
    V1JobStatus status =
        cluster().api.get(CoreTypes.JOB, TestCluster.key(job)).orElseThrow().getStatus();
    Instant start =
        status == null || status.getStartTime() == null
            ? cluster().time.instant()
            : status.getStartTime().toInstant();
    return "\"startTime\": \"" + ApiTime.format(start) + '"';
  }

  // The controllers of checks.

  /** A check answers; other fields of its entry stay. */
  default void answer(
      String job, String check, CheckState state, @Nullable Integer requeueAfterSeconds) {
    answer(job, check, state, requeueAfterSeconds, cluster().time.instant());
  }

  /** A check answers whose clock is off. */
  default void answer(
      String job,
      String check,
      CheckState state,
      @Nullable Integer requeueAfterSeconds,
      Instant dated) {
    writeEntry(
        () -> cluster().workload(job),
        check,
        entry -> answered(entry, state, requeueAfterSeconds, dated));
  }

  /** The same, where no Job owns the Workload. */
  default void answerBare(
      String workload, String check, CheckState state, @Nullable Integer requeueAfterSeconds) {
    writeEntry(
        () -> cluster().api.get(KueueTypes.WORKLOAD, TestCluster.key(workload)).orElseThrow(),
        check,
        entry -> answered(entry, state, requeueAfterSeconds, cluster().time.instant()));
  }

  /** A check wants to have the quota at once, before it has answered. */
  default void requestPreemption(String job, String check) {
    writeEntry(() -> cluster().workload(job), check, entry -> entry.withPreemptionRequested(true));
  }

  private static AdmissionCheckState answered(
      AdmissionCheckState entry,
      CheckState state,
      @Nullable Integer requeueAfterSeconds,
      Instant now) {
    return entry
        .withState(state)
        .withLastTransitionTime(now)
        .withMessage(state + " by the test")
        .withRequeueAfterSeconds(requeueAfterSeconds);
  }

  /** Changes an entry once the core has made it; the core may write at the same moment. */
  default void writeEntry(
      Supplier<Workload> read, String check, UnaryOperator<AdmissionCheckState> change) {
    await()
        .ignoreExceptionsMatching(
            e ->
                e instanceof KubernetesApiException.Conflict || e instanceof NoSuchElementException)
        .untilAsserted(
            () -> {
              Workload before = read.get();
              AdmissionCheckState entry = before.status().admissionCheck(check).orElseThrow();
              Workload after =
                  before.withStatus(before.status().withAdmissionCheck(change.apply(entry)));
              cluster().api.patchStatus(KueueTypes.WORKLOAD, GuardedPatch.ofStatus(before, after));
            });
  }

  default void delete(String job) {
    cluster().api.delete(CoreTypes.JOB, TestCluster.key(job), DeleteOptions.background());
  }
}
