// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.dryrun;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.owner.NewWorkloads;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.jobs.Keys;
import io.github.kueue4j.jobs.PlainPod;
import io.github.kueue4j.jobs.PodGroup;
import io.github.kueue4j.jobs.PodGroupRoster;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Pods on their way from their creation to the scheduler, as parts of what a user writes. */
final class NewPods {
  static final PlainPod KIND = new PlainPod();

  private final DryRun run;
  private final String kind;
  private final ObjectKey object;
  private final List<String> notes = new ArrayList<>();
  private @Nullable DryRunResult waits;

  /**
   * Pods that one result is about.
   *
   * @param kind of what has them
   * @param object namespace and name of it
   */
  NewPods(DryRun run, String kind, ObjectKey object) {
    this.run = run;
    this.kind = kind;
    this.object = object;
  }

  /**
   * The result for pods, which are alike but for their names.
   *
   * @param units the pods of each Workload as they are stored, but for what the server gives them
   * @param word for a unit
   */
  DryRunResult result(List<List<V1Pod>> units, String word) {
    Optional<DryRunResult> obstacle = obstacle(units.getFirst());
    if (obstacle.isPresent()) {
      return obstacle.get().of(kind, object);
    }
    NewJob<V1Pod> job = job(units.getFirst().getFirst());
    List<Workload> workloads = new ArrayList<>();
    Map<ObjectKey, DryRunResult> reserved = new HashMap<>();
    for (List<V1Pod> unit : units) {
      if (!workloads.isEmpty()) {
        unit.forEach(this::create);
      }
      Optional<PodGroup> group = group(unit.getFirst());
      Optional<DryRunResult> unready = group.flatMap(this::unready);
      if (unready.isPresent()) {
        return unready.get();
      }
      Optional<Workload> workload = workload(unit.getFirst(), group);
      Optional<DryRunResult> refused =
          workload.isEmpty() ? Optional.of(withoutServer()) : job.submit(workload.get());
      if (refused.isPresent()) {
        return refused.get().of(kind, object);
      }
      workloads.add(workload.get());
      if (run.trial().reserved(workload.get().key()).isPresent()) {
        // What it borrows is told before others get quota.
        reserved.put(workload.get().key(), job.scheduledAs(workload.get()));
      }
    }
    return DryRunResult.joined(
            kind,
            object,
            word,
            workloads.stream()
                .map(
                    each ->
                        Objects.requireNonNullElseGet(
                            reserved.get(each.key()), () -> unreserved(job, each)))
                .toList())
        .warning(notes);
  }

  private NewJob<V1Pod> job(V1Pod pod) {
    return new NewJob<>(run, KIND, ObjectKey.of(pod));
  }

  private void create(V1Pod pod) {
    run.create(Objects.requireNonNull(pod.getMetadata(), "metadata"));
    run.objects().put(CoreTypes.POD, pod);
  }

  private Optional<DryRunResult> obstacle(List<V1Pod> unit) {
    for (V1Pod pod : unit) {
      Optional<DryRunResult> alone = job(pod).notTaken(pod);
      if (alone.isPresent()) {
        return alone;
      }
    }
    V1Pod first = unit.getFirst();
    return KIND.group(first)
        .map(group -> new ObjectKey(object.namespace(), group))
        .flatMap(key -> run.objects().find(KueueTypes.WORKLOAD, key))
        .map(workload -> queuedBefore(unit, workload))
        .or(() -> job(first).notQueued(first));
  }

  /** The result of pods whose group's Workload is there: its places decide. */
  private DryRunResult queuedBefore(List<V1Pod> unit, Workload workload) {
    String group = workload.key().name();
    if (workload.conditions().finished()) {
      return notQueued(
          "The Workload of its group %s has finished: the core starts no pod of that group. Delete the group's other pods, or give it another name, by the label %s."
              .formatted(group, Keys.POD_GROUP));
    }
    String queued = "Its group " + group + " has its Workload already: ";
    if (!PodGroup.has(workload) || PodGroup.serves(unit.getFirst())) {
      return result(
          DryRunOutcome.UNKNOWN,
          queued + "whether that is for these pods can't be foreseen; delete what is left of it.");
    }
    PodGroupRoster roster =
        PodGroupRoster.of(PodGroup.of(group, members(group), Optional.of(workload)), workload);
    for (PodGroup.Misfit misfit : roster.misfits()) {
      if (unit.contains(misfit.pod())) {
        return notQueued(
            queued
                + "pod %s waits in vain: %s."
                    .formatted(names(List.of(misfit.pod())), misfit.why()));
      }
    }
    List<V1Pod> excess = unit.stream().filter(roster.excess()::contains).toList();
    if (!excess.isEmpty()) {
      return notQueued(
          queued + "it has no place for %s, which the core deletes.".formatted(names(excess)));
    }
    List<V1Pod> later = unit.stream().filter(roster.waiting()::contains).toList();
    if (!workload.conditions().admitted() || workload.conditions().evicted()) {
      return result(
          DryRunOutcome.WAITS,
          queued
              + "%s will run on that; 'explain workload/%s' says what that waits for."
                  .formatted(names(unit), group));
    }
    return later.isEmpty()
        ? result(
            DryRunOutcome.ADMITTED,
            queued + "the core starts %s at once, on that.".formatted(names(unit)))
        : result(
            DryRunOutcome.WAITS,
            queued + "the core starts %s once a pod has ended for each.".formatted(names(later)));
  }

  private List<V1Pod> members(String group) {
    return run.objects().all(CoreTypes.POD).stream()
        .filter(each -> ObjectKey.of(each).namespace().equals(object.namespace()))
        .filter(each -> KIND.group(each).equals(Optional.of(group)))
        .toList();
  }

  private DryRunResult result(DryRunOutcome outcome, String summary) {
    return DryRunResult.of(kind, object, outcome, summary);
  }

  private DryRunResult notQueued(String summary) {
    return result(DryRunOutcome.NOT_QUEUED, summary);
  }

  private DryRunResult withoutServer() {
    return notQueued("The object whose pods they are is gone, or can't be read: try that one.");
  }

  /** The group of a pod, without what has ended; empty if it is in none. */
  private Optional<PodGroup> group(V1Pod pod) {
    Optional<String> name = KIND.group(pod);
    return name.map(
        group ->
            PodGroup.of(
                group,
                members(group).stream()
                    .filter(each -> !Health.terminating(each) && KIND.finished(each).isEmpty())
                    .toList(),
                Optional.empty()));
  }

  /** Pods that have ended are in no new Workload, and those that run without one are stopped. */
  private Optional<DryRunResult> unready(PodGroup group) {
    List<V1Pod> running = group.running();
    return running.isEmpty()
        ? group.incomplete().map(why -> notQueued("Its group %s %s.".formatted(group.name(), why)))
        : Optional.of(
            notQueued(
                "Pods of its group %s run without a Workload: the core stops %s first, and others have to take their places."
                    .formatted(group.name(), names(running))));
  }

  private static String names(List<V1Pod> pods) {
    return pods.stream().map(pod -> ObjectKey.of(pod).name()).collect(Collectors.joining(", "));
  }

  private Optional<Workload> workload(V1Pod pod, Optional<PodGroup> group) {
    return group.isEmpty() ? Optional.of(job(pod).workload(pod)) : workload(group.get());
  }

  private Optional<Workload> workload(PodGroup group) {
    V1Pod first = group.chosen().getFirst();
    Optional<Workload> workload =
        NewWorkloads.of(run.configuration())
            .ofGroup(
                new ObjectKey(object.namespace(), group.name()),
                group,
                job(first).knownPriority(first),
                run.objects());
    workload
        .map(made -> PodGroupRoster.of(group, made).excess())
        .filter(excess -> !excess.isEmpty())
        .ifPresent(
            excess ->
                notes.add(
                    "%d of its pods without a place, since the group's total count is %d, will be deleted: %s"
                        .formatted(excess.size(), group.chosen().size(), names(excess))));
    return workload;
  }

  /** The result of pods that wait; they are alike: the first stands for them. */
  private DryRunResult unreserved(NewJob<V1Pod> job, Workload workload) {
    if (run.trial().refused(workload.key()).orElse(null) instanceof Decision.Preempt) {
      return job.scheduledAs(workload);
    }
    DryRunResult first = waits == null ? job.scheduledAs(workload) : waits;
    waits = first;
    return first;
  }
}
