// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.soak;

import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.kubernetes.client.openapi.models.V1Job;

/** The objects of a soak. */
final class SoakObjects {
  /** The namespace of everything that comes. */
  static final String NAMESPACE = "kueue4j-soak";

  private static final String QUEUES =
      """
      apiVersion: v1
      kind: Namespace
      metadata: {name: kueue4j-soak}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: soak}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: AdmissionCheck
      metadata: {name: soak}
      spec: {controllerName: kueue4j.io/soak}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: plain}
      spec:
        cohortName: soak
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: soak, resources: [{name: cpu, nominalQuota: 10}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: checked}
      spec:
        cohortName: soak
        namespaceSelector: {}
        admissionChecksStrategy: {admissionChecks: [{name: soak}]}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: soak, resources: [{name: cpu, nominalQuota: 10k}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: contended}
      spec:
        namespaceSelector: {}
        preemption: {withinClusterQueue: LowerPriority}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: soak, resources: [{name: cpu, nominalQuota: 4}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: plain, namespace: kueue4j-soak}
      spec: {clusterQueue: plain}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: checked, namespace: kueue4j-soak}
      spec: {clusterQueue: checked}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: contended, namespace: kueue4j-soak}
      spec: {clusterQueue: contended}
      """;

  private static final String TEMPLATE =
      """
      {"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "none",
        "resources": {"requests": {"cpu": "%s"}}}]}}
      """;

  private SoakObjects() {}

  static void createQueues(KubernetesApi api) {
    Manifests.parse(QUEUES).createIn(api);
  }

  static ObjectKey key(SoakArrival arrival) {
    return new ObjectKey(NAMESPACE, arrival.name());
  }

  static V1Job job(SoakArrival arrival) {
    return KueueJson.fromJson(
        """
        {"metadata": {"name": "%s", "namespace": "%s",
           "labels": {"kueue.x-k8s.io/queue-name": "%s"},
           "annotations": {"simulation.kueue4j.io/runtime": "%dms"}},
         "spec": {"suspend": true, "template": %s}}
        """
            .formatted(
                arrival.name(),
                NAMESPACE,
                arrival.queue(),
                arrival.kind().runtime.toMillis(),
                TEMPLATE.formatted("100m")),
        V1Job.class);
  }

  static Workload workload(SoakArrival arrival) {
    return KueueJson.fromJson(
        """
        {"metadata": {"name": "%s", "namespace": "%s"},
         "spec": {"queueName": "%s", "priority": %d,
           "podSets": [{"name": "main", "count": 1, "template": %s}]}}
        """
            .formatted(
                arrival.name(),
                NAMESPACE,
                arrival.queue(),
                arrival.kind().priority,
                TEMPLATE.formatted("1")),
        Workload.class);
  }
}
