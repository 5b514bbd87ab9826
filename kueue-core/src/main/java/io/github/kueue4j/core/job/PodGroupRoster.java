// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.job;

import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.ReclaimablePod;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.job.PodGroup.Misfit;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * What the pods of a group are to its Workload, which isn't finished. A pod set has as many places
 * as pods; a pod keeps its place until it has ended without success, so that what runs never needs
 * more quota than was admitted.
 *
 * @param placed active pods that have a place
 * @param starts those of them that may start if the Workload is admitted
 * @param excess active pods for which there is no place: to be deleted
 * @param replaced pods that have ended, and whose places others have: to be let go. The others keep
 *     the Workload, which is deleted with its last owner
 * @param outgrown run with other requests than were admitted: to be stopped
 * @param misfits wait in vain
 */
@API(status = API.Status.INTERNAL)
public record PodGroupRoster(
    List<V1Pod> placed,
    List<V1Pod> starts,
    List<V1Pod> excess,
    List<V1Pod> replaced,
    List<V1Pod> outgrown,
    List<Misfit> misfits) {

  /** Gives each pod its place. */
  public static PodGroupRoster of(PodGroup group, Workload workload) {
    PodGroupRoster roster =
        new PodGroupRoster(
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>());
    Set<String> roles = new HashSet<>();
    for (PodSet podSet : workload.spec().podSets()) {
      roles.add(podSet.name());
      roster.place(group, workload, podSet);
    }
    for (V1Pod pod : group.pods()) {
      if (roles.contains(PodGroup.role(pod))) {
        continue;
      }
      if (PodGroup.active(pod)) {
        roster.misfits.add(
            new Misfit(
                pod,
                "its requests, node selectors, affinity or tolerations are those of no pod with which the group was queued; create it with the same, or delete the group's Workload to have one made anew"));
      } else {
        roster.replaced.add(pod);
      }
    }
    return roster;
  }

  private void place(PodGroup group, Workload workload, PodSet podSet) {
    List<V1Pod> pods = group.of(podSet).toList();
    List<V1Pod> candidates = new ArrayList<>();
    for (V1Pod pod : pods) {
      Optional<String> unfit =
          PodGroup.runs(pod) || PodGroup.ended(pod) ? Optional.empty() : unfit(group, podSet, pod);
      unfit.ifPresent(why -> misfits.add(new Misfit(pod, why)));
      if (unfit.isEmpty() && PodGroup.active(pod)) {
        candidates.add(pod);
      }
      if (PodGroup.runs(pod)
          && !Equivalence.sameResources(PlainPod.template(pod), podSet.template())) {
        outgrown.add(pod);
      }
    }
    int places = podSet.count();
    List<V1Pod> staying = candidates.stream().filter(pod -> !leaves(pod)).toList();
    List<V1Pod> kept = staying.stream().limit(places).toList();
    excess.addAll(staying.subList(kept.size(), staying.size()));
    List<V1Pod> here =
        Stream.concat(kept.stream(), candidates.stream().filter(PodGroupRoster::leaves)).toList();
    placed.addAll(here);
    long done =
        Math.max(reclaimed(workload, podSet), here.stream().filter(PodGroup::succeeded).count());
    long running = here.stream().filter(PodGroup::runs).count();
    kept.stream()
        .filter(pod -> !PodGroup.runs(pod) && !PodGroup.ended(pod))
        .limit(Math.max(0, places - done - running))
        .forEach(starts::add);
    pods.stream()
        .filter(pod -> !PodGroup.active(pod))
        .sorted(PodGroup.NEWEST_FIRST)
        .skip(Math.max(0, places - here.size()))
        .forEach(replaced::add);
  }

  /** Whether it is being deleted and still runs: another may wait for its end already. */
  private static boolean leaves(V1Pod pod) {
    return PlainPod.terminating(pod) && PodGroup.runs(pod);
  }

  private static Optional<String> unfit(PodGroup group, PodSet podSet, V1Pod pod) {
    return Equivalence.sameResources(PlainPod.template(pod), podSet.template())
        ? PodGroup.unlike(group.active().getFirst(), pod)
        : Optional.of(
            "it requests other resources than its role "
                + podSet.name()
                + " was queued with; create it anew with the same");
  }

  private static int reclaimed(Workload workload, PodSet podSet) {
    return workload.status().reclaimablePods().stream()
        .filter(pods -> pods.name().equals(podSet.name()))
        .mapToInt(ReclaimablePod::count)
        .findFirst()
        .orElse(0);
  }

  /**
   * Whether all that have a place own the Workload, which is deleted with the last of its owners.
   */
  public boolean owned(Workload workload) {
    Set<String> owners =
        PodGroup.owners(workload).map(V1OwnerReference::getUid).collect(Collectors.toSet());
    return placed.stream().allMatch(pod -> owners.contains(Uids.of(pod)));
  }
}
