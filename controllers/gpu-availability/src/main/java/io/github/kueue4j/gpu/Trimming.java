// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.api.PodRequests;
import io.github.kueue4j.sdk.objects.PodWorkloads;
import io.kubernetes.client.openapi.models.V1Affinity;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeCondition;
import io.kubernetes.client.openapi.models.V1NodeSpec;
import io.kubernetes.client.openapi.models.V1NodeStatus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodStatus;
import io.kubernetes.client.openapi.models.V1ResourceRequirements;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Keeps of every pod, Job and node only what counting needs, to save memory. */
final class Trimming {

  private Trimming() {}

  static V1Pod pod(V1Pod pod) {
    V1Pod kept = new V1Pod().apiVersion(pod.getApiVersion()).kind(pod.getKind());
    if (pod.getMetadata() != null) {
      V1ObjectMeta metadata =
          owned(pod.getMetadata()).deletionTimestamp(pod.getMetadata().getDeletionTimestamp());
      @Nullable Map<String, String> annotations = pod.getMetadata().getAnnotations();
      @Nullable String workload =
          annotations == null ? null : annotations.get(PodWorkloads.ANNOTATION);
      if (workload != null) {
        metadata.putAnnotationsItem(PodWorkloads.ANNOTATION, workload);
      }
      kept.setMetadata(metadata);
    }
    V1PodSpec spec = pod.getSpec();
    if (spec != null) {
      V1PodSpec counted =
          new V1PodSpec()
              .nodeName(spec.getNodeName())
              .containers(List.of(new V1Container().resources(total(pod))));
      kept.setSpec(spec.getNodeName() == null ? scheduled(counted, spec) : counted);
    }
    if (pod.getStatus() != null) {
      kept.setStatus(new V1PodStatus().phase(pod.getStatus().getPhase()));
    }
    return kept;
  }

  /** With what the scheduler goes by, as far as it concerns nodes. */
  private static V1PodSpec scheduled(V1PodSpec counted, V1PodSpec spec) {
    @Nullable V1Affinity affinity = spec.getAffinity();
    return counted
        .nodeSelector(spec.getNodeSelector())
        .tolerations(spec.getTolerations())
        .schedulingGates(spec.getSchedulingGates())
        .affinity(
            affinity == null || affinity.getNodeAffinity() == null
                ? null
                : new V1Affinity().nodeAffinity(affinity.getNodeAffinity()));
  }

  /** Only whose it is. */
  static V1Job job(V1Job job) {
    V1Job kept = new V1Job().apiVersion(job.getApiVersion()).kind(job.getKind());
    if (job.getMetadata() != null) {
      kept.setMetadata(owned(job.getMetadata()));
    }
    return kept;
  }

  private static V1ObjectMeta owned(V1ObjectMeta metadata) {
    return new V1ObjectMeta()
        .namespace(metadata.getNamespace())
        .name(metadata.getName())
        .uid(metadata.getUid())
        .resourceVersion(metadata.getResourceVersion())
        .ownerReferences(metadata.getOwnerReferences());
  }

  /** Without its list of images above all, which is long. */
  static V1Node node(V1Node node) {
    V1Node kept = new V1Node().apiVersion(node.getApiVersion()).kind(node.getKind());
    V1ObjectMeta metadata = node.getMetadata();
    if (metadata != null) {
      kept.setMetadata(
          new V1ObjectMeta()
              .name(metadata.getName())
              .uid(metadata.getUid())
              .resourceVersion(metadata.getResourceVersion())
              .labels(metadata.getLabels()));
    }
    if (node.getSpec() != null) {
      kept.setSpec(
          new V1NodeSpec()
              .unschedulable(node.getSpec().getUnschedulable())
              .taints(node.getSpec().getTaints()));
    }
    V1NodeStatus status = node.getStatus();
    if (status != null) {
      kept.setStatus(
          new V1NodeStatus()
              .allocatable(status.getAllocatable())
              .capacity(status.getCapacity())
              .conditions(readiness(status)));
    }
    return kept;
  }

  /** Without the time of its last heartbeat, so that a heartbeat changes nothing. */
  private static List<V1NodeCondition> readiness(V1NodeStatus status) {
    return Objects.requireNonNullElse(status.getConditions(), List.<V1NodeCondition>of()).stream()
        .filter(condition -> "Ready".equals(condition.getType()))
        .map(one -> new V1NodeCondition().type(one.getType()).status(one.getStatus()))
        .toList();
  }

  /** The total of the pod, as one container would request it. */
  private static V1ResourceRequirements total(V1Pod pod) {
    V1ResourceRequirements total = new V1ResourceRequirements();
    PodRequests.of(ResizedPod.spec(pod))
        .forEach((resource, amount) -> total.putRequestsItem(resource, amount.toClient()));
    return total;
  }
}
