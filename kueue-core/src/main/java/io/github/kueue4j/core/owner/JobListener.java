// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.ResourceType;
import io.kubernetes.client.common.KubernetesObject;
import org.apiguardian.api.API;

/** Is told what was done for Jobs. Called by the threads that reconcile Workloads. */
@API(status = API.Status.INTERNAL)
public interface JobListener {
  /** A Workload was created for a Job. */
  void workloadCreated(ResourceType<?> kind, KubernetesObject job);

  /** A Job of this framework runs on although it was suspended. */
  void suspensionUnheeded(String framework);
}
