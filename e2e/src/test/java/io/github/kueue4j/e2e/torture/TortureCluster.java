// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.torture;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckStatus;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.StopPolicy;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.github.kueue4j.runtime.patch.MergePatch;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/** The objects that stand before anything happens: one queue with checks, and what fills it. */
public final class TortureCluster {
  public static final String NAMESPACE = "torture";
  public static final String QUEUE = "main";

  /** What the AdmissionChecks of naive controllers name. */
  private static final String NAIVE = "example.com/naive";

  private TortureCluster() {}

  /**
   * Namespaces, a flavor, the checks and the queue.
   *
   * @param cpus the quota
   * @param checks whose controllers are hand-written; they are made Active here
   */
  static void create(KubernetesApi api, int cpus, List<String> checks, Instant now) {
    Manifests.parse(
            """
            {apiVersion: v1, kind: Namespace, metadata: {name: %1$s}}
            ---
            {apiVersion: v1, kind: Namespace, metadata: {name: kueue-system}}
            ---
            {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: default}}
            ---
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: ClusterQueue
            metadata: {name: %2$s}
            spec:
              namespaceSelector: {}
              resourceGroups:
              - coveredResources: [cpu]
                flavors: [{name: default, resources: [{name: cpu, nominalQuota: %3$d}]}]
              admissionChecksStrategy: {admissionChecks: [%4$s]}
            ---
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: LocalQueue
            metadata: {name: %2$s, namespace: %1$s}
            spec: {clusterQueue: %2$s}
            """
                .formatted(NAMESPACE, QUEUE, cpus, names(checks)))
        .createIn(api);
    checks.forEach(check -> naiveCheck(api, check, now));
  }

  /** Sets the checks that the queue asks for. */
  static void setChecks(KubernetesApi api, List<String> checks) {
    patchQueue(
        api, "{spec: {admissionChecksStrategy: {admissionChecks: [" + names(checks) + "]}}}");
  }

  /** Sets the queue's quota. */
  static void setQuota(KubernetesApi api, int cpus) {
    patchQueue(
        api,
        """
        {spec: {resourceGroups: [{coveredResources: [cpu],
          flavors: [{name: default, resources: [{name: cpu, nominalQuota: "%d"}]}]}]}}
        """
            .formatted(cpus));
  }

  /** Stops the queue, or lets it run with {@code None}. */
  static void setStopPolicy(KubernetesApi api, StopPolicy policy) {
    patchQueue(api, "{spec: {stopPolicy: " + policy + "}}");
  }

  private static void patchQueue(KubernetesApi api, String lenientJson) {
    api.patch(
        KueueTypes.CLUSTER_QUEUE,
        ObjectKey.cluster(QUEUE),
        new MergePatch(JsonParser.parseString(lenientJson).getAsJsonObject()));
  }

  private static String names(List<String> checks) {
    return checks.stream().map(name -> "{name: " + name + "}").collect(Collectors.joining(", "));
  }

  private static void naiveCheck(KubernetesApi api, String name, Instant now) {
    check(api, name, NAIVE);
    AdmissionCheck check =
        api.get(KueueTypes.ADMISSION_CHECK, ObjectKey.cluster(name)).orElseThrow();
    api.patchStatus(
        KueueTypes.ADMISSION_CHECK,
        GuardedPatch.ofStatus(
            check,
            check.withStatus(
                new AdmissionCheckStatus(
                    List.of(Condition.isTrue("Active", "Active", "It runs", now))))));
  }

  /** An AdmissionCheck of this controller. */
  static void check(KubernetesApi api, String name, String controller) {
    Manifests.parse(
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: AdmissionCheck
            metadata: {name: %s}
            spec: {controllerName: %s}
            """
                .formatted(name, controller))
        .createIn(api);
  }

  /** A Workload that stands for nothing but itself. */
  static String workload(String name, int cpus) {
    return """
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Workload
    metadata: {name: %s, namespace: %s}
    spec:
      queueName: %s
      podSets:
      - name: main
        count: 1
        template: {spec: {restartPolicy: Never, containers: [{name: c,
          image: example.invalid/c, resources: {requests: {cpu: %d}}}]}}
    """
        .formatted(name, NAMESPACE, QUEUE, cpus);
  }

  /** A Job, which the core gives a Workload. */
  static String job(String name, int cpus) {
    return job(name, cpus, "");
  }

  /** The same, run by this controller instead of the cluster's own. */
  static String jobOf(String controller, String name, int cpus) {
    return job(name, cpus, "managedBy: " + controller);
  }

  private static String job(String name, int cpus, String more) {
    return """
    apiVersion: batch/v1
    kind: Job
    metadata: {name: %s, namespace: %s, labels: {kueue.x-k8s.io/queue-name: %s}}
    spec:
      suspend: true
      template: {spec: {restartPolicy: Never, containers: [{name: c,
        image: example.invalid/c, resources: {requests: {cpu: %d}}}]}}
      %s
    """
        .formatted(name, NAMESPACE, QUEUE, cpus, more);
  }
}
