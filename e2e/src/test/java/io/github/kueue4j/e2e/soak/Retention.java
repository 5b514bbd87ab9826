// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.soak;

import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ProvisioningRequest;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Deletes what a cluster doesn't keep either: Jobs that finished long ago, old events, and nodes
 * that were added for a ProvisioningRequest and aren't needed any more. Without it the embedded
 * server and every informer of nodes grow with each Job, and would hide a leak.
 */
final class Retention {
  /** Jobs that finished before so many others are deleted. */
  private static final int FINISHED_JOBS = 40;

  /** An API server keeps events for an hour; these Jobs take a minute. */
  private static final Duration EVENTS = Duration.ofMinutes(5);

  /** What the simulated autoscaler puts between a request's name and the number of the node. */
  private static final String NODE_OF_REQUEST = "-node-";

  private final KubernetesApi api;
  private final InstantSource clock;
  private int deletedJobs;

  Retention(KubernetesApi api, InstantSource clock) {
    this.api = api;
    this.clock = clock;
  }

  /** Deletes what is too old by now. */
  void deleteOld() {
    deleteFinishedJobs();
    deleteEvents();
    deleteUnneededNodes();
  }

  /** How many Jobs were deleted so far, each with its Workload. */
  int deletedJobs() {
    return deletedJobs;
  }

  static boolean isFinished(Workload workload) {
    return Conditions.isTrue(workload.status().conditions(), WorkloadConditions.FINISHED);
  }

  private static Instant finishedAt(Workload workload) {
    return workload.conditions().trueSince(WorkloadConditions.FINISHED).orElseThrow();
  }

  private void deleteFinishedJobs() {
    List<Workload> finished =
        api.list(KueueTypes.WORKLOAD, ListOptions.all()).items().stream()
            .filter(Retention::isFinished)
            .sorted(Comparator.comparing(Retention::finishedAt))
            .toList();
    for (Workload old : finished.subList(0, Math.max(0, finished.size() - FINISHED_JOBS))) {
      String job = Objects.requireNonNull(old.metadata().getOwnerReferences()).getFirst().getName();
      api.delete(
          CoreTypes.JOB, new ObjectKey(old.key().namespace(), job), DeleteOptions.background());
      api.delete(KueueTypes.WORKLOAD, old.key(), DeleteOptions.background());
      deletedJobs++;
    }
  }

  private void deleteEvents() {
    Instant oldest = clock.instant().minus(EVENTS);
    for (EventsV1Event event : api.list(CoreTypes.EVENT, ListOptions.all()).items()) {
      if (Objects.requireNonNull(event.getMetadata().getCreationTimestamp())
          .toInstant()
          .isBefore(oldest)) {
        api.delete(CoreTypes.EVENT, ObjectKey.of(event), DeleteOptions.background());
      }
    }
  }

  /** A pod that comes to a node at this very moment fails with it, and its Job starts another. */
  private void deleteUnneededNodes() {
    Set<String> requests = new HashSet<>();
    for (ProvisioningRequest one :
        api.list(KueueTypes.PROVISIONING_REQUEST, ListOptions.all()).items()) {
      requests.add(one.key().name());
    }
    Set<String> busy = new HashSet<>();
    for (V1Pod pod : api.list(CoreTypes.POD, ListOptions.all()).items()) {
      if (!hasSucceeded(pod)) {
        busy.add(Objects.requireNonNull(pod.getSpec()).getNodeName());
      }
    }
    for (V1Node node : api.list(CoreTypes.NODE, ListOptions.all()).items()) {
      ObjectKey key = ObjectKey.of(node);
      int end = key.name().lastIndexOf(NODE_OF_REQUEST);
      if (end > 0
          && !requests.contains(key.name().substring(0, end))
          && !busy.contains(key.name())) {
        api.delete(CoreTypes.NODE, key, DeleteOptions.background());
      }
    }
  }

  private static boolean hasSucceeded(V1Pod pod) {
    return pod.getStatus() != null && "Succeeded".equals(pod.getStatus().getPhase());
  }
}
