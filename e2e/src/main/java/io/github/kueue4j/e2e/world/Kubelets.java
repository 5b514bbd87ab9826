// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.world;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.time.GoDuration;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.controller.Reconciler;
import io.github.kueue4j.runtime.controller.Requeue;
import io.github.kueue4j.runtime.informer.Change;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeCondition;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Ends the pods that are being deleted. An API server only marks a pod that is on a node; the
 * kubelet removes the pod once its containers have stopped, at the end of its grace period at the
 * latest. On a node that isn't ready nothing ends; the pods of a node that is gone are cleared
 * away.
 */
final class Kubelets implements Reconciler {
  /**
   * Annotation of a pod: how long its containers take to end once they are told to; such as 8s. One
   * second without it.
   */
  static final String STOP_TIME = "simulation.kueue4j.io/stop-time";

  private static final Duration USUAL_STOP_TIME = Duration.ofSeconds(1);

  private final KubernetesApi api;
  private final TimeSource time;

  /** When each pod was first seen to be deleted, by its UID. */
  private final Map<String, Instant> seen = new ConcurrentHashMap<>();

  Kubelets(KubernetesApi api, TimeSource time) {
    this.api = api;
    this.time = time;
  }

  /** The pod, if it shall end. */
  static List<ObjectKey> terminating(Change<V1Pod> change) {
    return !(change instanceof Change.Deleted<V1Pod>) && isTerminating(change.object())
        ? List.of(change.key())
        : List.of();
  }

  static boolean isTerminating(V1Pod pod) {
    return pod.getMetadata() != null && pod.getMetadata().getDeletionTimestamp() != null;
  }

  /** The pods that shall end on a node that has changed: it may be ready again, or gone. */
  List<ObjectKey> on(Change<V1Node> change) {
    String node = change.key().name();
    return api.list(CoreTypes.POD, ListOptions.all()).items().stream()
        .filter(pod -> isTerminating(pod) && node.equals(nodeOf(pod)))
        .map(ObjectKey::of)
        .toList();
  }

  @Override
  public Requeue reconcile(ObjectKey key) {
    Optional<V1Pod> terminating = api.get(CoreTypes.POD, key).filter(Kubelets::isTerminating);
    if (terminating.isEmpty()) {
      return Requeue.never();
    }
    V1Pod pod = terminating.get();
    Optional<V1Node> node =
        nodeOf(pod).isEmpty()
            ? Optional.empty()
            : api.get(CoreTypes.NODE, ObjectKey.cluster(nodeOf(pod)));
    if (node.filter(Kubelets::isLost).isPresent()) {
      return Requeue.never();
    }
    Instant end = node.isPresent() && !Placement.hasEnded(pod) ? endOf(pod) : time.instant();
    if (end.isAfter(time.instant())) {
      return Requeue.at(end);
    }
    seen.remove(Uids.of(pod));
    api.delete(
        CoreTypes.POD,
        key,
        DeleteOptions.background().withUid(pod.getMetadata().getUid()).withGracePeriodSeconds(0));
    return Requeue.never();
  }

  /**
   * When its containers have ended, by themselves or by force. The server's clock may be far ahead
   * of the simulated one, so that no longer is waited than from when the pod was seen.
   */
  private Instant endOf(V1Pod pod) {
    V1ObjectMeta metadata = pod.getMetadata();
    Duration grace =
        Duration.ofSeconds(
            Objects.requireNonNullElse(metadata.getDeletionGracePeriodSeconds(), 0L));
    Instant told = Objects.requireNonNull(metadata.getDeletionTimestamp()).toInstant().minus(grace);
    Instant begun = seen.computeIfAbsent(Uids.of(pod), uid -> time.instant());
    begun = told.isBefore(begun) ? told : begun;
    Duration stopTime =
        Optional.ofNullable(Metadata.annotations(metadata).get(STOP_TIME))
            .map(GoDuration::parse)
            .orElse(USUAL_STOP_TIME);
    return begun.plus(stopTime.compareTo(grace) < 0 ? stopTime : grace);
  }

  private static String nodeOf(V1Pod pod) {
    String node = pod.getSpec() == null ? null : pod.getSpec().getNodeName();
    return Objects.requireNonNullElse(node, "");
  }

  /** Whether the node's condition Ready is False or Unknown. */
  static boolean isLost(V1Node node) {
    return node.getStatus() != null
        && Objects.requireNonNullElse(node.getStatus().getConditions(), List.<V1NodeCondition>of())
            .stream()
            .anyMatch(
                condition ->
                    "Ready".equals(condition.getType()) && !"True".equals(condition.getStatus()));
  }
}
