// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu.fit;

import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeCondition;
import io.kubernetes.client.openapi.models.V1NodeSpec;
import io.kubernetes.client.openapi.models.V1NodeStatus;
import io.kubernetes.client.openapi.models.V1Taint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The resources of a node, and the pods that it takes.
 *
 * @param name of the node
 * @param labels of the node
 * @param taints those that keep pods away
 * @param ready whether it is ready; a node without such a condition is, since simulated nodes often
 *     have none
 * @param schedulable whether it is not cordoned
 * @param allocatable what pods may take in all
 * @param devices by extended resource, how many the node has, whether they work or not
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record NodeFacts(
    String name,
    Map<String, String> labels,
    List<Taint> taints,
    boolean ready,
    boolean schedulable,
    Amounts allocatable,
    Amounts devices) {

  /**
   * A taint with the effect NoSchedule or NoExecute.
   *
   * @param key of the taint
   * @param value empty if there is none
   * @param effect of the taint
   */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public record Taint(String key, String value, String effect) {
    /**
     * Whether Kubernetes, the cloud provider or the cluster autoscaler sets the taint for a state
     * that the node may leave, such as cordoned or not ready.
     */
    boolean tellsOfState() {
      return STATES.contains(key) || STATE_PREFIXES.stream().anyMatch(key::startsWith);
    }

    /** As kubectl prints it: {@code dedicated=ml:NoSchedule}. */
    @Override
    public String toString() {
      return key + (value.isEmpty() ? "" : "=" + value) + ":" + effect;
    }
  }

  private static final List<String> REPELLING = List.of("NoSchedule", "NoExecute");
  private static final List<String> STATE_PREFIXES =
      List.of("node.kubernetes.io/", "node.cloudprovider.kubernetes.io/");
  private static final List<String> STATES =
      List.of("ToBeDeletedByClusterAutoscaler", "DeletionCandidateOfClusterAutoscaler");

  /** Keeps copies. */
  public NodeFacts {
    labels = Map.copyOf(labels);
    taints = List.copyOf(taints);
  }

  /** The facts of this node. */
  public static NodeFacts of(V1Node node) {
    @Nullable V1NodeSpec spec = node.getSpec();
    @Nullable V1NodeStatus status = node.getStatus();
    return new NodeFacts(
        Objects.requireNonNullElse(node.getMetadata().getName(), ""),
        Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.of()),
        spec == null ? List.of() : taints(spec.getTaints()),
        isReady(status),
        spec == null || !Boolean.TRUE.equals(spec.getUnschedulable()),
        status == null ? Amounts.NONE : Amounts.ofClient(status.getAllocatable()).bounded(),
        status == null ? Amounts.NONE : devices(status.getCapacity()));
  }

  /**
   * What pods may take if all devices work: a device plugin that is down leaves 0 of a resource
   * allocatable. Of cpu and memory it is what is allocatable, since the rest is the system's.
   */
  Amounts atBest() {
    Amounts best = allocatable;
    for (Map.Entry<String, Long> device : devices.byName().entrySet()) {
      best = best.atLeast(device.getKey(), device.getValue());
    }
    return best;
  }

  private static Amounts devices(@Nullable Map<String, Quantity> capacity) {
    Map<String, Quantity> devices =
        new HashMap<>(Objects.requireNonNullElse(capacity, Map.<String, Quantity>of()));
    devices.keySet().removeIf(resource -> !resource.contains("/"));
    return Amounts.ofClient(devices).bounded();
  }

  /** Whether new pods may start there. */
  public boolean usable() {
    return ready && schedulable;
  }

  private static List<Taint> taints(@Nullable List<V1Taint> taints) {
    return Objects.requireNonNullElse(taints, List.<V1Taint>of()).stream()
        .filter(taint -> REPELLING.contains(taint.getEffect()))
        .map(
            taint ->
                new Taint(
                    Objects.requireNonNullElse(taint.getKey(), ""),
                    Objects.requireNonNullElse(taint.getValue(), ""),
                    taint.getEffect()))
        .toList();
  }

  private static boolean isReady(@Nullable V1NodeStatus status) {
    List<V1NodeCondition> conditions =
        status == null || status.getConditions() == null ? List.of() : status.getConditions();
    return conditions.stream()
        .filter(condition -> "Ready".equals(condition.getType()))
        .allMatch(condition -> "True".equals(condition.getStatus()));
  }
}
