// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.objects.PodWorkloads;
import io.github.kueue4j.sdk.objects.Watched;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Pods that take room, by the workload that they belong to. Which that is, {@link PodWorkloads}
 * says; the indexes here only find the few objects that it has to look at. Not safe for use by
 * several threads.
 */
final class OwnedPods {

  private final Watched<V1Pod> pods;
  private final Watched<V1Job> jobs;
  private final Watched<Workload> workloads;

  private final Map<ObjectKey, BoundPod> bound = new HashMap<>();
  private final Map<String, Set<ObjectKey>> podsByUid = new HashMap<>();
  private final Map<ObjectKey, Set<ObjectKey>> podsByAnnotation = new HashMap<>();
  private final Map<String, Set<ObjectKey>> terminatingByNode = new HashMap<>();
  private final Map<ObjectKey, Owned> knownJobs = new HashMap<>();
  private final Map<String, Set<ObjectKey>> jobsByController = new HashMap<>();
  private final Map<String, String> controllers = new HashMap<>();
  private final Map<ObjectKey, Set<String>> owners = new HashMap<>();
  private final Map<String, Set<ObjectKey>> workloadsByOwner = new HashMap<>();

  private record Owned(String uid, String controller) {}

  OwnedPods(Watched<V1Pod> pods, Watched<V1Job> jobs, Watched<Workload> workloads) {
    this.pods = pods;
    this.jobs = jobs;
    this.workloads = workloads;
  }

  /** The pod as it is known; empty if it takes no room. */
  Optional<BoundPod> pod(ObjectKey key) {
    return Optional.ofNullable(bound.get(key));
  }

  /** Replaces what is known of a pod. */
  void put(ObjectKey key, @Nullable BoundPod now) {
    @Nullable BoundPod before = now == null ? bound.remove(key) : bound.put(key, now);
    if (before != null) {
      remove(podsByUid, before.uid(), key);
      remove(podsByUid, before.controller(), key);
      remove(podsByAnnotation, annotated(before), key);
      remove(terminatingByNode, before.node(), key);
    }
    if (now != null) {
      add(podsByUid, now.uid(), key);
      if (!now.controller().isEmpty()) {
        add(podsByUid, now.controller(), key);
      }
      if (!now.workload().isEmpty()) {
        add(podsByAnnotation, annotated(now), key);
      }
      if (now.terminating()) {
        add(terminatingByNode, now.node(), key);
      }
    }
  }

  /** Takes in that a Job may have changed, and tells the workloads that it may belong to. */
  void jobChanged(ObjectKey key, Consumer<ObjectKey> concerned) {
    @Nullable V1Job job = jobs.get(key).orElse(null);
    @Nullable Owned now =
        job == null ? null : new Owned(Uids.of(job), BoundPod.controller(job.getMetadata()));
    @Nullable Owned before = now == null ? knownJobs.remove(key) : knownJobs.put(key, now);
    if (Objects.equals(before, now)) {
      return;
    }
    if (before != null) {
      workloadsAbove(before.uid, concerned);
      controllers.remove(before.uid);
      remove(jobsByController, before.controller, key);
    }
    if (now != null && !now.controller.isEmpty()) {
      controllers.put(now.uid, now.controller);
      add(jobsByController, now.controller, key);
      workloadsAbove(now.uid, concerned);
    }
  }

  /** Takes in that a workload may have changed. */
  void workloadChanged(ObjectKey key) {
    Set<String> now = workloads.get(key).map(OwnedPods::ownerUids).orElse(Set.of());
    Set<String> before = now.isEmpty() ? owners.remove(key) : owners.put(key, now);
    if (!now.equals(before)) {
      Objects.requireNonNullElse(before, Set.<String>of())
          .forEach(owner -> remove(workloadsByOwner, owner, key));
      now.forEach(owner -> add(workloadsByOwner, owner, key));
    }
  }

  /** Tells the workloads that a pod may belong to. */
  void workloadsOf(BoundPod pod, Consumer<ObjectKey> concerned) {
    workloadsByOwner.getOrDefault(pod.uid(), Set.of()).forEach(concerned);
    workloadsAbove(pod.controller(), concerned);
    if (!pod.workload().isEmpty()) {
      concerned.accept(annotated(pod));
    }
  }

  /** Whether the pod, which is not bound yet, may belong to a workload that is known. */
  boolean mayHaveWorkload(UnboundPod pod) {
    Set<ObjectKey> concerned = new HashSet<>(workloadsByOwner.getOrDefault(pod.uid(), Set.of()));
    workloadsAbove(pod.controller(), concerned::add);
    if (!pod.workload().isEmpty()) {
      concerned.add(new ObjectKey(pod.key().namespace(), pod.workload()));
    }
    return concerned.stream().anyMatch(key -> workloads.get(key).isPresent());
  }

  /** Tells the workloads that the terminating pods of a node may belong to. */
  void workloadsOfTerminating(String node, Consumer<ObjectKey> concerned) {
    for (ObjectKey key : terminatingByNode.getOrDefault(node, Set.of())) {
      pod(key).ifPresent(pod -> workloadsOf(pod, concerned));
    }
  }

  private void workloadsAbove(String uid, Consumer<ObjectKey> concerned) {
    Set<String> seen = new HashSet<>();
    @Nullable String one = uid;
    while (one != null && seen.add(one)) {
      workloadsByOwner.getOrDefault(one, Set.of()).forEach(concerned);
      one = controllers.get(one);
    }
  }

  /** The pods of a workload that take room. */
  List<BoundPod> of(Workload workload) {
    Set<ObjectKey> candidates =
        new HashSet<>(podsByAnnotation.getOrDefault(workload.key(), Set.of()));
    Set<ObjectKey> rivals = new HashSet<>(Set.of(workload.key()));
    List<V1Job> between = new ArrayList<>();
    Deque<String> uids = new ArrayDeque<>(owners.getOrDefault(workload.key(), Set.of()));
    Set<String> seen = new HashSet<>();
    while (!uids.isEmpty()) {
      String uid = uids.pop();
      if (seen.add(uid)) {
        candidates.addAll(podsByUid.getOrDefault(uid, Set.of()));
        rivals.addAll(workloadsByOwner.getOrDefault(uid, Set.of()));
        for (ObjectKey below : jobsByController.getOrDefault(uid, Set.of())) {
          jobs.get(below).ifPresent(between::add);
          Optional.ofNullable(knownJobs.get(below)).ifPresent(job -> uids.add(job.uid));
        }
      }
    }
    if (candidates.isEmpty()) {
      return List.of();
    }
    for (ObjectKey candidate : candidates) {
      pod(candidate).ifPresent(pod -> workloadsOf(pod, rivals::add));
    }
    List<Workload> known = rivals.stream().flatMap(rival -> workloads.get(rival).stream()).toList();
    PodWorkloads belonging = PodWorkloads.of(known, between);
    return candidates.stream()
        .filter(
            candidate ->
                pods.get(candidate)
                    .flatMap(belonging::workloadOf)
                    .filter(owner -> owner.key().equals(workload.key()))
                    .isPresent())
        .flatMap(candidate -> pod(candidate).stream())
        .toList();
  }

  private static Set<String> ownerUids(Workload workload) {
    Set<String> uids = new HashSet<>();
    for (V1OwnerReference owner :
        Objects.requireNonNullElse(
            workload.metadata().getOwnerReferences(), List.<V1OwnerReference>of())) {
      if (owner.getUid() != null) {
        uids.add(owner.getUid());
      }
    }
    return uids;
  }

  private static ObjectKey annotated(BoundPod pod) {
    return new ObjectKey(pod.key().namespace(), pod.workload());
  }

  private static <K> void add(Map<K, Set<ObjectKey>> index, K at, ObjectKey key) {
    index.computeIfAbsent(at, any -> new HashSet<>()).add(key);
  }

  private static <K> void remove(Map<K, Set<ObjectKey>> index, K at, ObjectKey key) {
    @Nullable Set<ObjectKey> keys = index.get(at);
    if (keys != null) {
      keys.remove(key);
      if (keys.isEmpty()) {
        index.remove(at);
      }
    }
  }
}
