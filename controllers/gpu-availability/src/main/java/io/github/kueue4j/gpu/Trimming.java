// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.sdk.PodWorkloads;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeSpec;
import io.kubernetes.client.openapi.models.V1NodeStatus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodStatus;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keeps of every pod, Job and node only what counting needs, to save memory. */
final class Trimming {

  private Trimming() {}

  static V1Pod pod(V1Pod pod) {
    V1Pod kept = new V1Pod().apiVersion(pod.getApiVersion()).kind(pod.getKind());
    if (pod.getMetadata() != null) {
      V1ObjectMeta metadata = owned(pod.getMetadata());
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
      kept.setSpec(
          new V1PodSpec()
              .nodeName(spec.getNodeName())
              .overhead(spec.getOverhead())
              .resources(spec.getResources())
              .initContainers(containers(spec.getInitContainers()))
              .containers(containers(spec.getContainers())));
    }
    if (pod.getStatus() != null) {
      kept.setStatus(new V1PodStatus().phase(pod.getStatus().getPhase()));
    }
    return kept;
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
      kept.setSpec(new V1NodeSpec().unschedulable(node.getSpec().getUnschedulable()));
    }
    V1NodeStatus status = node.getStatus();
    if (status != null) {
      kept.setStatus(
          new V1NodeStatus()
              .allocatable(status.getAllocatable())
              .conditions(status.getConditions()));
    }
    return kept;
  }

  private static List<V1Container> containers(@Nullable List<V1Container> containers) {
    if (containers == null) {
      return List.of();
    }
    return containers.stream()
        .map(
            container ->
                new V1Container()
                    .name(container.getName())
                    .restartPolicy(container.getRestartPolicy())
                    .resources(container.getResources()))
        .toList();
  }
}
