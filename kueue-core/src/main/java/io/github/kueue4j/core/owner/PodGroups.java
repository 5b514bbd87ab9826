// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.JobWorkload;
import io.github.kueue4j.jobs.Keys;
import io.github.kueue4j.jobs.PlainPod;
import io.github.kueue4j.jobs.PodGroup;
import io.github.kueue4j.jobs.PodGroupRoster;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Manages groups of pods: makes the Workload of a group that is ready, and binds the pods of a
 * Workload. Caches may lag: what can't be undone, a deletion, is decided by what the API server
 * has.
 *
 * <p>Called only by the one worker of the Workload, as {@link JobKindController}.
 */
final class PodGroups {
  private final JobKindParts<V1Pod> parts;
  private final JobStore<V1Pod> pods;
  private final JobKind<V1Pod> kind;
  private final WorkloadsOfJobs workloads;
  private final Eligibility eligibility;
  private final ServingObjects serving;

  PodGroups(JobKindParts<V1Pod> parts, Eligibility eligibility, ServingObjects serving) {
    this.parts = parts;
    this.pods = parts.jobs();
    this.kind = pods.kind();
    this.workloads = parts.workloads();
    this.eligibility = eligibility;
    this.serving = serving;
  }

  ServingObjects serving() {
    return serving;
  }

  /** The pods of a Workload; empty unless it is that of a group. */
  Optional<WorkloadJob> of(Workload workload) {
    return PodGroup.has(workload, cached(ObjectKey.of(workload)))
        ? Optional.of(new GroupedPods(this, parts, workload))
        : Optional.empty();
  }

  /** The pods of the group whose Workload has this key, by the cache. */
  List<V1Pod> cached(ObjectKey key) {
    return pods.index().membersOf(key).stream()
        .flatMap(found -> pods.get(ObjectKey.of(found)).stream())
        .toList();
  }

  /** The pods of a Workload, read from the API server. */
  PodGroup live(Workload workload) {
    ObjectKey key = ObjectKey.of(workload);
    return PodGroup.of(key.name(), live(key), Optional.of(workload));
  }

  private List<V1Pod> live(ObjectKey key) {
    ListOptions members =
        ListOptions.inNamespace(key.namespace())
            .withLabelSelector(Keys.MANAGED + "=true," + Keys.POD_GROUP + "=" + key.name());
    return pods.list(members);
  }

  /** See {@link Jobs#adopt}. */
  Jobs.Adoption adopt(ObjectKey key) {
    List<V1Pod> found = cached(key);
    List<V1Pod> ended = found.stream().filter(this::ends).toList();
    if (ended.stream().anyMatch(PlainPod::startedByCore) && workloads.live(key).isPresent()) {
      return Jobs.Adoption.CREATED; // The cache was behind, and they count for the Workload.
    }
    release(ended);
    List<V1Pod> eligible = eligible(PodGroup.without(found, ended));
    if (eligible.isEmpty()) {
      return Jobs.Adoption.NOT_NEEDED;
    }
    List<V1Pod> running = eligible.stream().filter(pod -> !kind.suspended(pod)).toList();
    if (!running.isEmpty()) {
      if (workloads.live(key).isPresent()) {
        return Jobs.Adoption.CREATED; // The cache was behind.
      }
      running.forEach(pod -> parts.runs().stop(pod, List.of()));
      return Jobs.Adoption.STOPPING;
    }
    if (eligible.stream().anyMatch(parts.demand()::refuses)) {
      return Jobs.Adoption.NOT_NEEDED;
    }
    PodGroup group = PodGroup.of(key.name(), eligible, Optional.empty());
    Optional<PodGroup.Misfit> misfit = group.misfit();
    misfit.ifPresent(parts.demand()::tellMisfit);
    if (misfit.isPresent() || !group.ready()) {
      return Jobs.Adoption.NOT_NEEDED;
    }
    return workloads.awaits(key) ? Jobs.Adoption.AWAITED : create(key, group);
  }

  private List<V1Pod> eligible(List<V1Pod> present) {
    List<V1Pod> manageable = present.stream().filter(kind::manageable).toList();
    manageable.stream()
        .filter(eligibility::excludes)
        .findFirst()
        .ifPresent(parts.demand()::tellExcluded);
    return manageable.stream().filter(pod -> eligibility.of(kind, pod)).toList();
  }

  private Jobs.Adoption create(ObjectKey key, PodGroup group) {
    Optional<ServingObjects.ServingDemand> demand = serving.demand(key, group);
    if (demand.isEmpty()) {
      group.active().forEach(pod -> parts.demand().tellMisfit(ServingObjects.misfit(pod)));
      return Jobs.Adoption.NOT_NEEDED;
    }
    List<PodSet> podSets = new ArrayList<>();
    for (PodGroup.AskedPodSet asked : demand.get().podSets()) {
      Optional<List<PodSet>> whole =
          asked.like().map(pods::whole).orElse(Optional.of(List.of(asked.podSet())));
      if (whole.isEmpty()) {
        return Jobs.Adoption.CHANGED;
      }
      podSets.add(asked.podSet().withTemplate(whole.get().getFirst().template()));
    }
    List<V1Pod> owners = group.chosen();
    V1Pod first = owners.getFirst();
    Optional<JobWorkload.Priority> priority = parts.demand().priority(first);
    if (priority.isEmpty()) {
      return Jobs.Adoption.NO_PRIORITY;
    }
    Workload workload =
        parts.demand().newWorkload(key, demand.get().server(), owners, podSets, priority.get());
    return create(first, demand.get().numbered(workload));
  }

  private Jobs.Adoption create(V1Pod first, Workload workload) {
    try {
      workloads.create(CoreTypes.POD, first, workload);
    } catch (KubernetesApiException.AlreadyExists e) {
      return Jobs.Adoption.CREATED; // The informer will bring it.
    } catch (KubernetesApiException.Invalid e) {
      parts.demand().tellRefused(first, ObjectKey.of(workload), e);
      return Jobs.Adoption.REFUSED;
    }
    return Jobs.Adoption.CREATED;
  }

  /**
   * Deletes pods for which a Workload has no place, stops those that outgrow their quota, lets go
   * of those that were replaced, and tells those that wait in vain.
   */
  void stopOthers(Workload workload, Attempts attempts) {
    List<V1Pod> found = cached(ObjectKey.of(workload));
    if (found.isEmpty()) {
      return;
    }
    PodGroup group = PodGroup.of(ObjectKey.of(workload).name(), found, Optional.of(workload));
    boolean isGroup = PodGroup.has(workload, found);
    List<V1Pod> others = isGroup ? PodGroup.without(found, group.pods()) : found;
    others.stream()
        .filter(this::ends)
        .forEach(pod -> attempts.make(() -> parts.runs().release(pod)));
    if (!isGroup || workload.conditions().finished()) {
      found.stream()
          .filter(pod -> !ends(pod) && kind.suspended(pod))
          .findFirst()
          .filter(pod -> !parts.demand().refuses(pod))
          .ifPresent(pod -> tellTaken(pod, workload));
      return;
    }
    PodGroupRoster roster = PodGroupRoster.of(group, workload);
    if (!roster.excess().isEmpty()) {
      List<V1Pod> excess = PodGroupRoster.of(live(workload), workload).excess();
      for (V1Pod pod : excess) {
        attempts.make(
            () -> {
              delete(pod, "Deleted: its group has as many pods as it asks for");
              parts.runs().release(pod);
            });
      }
    }
    roster.outgrown().forEach(pod -> attempts.stop(() -> parts.runs().stop(pod, List.of())));
    if (roster.owned(workload)) {
      roster.replaced().forEach(pod -> attempts.make(() -> parts.runs().release(pod)));
    }
    roster.misfits().forEach(parts.demand()::tellMisfit);
  }

  private boolean ends(V1Pod pod) {
    return Health.terminating(pod) || kind.finished(pod).isPresent();
  }

  private void tellTaken(V1Pod pod, Workload workload) {
    String remedy =
        PodGroup.serves(pod)
            ? workload.conditions().finished()
                ? PodGroupRoster.BY_WAY_OF_NONE
                : "delete that Workload, and the group is queued with one of its own"
            : workload.conditions().finished()
                ? "delete the group's other pods, or give it another name, by the label "
                    + Keys.POD_GROUP
                : "give the group another name, by the label " + Keys.POD_GROUP;
    parts
        .demand()
        .tellMisfit(
            new PodGroup.Misfit(
                pod,
                "the Workload "
                    + ObjectKey.of(workload)
                    + (workload.conditions().finished()
                        ? " of its group has finished; "
                        : " has another owner; ")
                    + remedy));
  }

  /**
   * Whether pods that serve have all gone and no others are to come, so that the quota of their
   * Workload isn't needed; in between, their object makes one anew.
   */
  boolean emptied(Workload workload, PodGroup group) {
    if (!group.active().isEmpty()) {
      return false;
    }
    return PodGroup.abandoned(workload)
        ? live(workload).active().isEmpty()
        : serving.wanted(workload).orElse(1) == 0;
  }

  /** Deletes a pod, and records on it why. */
  void delete(V1Pod pod, String why) {
    pods.delete(pod);
    parts.news().tell(pod, "Deleted", why);
  }

  /** Takes off the finalizer by which the core kept pods. */
  void release(Collection<V1Pod> ended) {
    ended.forEach(parts.runs()::release);
  }
}
