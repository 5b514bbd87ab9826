// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.ReclaimablePod;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.jobs.PodGroup.Misfit;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The roles of a group's pods for its Workload, which isn't finished. A pod set has as many places
 * as pods; a pod keeps its place until it has ended without success, so that what runs never needs
 * more quota than was admitted.
 *
 * @param placed active pods that have a place
 * @param starts those of them that may start if the Workload is admitted
 * @param waiting those of them that wait for the end of others
 * @param excess active pods for which there is no place: to be deleted
 * @param replaced pods that have ended, and whose places others have: to be let go. The others keep
 *     the Workload, which is deleted with its last owner
 * @param outgrown run with other requests than were admitted: to be stopped
 * @param misfits wait in vain
 */
@API(status = API.Status.INTERNAL)
public record PodGroupRoster(
    List<V1Pod> placed,
    List<StartablePod> starts,
    List<V1Pod> waiting,
    List<V1Pod> excess,
    List<V1Pod> replaced,
    List<V1Pod> outgrown,
    List<Misfit> misfits) {

  /** How an object whose pods serve comes to other quota. */
  public static final String BY_WAY_OF_NONE =
      "scale its object to 0, wait until its pods are gone, and scale it up";

  /** A pod that may start as one of a pod set. */
  public record StartablePod(V1Pod pod, String podSet) {}

  /** Gives each pod its place. */
  public static PodGroupRoster of(PodGroup group, Workload workload) {
    return of(group, workload, List.of());
  }

  /**
   * Gives each pod its place.
   *
   * @param lost pods that use no quota any more though they haven't ended
   */
  public static PodGroupRoster of(PodGroup group, Workload workload, List<V1Pod> lost) {
    PodGroupRoster roster =
        new PodGroupRoster(
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>());
    List<PodSet> podSets = workload.spec().podSets();
    Map<String, List<V1Pod>> members = group.in(podSets);
    Optional<V1Pod> first = group.active().stream().findFirst();
    for (PodSet podSet : podSets) {
      List<V1Pod> pods = members.getOrDefault(podSet.name(), List.of());
      first.ifPresentOrElse(
          active -> roster.place(pods, active, workload, podSet, lost),
          () ->
              roster.replace(pods, pods.stream().anyMatch(PodGroup::serves) ? 0 : podSet.count()));
    }
    for (V1Pod pod : members.getOrDefault("", List.of())) {
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

  private void place(
      List<V1Pod> pods, V1Pod first, Workload workload, PodSet podSet, List<V1Pod> lost) {
    List<V1Pod> candidates = new ArrayList<>();
    for (V1Pod pod : pods) {
      Optional<String> unfit =
          PodGroup.runs(pod) || PodGroup.ended(pod) ? Optional.empty() : unfit(first, podSet, pod);
      unfit.ifPresent(why -> misfits.add(new Misfit(pod, why)));
      if (unfit.isEmpty() && PodGroup.active(pod)) {
        candidates.add(pod);
      }
      if (PodGroup.runs(pod)
          && PlainPod.startedByCore(pod)
          && !Equivalence.sameQuota(PlainPod.template(pod), podSet.template())) {
        outgrown.add(pod);
      }
    }
    int places = podSet.count();
    List<V1Pod> staying = candidates.stream().filter(pod -> !leaves(pod)).toList();
    List<V1Pod> kept = staying.stream().limit(places).toList();
    List<V1Pod> others = staying.subList(kept.size(), staying.size());
    if (PodGroup.serves(first)) {
      others.forEach(pod -> misfits.add(new Misfit(pod, tooMany(places))));
    } else {
      excess.addAll(others);
    }
    List<V1Pod> here =
        Stream.concat(kept.stream(), candidates.stream().filter(PodGroupRoster::leaves)).toList();
    placed.addAll(here);
    long done =
        Math.max(reclaimed(workload, podSet), here.stream().filter(PodGroup::succeeded).count());
    long running = PodGroup.without(here, lost).stream().filter(PodGroup::runs).count();
    long free = places - done - running;
    for (V1Pod pod : kept) {
      if (PodGroup.runs(pod) || PodGroup.ended(pod)) {
        continue;
      }
      if (free-- > 0) {
        starts.add(new StartablePod(pod, podSet.name()));
      } else {
        waiting.add(pod);
      }
    }
    // A new one that serves may have the same name, so that the old one has to go first.
    replace(pods, PodGroup.serves(first) ? 0 : places - here.size());
  }

  private static String tooMany(int places) {
    return "its group was admitted with %d pods; to have more, ".formatted(places) + BY_WAY_OF_NONE;
  }

  private void replace(List<V1Pod> pods, int freePlaces) {
    pods.stream()
        .filter(pod -> !PodGroup.active(pod))
        .sorted(PodGroup.NEWEST_FIRST)
        .skip(Math.max(0, freePlaces))
        .forEach(replaced::add);
  }

  /** The pods that have a place, are being deleted, and still run. */
  private List<V1Pod> leaving() {
    return placed.stream().filter(PodGroupRoster::leaves).toList();
  }

  /** Whether places are free, of a group that needn't be complete all of them. */
  public boolean lacksPods(PodGroup group, Workload workload) {
    int places = workload.spec().podSets().stream().mapToInt(PodSet::count).sum();
    return group.fast()
        ? placed.stream().allMatch(pod -> leaves(pod) || PodGroup.ended(pod))
        : placed.size() - leaving().size() < places;
  }

  /** Whether it is being deleted and still runs: another may wait for its end already. */
  private static boolean leaves(V1Pod pod) {
    return PlainPod.terminating(pod) && PodGroup.runs(pod);
  }

  private static Optional<String> unfit(V1Pod first, PodSet podSet, V1Pod pod) {
    return Equivalence.sameQuota(PlainPod.template(pod), podSet.template())
        ? PodGroup.unlike(first, pod)
        : Optional.of(
            "it requests other resources than its role "
                + podSet.name()
                + " was queued with; "
                + (PodGroup.serves(pod) ? BY_WAY_OF_NONE : "create it anew with the same"));
  }

  private static int reclaimed(Workload workload, PodSet podSet) {
    return workload.status().reclaimablePods().stream()
        .filter(pods -> pods.name().equals(podSet.name()))
        .mapToInt(ReclaimablePod::count)
        .findFirst()
        .orElse(0);
  }

  /**
   * Whether the pods that have a place own the Workload, which is deleted with the last of its
   * owners. Those that serve own none.
   */
  public boolean owned(Workload workload) {
    if (PodGroup.server(workload).isPresent() || placed.stream().anyMatch(PodGroup::serves)) {
      return true;
    }
    Set<String> owners =
        PodGroup.owners(workload).map(V1OwnerReference::getUid).collect(Collectors.toSet());
    return keepers().allMatch(pod -> owners.contains(Uids.of(pod)));
  }

  /** Among the others those that have ended without being replaced own it, too. */
  public List<V1Pod> owners(PodGroup group) {
    List<V1Pod> without = new ArrayList<>(excess);
    misfits.forEach(misfit -> without.add(misfit.pod()));
    without.addAll(replaced);
    placed.stream().filter(PodGroupRoster::goes).forEach(without::add);
    return PodGroup.without(group.pods(), without);
  }

  private Stream<V1Pod> keepers() {
    return placed.stream().filter(pod -> !goes(pod));
  }

  /** Whether it leaves, and is known to belong to the group without owning the Workload. */
  private static boolean goes(V1Pod pod) {
    return leaves(pod) && PlainPod.startedByCore(pod);
  }
}
