// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodStatus;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.util.Objects;

/**
 * A plain pod as caches keep it: the fields that a start and a stop write or depend on, and apart
 * from them the pod as a trimmed template. The whole conditions stay, since a stop adds one.
 */
final class TrimmedPod extends V1Pod {
  private final transient V1PodTemplateSpec template;
  private final transient String role;

  /**
   * Trims a pod.
   *
   * @param read its metadata is modified; the caller must not use it afterwards
   * @param template the whole pod as in a Workload
   * @param role of that template in a group; empty if it belongs to none
   */
  TrimmedPod(V1Pod read, V1PodTemplateSpec template, String role) {
    V1ObjectMeta metadata = Objects.requireNonNullElseGet(read.getMetadata(), V1ObjectMeta::new);
    Trimming.metadata(metadata);
    V1PodSpec spec = Objects.requireNonNullElseGet(read.getSpec(), V1PodSpec::new);
    V1PodStatus status = Objects.requireNonNullElseGet(read.getStatus(), V1PodStatus::new);
    setApiVersion(read.getApiVersion());
    setKind(read.getKind());
    setMetadata(metadata);
    setSpec(
        new V1PodSpec()
            .nodeName(spec.getNodeName())
            .priorityClassName(spec.getPriorityClassName())
            .nodeSelector(spec.getNodeSelector())
            .tolerations(spec.getTolerations())
            .schedulingGates(spec.getSchedulingGates()));
    setStatus(
        new V1PodStatus()
            .phase(status.getPhase())
            .message(status.getMessage())
            .conditions(status.getConditions()));
    this.template = Trimming.template(template);
    this.role = role;
  }

  String role() {
    return role;
  }

  V1PodTemplateSpec template() {
    return template;
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof TrimmedPod pod
            && template.equals(pod.template)
            && super.equals(other));
  }

  @Override
  public int hashCode() {
    return Objects.hash(super.hashCode(), template);
  }
}
