// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodStatus;
import java.util.Set;
import org.apiguardian.api.API;

/** The meanings of a pod's phase. */
@API(status = API.Status.INTERNAL)
public final class PodPhases {
  private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

  private PodPhases() {}

  /**
   * Whether no container of the pod runs any more, whatever keeps the object. A pod that is being
   * deleted runs until then, and so does one without a phase.
   */
  public static boolean ended(V1Pod pod) {
    V1PodStatus status = pod.getStatus();
    return status != null && status.getPhase() != null && ENDED.contains(status.getPhase());
  }
}
