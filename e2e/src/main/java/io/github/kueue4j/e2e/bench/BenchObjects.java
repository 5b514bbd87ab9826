// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.bench;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The objects of a load: one namespace, one flavor, the queues, and the Workloads. */
final class BenchObjects {
  static final String NAMESPACE = "kueue4j-bench";
  private static final String FLAVOR = "kueue4j-bench";

  private final KubernetesApi api;
  private final List<BenchQueue> queues;

  BenchObjects(KubernetesApi api, Load load) {
    this.api = api;
    this.queues = BenchQueue.of(load);
  }

  /**
   * Creates everything but the Workloads.
   *
   * @throws InvalidLoadException if something of an earlier run is left
   */
  void createQueues() {
    try {
      api.create(
          CoreTypes.NAMESPACE, new V1Namespace().metadata(new V1ObjectMeta().name(NAMESPACE)));
    } catch (KubernetesApiException.AlreadyExists e) {
      throw new InvalidLoadException(
          "the namespace "
              + NAMESPACE
              + " is there already, from another run: wait for its end, or remove what it left with"
              + " 'kubectl delete namespace "
              + NAMESPACE
              + "' and 'kubectl delete clusterqueues,resourceflavors -l "
              + NAMESPACE
              + "'",
          e);
    }
    api.create(
        KueueTypes.RESOURCE_FLAVOR,
        KueueJson.fromJson(
            labelled("{\"metadata\": {\"name\": \"" + FLAVOR + "\"}}"), ResourceFlavor.class));
    for (BenchQueue queue : queues) {
      Load.QueueKind kind = queue.kind();
      String limit =
          kind.borrowingLimit() == null
              ? ""
              : ", \"borrowingLimit\": \"" + kind.borrowingLimit() + "\"";
      api.create(
          KueueTypes.CLUSTER_QUEUE,
          KueueJson.fromJson(
              labelled(
                  """
      {"metadata": {"name": "%1$s"},
       "spec": {
         "cohortName": "%2$s",
         "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "%3$s"}},
         "preemption": {"reclaimWithinCohort": "%4$s", "withinClusterQueue": "%5$s"},
         "resourceGroups": [{"coveredResources": ["cpu"], "flavors": [{"name": "%6$s",
           "resources": [{"name": "cpu", "nominalQuota": "%7$s"%8$s}]}]}]}}
      """
                      .formatted(
                          queue.name(),
                          NAMESPACE + "-" + queue.cohort(),
                          NAMESPACE,
                          kind.reclaimWithinCohort(),
                          kind.withinClusterQueue(),
                          FLAVOR,
                          kind.nominalQuota(),
                          limit)),
              ClusterQueue.class));
      api.create(
          KueueTypes.LOCAL_QUEUE,
          KueueJson.fromJson(
              """
      {"metadata": {"name": "%1$s", "namespace": "%2$s"}, "spec": {"clusterQueue": "%1$s"}}
      """
                  .formatted(queue.name(), NAMESPACE),
              LocalQueue.class));
    }
  }

  /** Whether a core has found every queue in order. */
  boolean active() {
    Set<String> active =
        api.list(KueueTypes.CLUSTER_QUEUE, ListOptions.all()).items().stream()
            .filter(queue -> Conditions.isTrue(queue.status().conditions(), "Active"))
            .map(queue -> ObjectKey.of(queue).name())
            .collect(Collectors.toUnmodifiableSet());
    return queues.stream().allMatch(queue -> active.contains(queue.name()));
  }

  void create(Arrival arrival) {
    api.create(
        KueueTypes.WORKLOAD,
        KueueJson.fromJson(
            """
      {"metadata": {"name": "%1$s", "namespace": "%2$s"},
       "spec": {"queueName": "%3$s", "priority": %4$d, "podSets": [{"name": "main", "count": 1,
         "template": {"spec": {"containers": [{"name": "c", "image": "none",
           "resources": {"requests": {"cpu": "%5$s"}}}]}}}]}}
      """
                .formatted(
                    arrival.name(),
                    NAMESPACE,
                    arrival.queue(),
                    arrival.kind().priority(),
                    arrival.kind().cpu()),
            Workload.class));
  }

  /** Removes the namespace with all in it, the queues and the flavor. */
  void delete() {
    for (BenchQueue queue : queues) {
      api.delete(
          KueueTypes.LOCAL_QUEUE,
          new ObjectKey(NAMESPACE, queue.name()),
          DeleteOptions.background());
      api.delete(
          KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster(queue.name()), DeleteOptions.background());
    }
    api.delete(KueueTypes.RESOURCE_FLAVOR, ObjectKey.cluster(FLAVOR), DeleteOptions.background());
    api.delete(CoreTypes.NAMESPACE, ObjectKey.cluster(NAMESPACE), DeleteOptions.background());
  }

  /** With the label by which leftovers are found. */
  private static String labelled(String json) {
    JsonObject object = JsonParser.parseString(json).getAsJsonObject();
    JsonObject labels = new JsonObject();
    labels.addProperty(NAMESPACE, "");
    object.getAsJsonObject("metadata").add("labels", labels);
    return object.toString();
  }
}
