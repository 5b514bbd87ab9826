// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.Owner;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.jobs.FinishedOwner;
import io.github.kueue4j.jobs.LeaderWorkerSet;
import io.github.kueue4j.jobs.PodGroup;
import io.github.kueue4j.jobs.PodGroupRoster;
import io.github.kueue4j.jobs.PodSetAdditions;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.kubernetes.client.openapi.models.V1Pod;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The pods of a group, which run on one Workload. */
final class GroupedPods implements WorkloadJob {
  private final PodGroups groups;
  private final JobKindParts<V1Pod> parts;
  private final Workload workload;
  private List<V1Pod> found = List.of();
  private @Nullable PodGroup group;

  GroupedPods(PodGroups groups, JobKindParts<V1Pod> parts, Workload workload) {
    this.groups = groups;
    this.parts = parts;
    this.workload = workload;
  }

  /** It is put in order anew only when one of its pods has changed. */
  private PodGroup group() {
    List<V1Pod> now = groups.cached(ObjectKey.of(workload));
    PodGroup known = group;
    if (known != null && same(found, now)) {
      return known;
    }
    PodGroup sorted = PodGroup.of(ObjectKey.of(workload).name(), now, Optional.of(workload));
    found = now;
    group = sorted;
    return sorted;
  }

  /** Whether they are the same versions of the same pods. */
  @SuppressWarnings("ReferenceEquality") // those in a cache are never modified
  private static boolean same(List<V1Pod> one, List<V1Pod> other) {
    return one.size() == other.size()
        && IntStream.range(0, one.size()).allMatch(i -> one.get(i) == other.get(i));
  }

  private List<PodSet> podSets() {
    return workload.spec().podSets();
  }

  @Override
  public boolean managed() {
    return true;
  }

  @Override
  public Optional<FinishedOwner> finished() {
    PodGroup group = group();
    return group
        .finished(podSets())
        .or(
            () ->
                group.deleted(admitted()) && groups.live(workload).deleted(admitted())
                    ? Optional.of(new FinishedOwner("Failed", "All pods of the group were deleted"))
                    : Optional.empty());
  }

  private boolean admitted() {
    return workload.conditions().admitted() && !workload.conditions().evicted();
  }

  @Override
  public boolean running() {
    return !group().running().isEmpty();
  }

  @Override
  public boolean runsOnAnotherWorkload() {
    return false;
  }

  @Override
  public boolean needsStop() {
    return group().running().stream().anyMatch(pod -> !Health.terminating(pod));
  }

  @Override
  public Optional<Boolean> podsReady() {
    return Optional.of(group().podsReady(podSets()));
  }

  @Override
  public Owner atRest() {
    return !running() && groups.live(workload).running().isEmpty() ? Owner.STOPPED : Owner.UNKNOWN;
  }

  @Override
  public Owner stop() {
    Owner cached = stop(group().running());
    // Only the API server knows that nothing runs.
    return cached == Owner.STOPPED ? stop(groups.live(workload).running()) : cached;
  }

  private Owner stop(List<V1Pod> running) {
    List<V1Pod> toStop = running.stream().filter(pod -> !Health.terminating(pod)).toList();
    Attempts attempts = new Attempts();
    toStop.forEach(pod -> attempts.make(() -> parts.runs().stop(pod, List.of())));
    attempts.throwFailure();
    boolean usesQuota = Phase.holdsQuota(workload) && workload.conditions().admitted();
    if (!toStop.isEmpty() || running.isEmpty() || !usesQuota) {
      // The next change of a pod continues.
      parts.stoppedPods().forget(ObjectKey.of(workload));
      return toStop.isEmpty() ? Owner.STOPPED : Owner.RUNNING;
    }
    return parts.stoppedPods().anyRuns(workload, running) ? Owner.RUNNING : Owner.STOPPED;
  }

  @Override
  public Optional<Instant> nextLookAtPods() {
    boolean settled = !workload.conditions().finished() && workload.spec().active();
    if (settled && PodGroup.server(workload).isPresent() && group().running().isEmpty()) {
      // Its object may be scaled while nothing runs, of which no pod tells.
      return Optional.of(parts.stoppedPods().later(Phase.holdsQuota(workload)));
    }
    return parts.stoppedPods().nextLook(ObjectKey.of(workload));
  }

  /** Pods are stopped by their deletion, which needs no controller. */
  @Override
  public Optional<Workload> withItsNews(Phase phase) {
    return Optional.empty();
  }

  @Override
  public Optional<FinishedOwner> start(
      Admission admission,
      Function<String, @Nullable ResourceFlavor> flavors,
      Predicate<String> enforced) {
    List<PodSetAdditions> additions =
        PodSetAdditions.of(JobRuns.withChecks(workload, enforced), admission, flavors);
    PodGroup group = group();
    boolean anyStarted = !group.running().isEmpty() || !group.succeeded(podSets()).isEmpty();
    for (PodGroupRoster.StartablePod start : starts(group)) {
      Optional<FinishedOwner> impossible =
          parts
              .runs()
              .startMember(
                  start.pod(),
                  workload,
                  additions.stream().filter(one -> one.name().equals(start.podSet())).toList());
      if (impossible.isPresent() && !anyStarted) {
        return impossible;
      }
      impossible.ifPresent(
          why ->
              parts
                  .demand()
                  .tellMisfit(
                      new PodGroup.Misfit(
                          start.pod(),
                          "it can't be started, " + why.message() + "; create it anew")));
      anyStarted = true;
    }
    return Optional.empty();
  }

  /** A pod on a lost node keeps no other one from its place for ever. */
  private List<PodGroupRoster.StartablePod> starts(PodGroup group) {
    PodGroupRoster roster = PodGroupRoster.of(group, workload);
    List<V1Pod> leaving = group.running().stream().filter(Health::terminating).toList();
    boolean waits =
        !roster.waiting().isEmpty()
            || roster.starts().stream().anyMatch(start -> LeaderWorkerSet.leads(start.pod()));
    if (!waits || leaving.isEmpty()) {
      parts.stoppedPods().forget(ObjectKey.of(workload));
      return within(inOrder(roster.starts(), group.running()));
    }
    List<V1Pod> lost = parts.stoppedPods().lost(workload, leaving);
    return within(
        inOrder(
            PodGroupRoster.of(group, workload, lost).starts(),
            PodGroup.without(group.running(), lost)));
  }

  /**
   * A leader comes first, once all pods of the one before it have ended: they may need less than
   * those that come, for which the group is queued anew only while nothing runs. Its workers follow
   * it.
   */
  private static List<PodGroupRoster.StartablePod> inOrder(
      List<PodGroupRoster.StartablePod> starts, List<V1Pod> running) {
    boolean led =
        running.stream().anyMatch(pod -> LeaderWorkerSet.leads(pod) && !Health.terminating(pod));
    return starts.stream()
        .filter(
            start ->
                LeaderWorkerSet.leads(start.pod())
                    ? running.isEmpty()
                    : led || !LeaderWorkerSet.follows(start.pod()))
        .toList();
  }

  /** A pod beyond the places has none while another one is between its end and its successor. */
  private List<PodGroupRoster.StartablePod> within(List<PodGroupRoster.StartablePod> starts) {
    boolean all =
        starts.stream()
            .map(PodGroupRoster.StartablePod::pod)
            .allMatch(pod -> !PodGroup.serves(pod) || PodGroup.ordinal(pod) < places());
    OptionalInt first = all ? OptionalInt.empty() : groups.serving().firstOrdinal(workload);
    return first.isEmpty()
        ? starts
        : starts.stream()
            .filter(start -> PodGroup.ordinal(start.pod()) - first.getAsInt() < places())
            .toList();
  }

  @Override
  public Alignment alignment(Phase phase) {
    PodGroup group = group();
    boolean settled = phase == Phase.ADMITTED || phase == Phase.RESERVED || phase == Phase.QUEUED;
    if (settled && (groups.emptied(workload, group) || outdated(group, phase))) {
      return new Alignment.Replace();
    }
    return parts.demand().alignment(group.active().stream().findFirst(), group, workload, phase);
  }

  /** Whether nothing uses its quota, and what is to run would need another one. */
  private boolean outdated(PodGroup group, Phase phase) {
    List<V1Pod> running = group.running();
    if (!group.serves()
        || group.active().isEmpty()
        || !PodGroup.without(running, parts.stoppedPods().lost(running)).isEmpty()) {
      return false;
    }
    return groups.serving().outdated(workload, group, phase != Phase.ADMITTED);
  }

  private int places() {
    return ServingObjects.places(workload);
  }

  @Override
  public void recordClaim() {}

  @Override
  public void recordChange(Alignment.Change change) {}

  @Override
  public void recordRefusal(KubernetesApiException.Invalid refused) {
    group().pods().stream()
        .findFirst()
        .ifPresent(pod -> parts.demand().tellRefused(pod, ObjectKey.of(workload), refused));
  }

  @Override
  public void recordReplacement() {
    tell("DeletedWorkload", "Deleted not matching Workload: " + ObjectKey.of(workload));
  }

  @Override
  public void recordStop(String why) {
    tell("Stopped", why);
  }

  private void tell(String reason, String note) {
    group().active().forEach(pod -> parts.news().tell(pod, reason, note));
  }

  @Override
  public Optional<Workload> reclaimed() {
    return parts.demand().reclaimsPods()
        ? parts.demand().reclaimed(group().succeeded(podSets()), Map.of(), workload)
        : Optional.empty();
  }

  @Override
  public Optional<Instant> finishedKeptUntil() {
    // Without its Workload, a group that could not start would be queued again, and fail again.
    if (PodGroup.server(workload).isPresent() && group().active().isEmpty()) {
      return Optional.of(Instant.MIN); // Pods that come later could never start.
    }
    boolean unfinished =
        group().active().stream()
            .anyMatch(
                pod -> parts.jobs().kind().finished(pod).isEmpty() && !Health.terminating(pod));
    return unfinished ? Optional.empty() : parts.retention().finishedUntil(workload);
  }

  @Override
  public void release() {
    groups.release(
        group().pods().stream()
            .filter(pod -> Health.terminating(pod) || parts.jobs().kind().finished(pod).isPresent())
            .toList());
  }

  @Override
  public Optional<Instant> deactivatedKeptUntil() {
    // What serves would be made anew, and deleted again, for ever.
    return group().serves() ? Optional.empty() : parts.retention().deactivatedUntil(workload);
  }

  @Override
  public void delete() {
    List<V1Pod> pods = group().pods();
    for (V1Pod pod : pods) {
      if (!Health.terminating(pod)) {
        groups.delete(pod, "Deleted job: deactivation retention period expired");
      }
    }
    groups.release(pods);
  }
}
