// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.api.Quantity;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ContainerStatus;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodCondition;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodStatus;
import io.kubernetes.client.openapi.models.V1ResourceRequirements;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a pod whose containers are resized in place, by the scheduler's rule (KEP-1287,
 * "Scheduler and API Server Interaction"): of each resource of a container the most of what its
 * spec wants, what the kubelet has allocated and what is in effect. A resize that the node can
 * never grant takes nothing: only the latter two count then.
 */
final class ResizedPod {

  private static final String INFEASIBLE = "Infeasible";

  private ResizedPod() {}

  /**
   * The spec of the pod with these requests; the pod's own where no container has such a status.
   */
  static V1PodSpec spec(V1Pod pod) {
    V1PodSpec spec = Objects.requireNonNull(pod.getSpec());
    @Nullable V1PodStatus status = pod.getStatus();
    if (status == null) {
      return spec;
    }
    boolean infeasible = isInfeasible(status);
    return new V1PodSpec()
        .overhead(spec.getOverhead())
        .resources(spec.getResources())
        .initContainers(
            resized(spec.getInitContainers(), status.getInitContainerStatuses(), infeasible))
        .containers(resized(spec.getContainers(), status.getContainerStatuses(), infeasible));
  }

  private static List<V1Container> resized(
      @Nullable List<V1Container> containers,
      @Nullable List<V1ContainerStatus> statuses,
      boolean infeasible) {
    return Objects.requireNonNullElse(containers, List.<V1Container>of()).stream()
        .map(container -> resized(container, status(container, statuses), infeasible))
        .toList();
  }

  private static Optional<V1ContainerStatus> status(
      V1Container container, @Nullable List<V1ContainerStatus> statuses) {
    return Objects.requireNonNullElse(statuses, List.<V1ContainerStatus>of()).stream()
        .filter(status -> Objects.equals(status.getName(), container.getName()))
        .findFirst();
  }

  private static V1Container resized(
      V1Container container, Optional<V1ContainerStatus> status, boolean infeasible) {
    Map<String, Quantity> granted = new HashMap<>();
    status.ifPresent(
        one -> {
          raise(granted, one.getAllocatedResources());
          raise(granted, one.getResources() == null ? null : one.getResources().getRequests());
        });
    if (granted.isEmpty()) {
      return container;
    }
    @Nullable V1ResourceRequirements wanted = container.getResources();
    Map<String, Quantity> requests = new HashMap<>();
    if (wanted != null) {
      // A missing request counts as its limit.
      raise(requests, wanted.getLimits());
      ofClient(wanted.getRequests()).forEach(requests::put);
    }
    granted.forEach(
        (resource, amount) ->
            requests.merge(resource, amount, infeasible ? (one, other) -> other : Quantity::max));
    V1ResourceRequirements resources = new V1ResourceRequirements();
    requests.forEach((resource, amount) -> resources.putRequestsItem(resource, amount.toClient()));
    return new V1Container()
        .name(container.getName())
        .restartPolicy(container.getRestartPolicy())
        .resources(resources);
  }

  /** As Kubernetes tells it since 1.33 and before. */
  private static boolean isInfeasible(V1PodStatus status) {
    return INFEASIBLE.equals(status.getResize())
        || Objects.requireNonNullElse(status.getConditions(), List.<V1PodCondition>of()).stream()
            .anyMatch(
                one ->
                    "PodResizePending".equals(one.getType())
                        && "True".equals(one.getStatus())
                        && INFEASIBLE.equals(one.getReason()));
  }

  private static void raise(
      Map<String, Quantity> amounts,
      @Nullable Map<String, io.kubernetes.client.custom.Quantity> other) {
    ofClient(other).forEach((resource, amount) -> amounts.merge(resource, amount, Quantity::max));
  }

  private static Map<String, Quantity> ofClient(
      @Nullable Map<String, io.kubernetes.client.custom.Quantity> amounts) {
    Map<String, Quantity> ours = new HashMap<>();
    if (amounts != null) {
      amounts.forEach((resource, amount) -> ours.put(resource, Quantity.ofClient(amount)));
    }
    return ours;
  }
}
