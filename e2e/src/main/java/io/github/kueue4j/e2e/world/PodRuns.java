// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.world;

import com.google.gson.JsonObject;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.GoDuration;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.controller.Reconciler;
import io.github.kueue4j.runtime.controller.Requeue;
import io.github.kueue4j.runtime.informer.Change;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Lets pods run that come without a node: those that people create, and those of controllers that
 * leave it to the scheduler. A pod succeeds when its time is over, unless its restartPolicy is
 * Always: that runs until it is deleted. {@link JobRuns} runs those of Jobs, and {@link RayJobs}
 * ends those of RayJobs.
 */
final class PodRuns implements Reconciler {
  private final KubernetesApi api;
  private final Nodes nodes;
  private final TimeSource time;
  private final Duration defaultRuntime;

  PodRuns(KubernetesApi api, Nodes nodes, TimeSource time, Duration defaultRuntime) {
    this.api = api;
    this.nodes = nodes;
    this.time = time;
    this.defaultRuntime = defaultRuntime;
  }

  /** The pod, if it is to be looked at. */
  static List<ObjectKey> wanted(Change<V1Pod> change) {
    return !(change instanceof Change.Deleted<V1Pod>) && isWanted(change.object())
        ? List.of(change.key())
        : List.of();
  }

  private static boolean isWanted(V1Pod pod) {
    return !Kubelets.isTerminating(pod)
        && !Placement.hasEnded(pod)
        && controllers(pod).stream().noneMatch(CoreTypes.JOB.kind()::equals);
  }

  private static List<String> controllers(V1Pod pod) {
    return Metadata.owners(pod).stream()
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .map(V1OwnerReference::getKind)
        .toList();
  }

  @Override
  public Requeue reconcile(ObjectKey key) {
    Optional<V1Pod> found = api.get(CoreTypes.POD, key).filter(PodRuns::isWanted);
    if (found.isEmpty()) {
      return Requeue.never();
    }
    V1Pod pod = found.get();
    V1PodSpec spec = Objects.requireNonNull(pod.getSpec());
    if (spec.getNodeName() == null) {
      boolean gated = spec.getSchedulingGates() != null && !spec.getSchedulingGates().isEmpty();
      return gated || nodes.place(spec, node -> start(key, node))
          ? Requeue.never() // The change of the pod brings it here again.
          : Requeue.after(Nodes.LOOK_AGAIN);
    }
    OffsetDateTime started = pod.getStatus() == null ? null : pod.getStatus().getStartTime();
    if (started == null) {
      nodes.run(pod, time.instant());
      return Requeue.never();
    }
    if (controllers(pod).contains(RayJob.TYPE.kind()) // RayJobs ends them.
        || "Always".equals(spec.getRestartPolicy())
        || !Placement.isIn(pod, "Running")) {
      return Requeue.never();
    }
    Instant end = started.toInstant().plus(runtime(pod.getMetadata(), defaultRuntime));
    if (end.isAfter(time.instant())) {
      return Requeue.at(end);
    }
    nodes.succeed(pod);
    return Requeue.never();
  }

  /** As the annotation {@link JobRun#RUNTIME} says. */
  static Duration runtime(V1ObjectMeta metadata, Duration otherwise) {
    return Optional.ofNullable(Metadata.annotations(metadata).get(JobRun.RUNTIME))
        .map(GoDuration::parse)
        .orElse(otherwise);
  }

  private void start(ObjectKey key, String node) {
    JsonObject spec = new JsonObject();
    spec.addProperty("nodeName", node);
    JsonObject change = new JsonObject();
    change.add("spec", spec);
    nodes.run(api.patch(CoreTypes.POD, key, new MergePatch(change)), time.instant());
  }
}
