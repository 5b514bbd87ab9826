// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.benchmark;

import static io.github.kueue4j.jobs.testing.FromYaml.read;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Cohort;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.state.State;
import io.github.kueue4j.jobs.Trimming;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** The objects of a large cluster, as the informers hand them to the State. */
final class ScaleObjects {
  private static final String NAMESPACE = "team";
  private static final String PREFIX = "job-";
  private static final int SHAPES = 20;

  private final ScaleSize size;
  private final String policies;
  private long versions;

  /**
   * Objects for a cluster.
   *
   * @param policies further fields of each ClusterQueue's spec, as the inside of a YAML flow
   *     mapping
   */
  ScaleObjects(ScaleSize size, String policies) {
    this.size = size;
    this.policies = policies;
  }

  /** Tells the State of the flavors, Cohorts and queues. */
  void tellQueues(State state, Instant now) {
    state.configObjects().namespace(NAMESPACE, Map.of());
    for (String flavor : new String[] {"on-demand", "spot"}) {
      state
          .configObjects()
          .flavor(
              flavor, read(ResourceFlavor.class, "{metadata: {name: %s}}".formatted(flavor)), now);
    }
    for (int number = 0; number < size.cohorts(); number++) {
      Cohort cohort = cohort(number);
      state.configObjects().cohort(cohortName(number), cohort, now);
    }
    for (int number = 0; number < size.queues(); number++) {
      state.configObjects().clusterQueue(queueName(number), clusterQueue(number), now);
    }
    for (int number = 0; number < size.queues(); number++) {
      String name = queueName(number);
      LocalQueue queue =
          read(
              LocalQueue.class,
              "{metadata: {name: %1$s, namespace: %2$s}, spec: {clusterQueue: %1$s}}"
                  .formatted(name, NAMESPACE));
      state.configObjects().localQueue(new ObjectKey(NAMESPACE, name), queue, now);
    }
  }

  static String queueName(int number) {
    return "queue-" + number;
  }

  private static String cohortName(int number) {
    return "cohort-" + number;
  }

  private Cohort cohort(int number) {
    Integer parent = size.parentOf(number);
    return read(
        Cohort.class,
        "{metadata: {name: %s}, spec: {%s}}"
            .formatted(
                cohortName(number), parent == null ? "" : "parentName: " + cohortName(parent)));
  }

  private ClusterQueue clusterQueue(int number) {
    return read(
        ClusterQueue.class,
        """
        {metadata: {name: %s}, spec: {cohortName: %s, namespaceSelector: {}, resourceGroups: [
          {coveredResources: [cpu, memory], flavors: [
            {name: on-demand, resources: [
              {name: cpu, nominalQuota: %d}, {name: memory, nominalQuota: 1Ti}]},
            {name: spot, resources: [
              {name: cpu, nominalQuota: 0}, {name: memory, nominalQuota: 1Ti}]}]}]%s}}
        """
            .formatted(
                queueName(number),
                cohortName(size.cohortOf(number)),
                ScaleSize.CORES_OF_A_QUEUE,
                policies.isEmpty() ? "" : ", " + policies));
  }

  /**
   * A Workload of one core that waits, of one of 20 shapes in its queue: four priorities and five
   * sizes of memory.
   *
   * @param number decides about its queue and its shape
   */
  Workload waiting(long number) {
    long place = number / size.queues();
    String name = PREFIX + number;
    Workload workload =
        KueueJson.fromJson(
            """
            {"metadata": {"name": "%1$s", "namespace": "%2$s",
                "uid": "0b54cdc6-6b77-4b7a-9d1c-%3$012d", "resourceVersion": "%4$d",
                "creationTimestamp": "2026-01-05T07:00:00Z", "generation": 1,
                "finalizers": ["kueue.x-k8s.io/resource-in-use"]},
              "spec": {"queueName": "%5$s", "priority": %6$d, "active": true,
                "podSets": [{"name": "main", "count": 1, "template": {"spec": {
                  "restartPolicy": "Never", "containers": [{"name": "main",
                    "image": "example.com/app:1", "resources": {"requests": {
                      "cpu": "1", "memory": "%7$dGi"}}}]}}}]}}
            """
                .formatted(
                    name,
                    NAMESPACE,
                    number,
                    ++versions,
                    queueName((int) (number % size.queues())),
                    place % 4,
                    1 + place / 4 % 5),
            Workload.class);
    return Trimming.workload(workload, Optional.empty());
  }

  /** The number of a Workload in the same queue and of the same shape. */
  long numberLike(Workload workload, int serial) {
    long number = number(workload);
    long place = number / size.queues() % SHAPES + (long) SHAPES * serial;
    return number % size.queues() + place * size.queues();
  }

  int queueOf(Workload workload) {
    return (int) (number(workload) % size.queues());
  }

  private static long number(Workload workload) {
    return Long.parseLong(ObjectKey.of(workload).name().substring(PREFIX.length()));
  }

  /** The same Workload as the server stored it anew. */
  Workload stored(Workload workload) {
    V1ObjectMeta metadata = KueueJson.copyOf(workload.metadata(), V1ObjectMeta.class);
    metadata.setResourceVersion(String.valueOf(++versions));
    return workload.withMetadata(metadata);
  }
}
