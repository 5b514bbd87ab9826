// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.kubernetes.client.common.KubernetesObject;

/** Where tests find the Workload of a Job. */
public final class JobWorkloadKeys {
  private JobWorkloadKeys() {}

  /** The key of the Workload that the core makes for a Job, under the default feature gates. */
  public static ObjectKey of(ResourceType<?> type, KubernetesObject job) {
    return JobWorkload.keyOf(type, job, false);
  }
}
