// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu.fit;

import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeCondition;
import io.kubernetes.client.openapi.models.V1NodeSpec;
import io.kubernetes.client.openapi.models.V1NodeStatus;
import io.kubernetes.client.openapi.models.V1Taint;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What a node offers, and to which pods.
 *
 * @param name of the node
 * @param labels of the node
 * @param taints those that keep pods away
 * @param ready whether it is ready; a node without such a condition is, since simulated nodes often
 *     have none
 * @param schedulable whether it is not cordoned
 * @param allocatable what pods may take in all
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record NodeFacts(
    String name,
    Map<String, String> labels,
    List<Taint> taints,
    boolean ready,
    boolean schedulable,
    Amounts allocatable) {

  /**
   * A taint with the effect NoSchedule or NoExecute.
   *
   * @param key of the taint
   * @param value empty if there is none
   * @param effect of the taint
   */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public record Taint(String key, String value, String effect) {}

  private static final List<String> REPELLING = List.of("NoSchedule", "NoExecute");

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
        status == null ? Amounts.NONE : Amounts.ofClient(status.getAllocatable()).bounded());
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
