// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.scenarios.dryrun;

import io.github.kueue4j.core.config.Configuration;

/** Objects whose pods are queued, pods of groups, and the configuration of a core that has them. */
final class ServingManifests {
  static final String FRAMEWORKS =
      "integrations: {frameworks: [batch/job, pod, deployment, statefulset,"
          + " leaderworkerset.x-k8s.io/leaderworkerset]}\n";

  static final String LEADER_WORKER_SETS =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: leaderworkersets.leaderworkerset.x-k8s.io}
      spec:
        group: leaderworkerset.x-k8s.io
        names: {kind: LeaderWorkerSet, listKind: LeaderWorkerSetList, plural: leaderworkersets,
          singular: leaderworkerset}
        scope: Namespaced
        versions:
          - name: v1
            served: true
            storage: true
            schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
      """;

  private static final String QUEUED = "labels: {kueue.x-k8s.io/queue-name: lq}";

  private ServingManifests() {}

  /** The configuration of a core with all of these frameworks and webhooks. */
  static Configuration configuration(String more) {
    return Configuration.parse(
        "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\nwebhook: {port: 9443}\n"
            + FRAMEWORKS
            + more);
  }

  /** A Deployment in the LocalQueue lq, of the CPUs that each pod requests. */
  static String deployment(int replicas, int cpus) {
    return ofApps("Deployment", replicas, cpus);
  }

  /** A StatefulSet likewise. */
  static String statefulSet(int replicas, int cpus) {
    return ofApps("StatefulSet", replicas, cpus);
  }

  private static String ofApps(String kind, int replicas, int cpus) {
    return """
        apiVersion: apps/v1
        kind: %s
        metadata: {name: web, namespace: team, %s}
        spec:
          replicas: %d
          selector: {matchLabels: {app: web}}
          template: {metadata: {labels: {app: web}}, spec: %s}
        """
        .formatted(kind, QUEUED, replicas, pod(cpus));
  }

  /** A LeaderWorkerSet likewise, of groups of three pods. */
  static String leaderWorkerSet(int groups, int leaderCpus, int workerCpus) {
    return """
        apiVersion: leaderworkerset.x-k8s.io/v1
        kind: LeaderWorkerSet
        metadata: {name: web, namespace: team, %s}
        spec:
          replicas: %d
          leaderWorkerTemplate:
            size: 3
            leaderTemplate: {metadata: {labels: {app: web}}, spec: %s}
            workerTemplate: {metadata: {labels: {app: web}}, spec: %s}
        """
        .formatted(QUEUED, groups, pod(leaderCpus), pod(workerCpus));
  }

  /** A pod of the group g. */
  static String member(String name, int total, int cpus) {
    return """
        apiVersion: v1
        kind: Pod
        metadata:
          name: %s
          namespace: team
          labels: {kueue.x-k8s.io/queue-name: lq, kueue.x-k8s.io/pod-group-name: g}
          annotations: {kueue.x-k8s.io/pod-group-total-count: "%d"}
        spec: %s
        """
        .formatted(name, total, pod(cpus));
  }

  private static String pod(int cpus) {
    return "{containers: [{name: main, image: busybox, resources: {requests: {cpu: %d}}}]}"
        .formatted(cpus);
  }
}
