// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;

/** The right to read ClusterQueues, which a role in a namespace can't give. */
final class ClusterQueueRight {
  /** The start of a line that says what is left out where they may not be listed. */
  static final String MISSING =
      "you may not list ClusterQueues (that needs list of clusterqueues.kueue.x-k8s.io): ";

  /** The same where one may not be read. */
  static final String MISSING_GET =
      "you may not read the ClusterQueue (that needs get of clusterqueues.kueue.x-k8s.io): ";

  private ClusterQueueRight() {}

  /** Whether the user may list them. */
  static boolean mayList(KubernetesApi api) {
    try {
      api.list(KueueTypes.CLUSTER_QUEUE, ListOptions.all().withFieldSelector("metadata.name=none"));
      return true;
    } catch (KubernetesApiException.Forbidden e) {
      return false;
    }
  }
}
