// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Workload;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * A group of a LeaderWorkerSet, beside that with which its Workload was queued: the revision of the
 * set's templates, and the pod sets. Its workers are made after its leader was started, so that the
 * templates stand for pods that aren't there yet.
 *
 * @param group the pods that are there
 */
@API(status = API.Status.INTERNAL)
public record LeaderWorkerGroup(PodGroup group) {
  /** The pod sets of the group, of which the leader may be the only pod yet. */
  public List<PodGroup.AskedPodSet> asked(LeaderWorkerSet set) {
    Optional<String> revision = revision();
    return set.podSets().stream()
        .map(
            podSet -> {
              Optional<V1Pod> like =
                  of(revision).stream().filter(pod -> isIn(podSet, pod)).findFirst();
              return new PodGroup.AskedPodSet(
                  like.map(PlainPod::template).map(podSet::withTemplate).orElse(podSet), like);
            })
        .toList();
  }

  /**
   * Whether its pods are to be others than those with which its Workload was queued. The templates
   * of the set say that of pods which aren't there yet only where the group is of another revision:
   * a set that is rolled out in part makes groups of the older one anew, with as many pods as it
   * has by now.
   */
  public boolean outgrew(Workload workload, LeaderWorkerSet set) {
    boolean sameRevision = revision().filter(hash -> isQueuedOf(hash, workload)).isPresent();
    Map<String, PodSet> queued =
        workload.spec().podSets().stream().collect(Collectors.toMap(PodSet::name, each -> each));
    List<PodSet> wanted =
        asked(set).stream()
            .map(
                asked ->
                    sameRevision && asked.like().isEmpty()
                        ? asked
                            .podSet()
                            .withTemplate(
                                queued
                                    .getOrDefault(asked.podSet().name(), asked.podSet())
                                    .template())
                        : asked.podSet())
            .toList();
    return !Equivalence.sameQuota(wanted, workload.spec().podSets());
  }

  /**
   * The revision of the templates of its pods, if a pod of it is there for each pod set of its
   * Workload, and requests as much, and the Workload doesn't say yet that its quota is for such
   * pods; else empty.
   */
  public Optional<String> untoldRevision(Workload workload) {
    Optional<String> revision = revision();
    List<V1Pod> made = of(revision);
    return revision
        .filter(hash -> !isQueuedOf(hash, workload))
        .filter(
            hash ->
                workload.spec().podSets().stream()
                    .allMatch(
                        podSet ->
                            made.stream()
                                .filter(pod -> isIn(podSet, pod))
                                .anyMatch(
                                    pod ->
                                        Equivalence.sameQuota(
                                            PlainPod.template(pod), podSet.template()))));
  }

  /** The revision of the templates that its newest leader was made of. */
  private Optional<String> revision() {
    return group.active().stream()
        .filter(LeaderWorkerSet::leads)
        .min(PodGroup.NEWEST_FIRST)
        .or(() -> group.active().stream().min(PodGroup.NEWEST_FIRST))
        .flatMap(LeaderWorkerSet::revision);
  }

  private List<V1Pod> of(Optional<String> revision) {
    return group.active().stream()
        .filter(pod -> LeaderWorkerSet.revision(pod).equals(revision))
        .toList();
  }

  private static boolean isIn(PodSet podSet, V1Pod pod) {
    return PodGroup.role(pod).equals(podSet.name());
  }

  private static boolean isQueuedOf(String revision, Workload workload) {
    return revision.equals(Metadata.annotations(workload).get(Keys.GROUP_REVISION));
  }
}
