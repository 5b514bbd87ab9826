// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.bench;

import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.runtime.client.KubernetesApi;
import org.apiguardian.api.API;

/** A queue with room for some Workloads, and many that want it: before any core runs. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class WaitingObjects {
  /** The namespace of the queue and of what waits in it. */
  public static final String NAMESPACE = "kueue4j-bench";

  private static final String QUEUE =
      """
      apiVersion: v1
      kind: Namespace
      metadata: {name: kueue4j-bench}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: kueue4j-bench}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: kueue4j-bench}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: kueue4j-bench, resources: [{name: cpu, nominalQuota: ROOM}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: kueue4j-bench, namespace: kueue4j-bench}
      spec: {clusterQueue: kueue4j-bench}
      """;

  private static final String TEMPLATE =
      """
      {"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "none",
        "resources": {"requests": {"cpu": "1"}}}]}}
      """;

  private WaitingObjects() {}

  /**
   * Creates them.
   *
   * @param room how many of them the queue admits at once
   * @param jobs suspended Jobs of the kind, which have no Workloads yet
   * @param workloads Workloads without Jobs
   */
  public static void create(
      KubernetesApi api, int room, WaitingKind kind, int jobs, int workloads) {
    Manifests.parse(QUEUE.replace("ROOM", String.valueOf(room))).createIn(api);
    for (int i = 0; i < jobs; i++) {
      Manifests.parse(kind.object(i)).createIn(api);
    }
    for (int i = 0; i < workloads; i++) {
      api.create(
          KueueTypes.WORKLOAD,
          KueueJson.fromJson(
              """
              {"metadata": {"name": "workload-%d", "namespace": "%s"},
               "spec": {"queueName": "kueue4j-bench",
                 "podSets": [{"name": "main", "count": 1, "template": %s}]}}
              """
                  .formatted(i, NAMESPACE, TEMPLATE),
              Workload.class));
    }
  }
}
