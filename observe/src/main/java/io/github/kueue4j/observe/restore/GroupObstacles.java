// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.restore;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.jobs.Equivalence;
import io.github.kueue4j.jobs.PlainPod;
import io.github.kueue4j.jobs.PodGroup;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The obstacles that keep the Workload of a group of pods from being put back: with it, the core
 * would delete pods that run, or keep quota for pods that never come.
 *
 * @param saved in the backup
 * @param group the pods that there are now
 */
record GroupObstacles(Workload saved, PodGroup group) {
  /** The first, as the end of a sentence about the Workload, with its remedy. */
  Optional<String> first() {
    return Stream.of(unadmitted(), ownerless(), remade(), ofPodSets(), gone())
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** It waited, so that nothing says on which quota its pods run. */
  private Optional<String> unadmitted() {
    return RestorePlanner.admitted(saved)
        ? Optional.empty()
        : group.running().stream()
            .findFirst()
            .map(pod -> RestorePlanner.runsSince("its pod " + name(pod)));
  }

  /** A Workload without the object that makes its pods is never evicted. */
  private Optional<String> ownerless() {
    return group.pods().stream()
        .filter(pod -> PodGroup.serves(pod) && !PodGroup.ended(pod))
        .filter(pod -> PodGroup.server(pod).isEmpty())
        .findFirst()
        .map(
            pod ->
                "its pod %s has no owner; wait until %s has adopted it, then run this again"
                    .formatted(name(pod), server(pod)));
  }

  private String server(V1Pod pod) {
    Optional<V1OwnerReference> server = PodGroup.server(pod).or(() -> PodGroup.server(saved));
    return server
        .map(owner -> owner.getKind() + " " + owner.getName())
        .orElse("its StatefulSet or LeaderWorkerSet");
  }

  private Optional<String> remade() {
    return group.running().stream()
        .filter(pod -> PodGroup.serves(pod) && !PlainPod.startedByCore(pod))
        .findFirst()
        .map(
            pod ->
                "its pod "
                    + name(pod)
                    + " was created anew while it ran, and the core can't stop it; delete it, so that "
                    + server(pod)
                    + " makes another, which is queued");
  }

  /** Pods that run without a place are deleted. */
  private Optional<String> ofPodSets() {
    List<PodSet> podSets = saved.spec().podSets();
    Map<String, List<V1Pod>> members = group.in(podSets);
    return Stream.concat(
            members.getOrDefault("", List.of()).stream().filter(PodGroup::runs),
            podSets.stream().flatMap(podSet -> unlike(podSet, of(podSet, members))))
        .findFirst()
        .map(
            pod ->
                "its pod "
                    + name(pod)
                    + " asks for other resources than the Workload in the backup")
        .or(
            () ->
                podSets.stream()
                    .flatMap(podSet -> tooMany(podSet, of(podSet, members)).stream())
                    .findFirst());
  }

  private static List<V1Pod> of(PodSet podSet, Map<String, List<V1Pod>> members) {
    return members.getOrDefault(podSet.name(), List.of());
  }

  private static Stream<V1Pod> unlike(PodSet podSet, List<V1Pod> members) {
    return members.stream().filter(PodGroup::runs).filter(pod -> !asksFor(pod, podSet));
  }

  private static boolean asksFor(V1Pod pod, PodSet podSet) {
    return new PlainPod()
        .podSets(pod).stream()
            .allMatch(own -> Equivalence.sameQuota(own.template(), podSet.template()));
  }

  private static Optional<String> tooMany(PodSet podSet, List<V1Pod> members) {
    long taken =
        members.stream()
            .filter(
                pod -> PodGroup.succeeded(pod) || (PodGroup.runs(pod) && !Health.terminating(pod)))
            .count();
    return taken <= podSet.count()
        ? Optional.empty()
        : Optional.of(
            "%d of its pods run or have succeeded as %s, for which the Workload in the backup has %d;"
                    .formatted(taken, podSet.name(), podSet.count())
                + " delete those that are too many, and run this again");
  }

  /**
   * Pods that were deleted or have failed stay until others replace them, and those that have
   * succeeded as long as the group: one that is missing was lost, and nothing makes another.
   */
  private Optional<String> gone() {
    Map<String, Integer> succeeded = group.succeeded(saved.spec().podSets());
    int lost =
        saved.status().reclaimablePods().stream()
            .mapToInt(pods -> Math.max(0, pods.count() - succeeded.getOrDefault(pods.name(), 0)))
            .sum();
    if (lost > 0) {
      return Optional.of(
          "%d of its pods had succeeded and %s gone: the group would keep quota for ever; restore what succeeded, with its status, and run this again, or create the whole group anew"
              .formatted(lost, lost == 1 ? "is" : "are"));
    }
    if (group.running().isEmpty() || group.serves() || group.fast()) {
      return Optional.empty();
    }
    Map<String, List<V1Pod>> members = group.in(saved.spec().podSets());
    int missing =
        saved.spec().podSets().stream()
            .mapToInt(podSet -> Math.max(0, podSet.count() - of(podSet, members).size()))
            .sum();
    return missing == 0
        ? Optional.empty()
        : Optional.of(
            "%d of its pods %s gone, while others run: the group would keep quota for ever; restore all of its pods, also those that have ended, and run this again, or create the whole group anew"
                .formatted(missing, missing == 1 ? "is" : "are"));
  }

  private static String name(V1Pod pod) {
    return ObjectKey.of(pod).name();
  }
}
