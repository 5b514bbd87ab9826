// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.objects;

/**
 * A namespace with a queue for CPUs of the flavor {@code default}, as YAML.
 *
 * @param namespace of the LocalQueue
 * @param clusterQueue the ClusterQueue's name
 * @param localQueue the LocalQueue's name
 */
public record QueueYaml(String namespace, String clusterQueue, String localQueue) {
  /** The LocalQueue {@code main} of the namespace {@code ml}. */
  public static final QueueYaml ML = new QueueYaml("ml", "ml", "main");

  /** A queue with so many CPUs. */
  public String cpus(int cpus) {
    return cpus(cpus, "");
  }

  /**
   * A queue with so many CPUs: the Namespace, the ResourceFlavor, the ClusterQueue and the
   * LocalQueue.
   *
   * @param more further fields of the ClusterQueue's spec, as the inside of a flow mapping
   */
  public String cpus(int cpus, String more) {
    return """
        {apiVersion: v1, kind: Namespace, metadata: {name: %1$s}}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: default}}
        ---
        %4$s
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: %3$s, namespace: %1$s}
        spec: {clusterQueue: %2$s}
        """
        .formatted(namespace, clusterQueue, localQueue, clusterQueue(clusterQueue, cpus, more));
  }

  /**
   * A ClusterQueue for all namespaces.
   *
   * @param more further fields of its spec, as the inside of a flow mapping
   */
  public static String clusterQueue(String name, int cpus, String more) {
    return """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: %s}
        spec: {namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu], flavors: [
          {name: default, resources: [{name: cpu, nominalQuota: %d}]}]}]%s}"""
        .formatted(name, cpus, more.isEmpty() ? "" : ", " + more);
  }
}
