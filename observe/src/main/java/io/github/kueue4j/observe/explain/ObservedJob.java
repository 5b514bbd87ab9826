// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.core.admission.AskedInVain;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.JobProgress;
import io.github.kueue4j.jobs.JobWorkload;
import io.github.kueue4j.jobs.Unsupported;
import io.github.kueue4j.jobs.WorkloadNames;
import io.kubernetes.client.common.KubernetesObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The state of a Job of any supported kind, as far as it matters for its Workload, or of an object
 * that isn't managed.
 *
 * @param type its kind
 * @param key namespace and name
 * @param uid of the object
 * @param createdAt when it was created
 * @param manageable whether the core may manage it, see {@link JobKind#manageable}
 * @param suspended whether it is suspended
 * @param stopped whether it is suspended and counts none of its pods as active
 * @param finished whether it has ended
 * @param podsRun whether pods run, as its status tells
 * @param podsReady whether all of its pods are ready or have succeeded
 * @param progress the counts of its status
 * @param workload key of its Workload, which may not exist yet
 * @param prebuilt whether it names that Workload itself, so that the core doesn't create it
 * @param queueName the LocalQueue that it names; null for none
 * @param priorityClass the WorkloadPriorityClass that it names; null for none
 * @param refusal why no Workload can be made for it, see {@link JobKind#refusal}; null if one can
 * @param unknownPods why its pods aren't known yet, see {@link JobKind#unknownPods}; null if they
 *     are, or its object has what a start has added, which the core is to take off, or that can't
 *     be seen
 * @param unseenPods the type of the object that has its pods, see {@link JobKind#podsIn}, if that
 *     may not be read; null if it may
 * @param partOf the owner whose pods it has, such as {@code TrainJob train}; null if they are its
 *     own
 * @param finishedIf what its kind's declaration takes for its end; null for a kind in code or
 *     without one
 * @param unsupported what it asks for in vain
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ObservedJob(
    ResourceType<?> type,
    ObjectKey key,
    String uid,
    Instant createdAt,
    boolean manageable,
    boolean suspended,
    boolean stopped,
    boolean finished,
    boolean podsRun,
    boolean podsReady,
    JobProgress progress,
    ObjectKey workload,
    boolean prebuilt,
    @Nullable String queueName,
    @Nullable String priorityClass,
    @Nullable String refusal,
    @Nullable String unknownPods,
    @Nullable ResourceType<?> unseenPods,
    @Nullable String partOf,
    @Nullable String finishedIf,
    List<Unsupported> unsupported) {
  public ObservedJob {
    unsupported = List.copyOf(unsupported);
  }

  /** The state of a Job that has pods of its own. */
  static <T extends KubernetesObject> ObservedJob of(JobKind<T> kind, T job) {
    return of(kind, job, null, null);
  }

  /** The state of a Job. */
  static <T extends KubernetesObject> ObservedJob of(
      JobKind<T> kind, T job, @Nullable String partOf, @Nullable ResourceType<?> unseenPods) {
    return new ObservedJob(
        kind.type(),
        ObjectKey.of(job),
        Uids.of(job),
        WorkloadView.createdAt(job.getMetadata()),
        kind.manageable(job),
        kind.suspended(job) || kind.stopBegun(job),
        kind.stopped(job),
        kind.finished(job).isPresent(),
        kind.podsRun(job),
        kind.podsReady(job),
        kind.progress(job),
        kind.group(job)
            .map(group -> new ObjectKey(ObjectKey.of(job).namespace(), group))
            .orElseGet(() -> new WorkloadNames(false).of(kind.type(), job)),
        JobWorkload.prebuilt(job).isPresent(),
        JobWorkload.queueName(job).orElse(null),
        JobWorkload.priorityClass(job).orElse(null),
        kind.refusal(job).orElse(null),
        kind.unknownPods(job)
            .filter(why -> unseenPods == null)
            .filter(
                why -> !kind.suspended(job) || kind.nextStopStep(job, kind.podSets(job)).isEmpty())
            .orElse(null),
        unseenPods,
        partOf,
        kind.finishedIf().orElse(null),
        AskedInVain.by(KueueJson.toTree(job).getAsJsonObject(), Configuration.defaults()));
  }

  /**
   * An object that isn't managed, of a kind that the core knows by name only.
   *
   * @param ended whether it runs no more, as far as that is known
   */
  static ObservedJob unmanaged(ResourceType<?> type, KubernetesObject object, boolean ended) {
    return new ObservedJob(
        type,
        ObjectKey.of(object),
        Uids.of(object),
        WorkloadView.createdAt(object.getMetadata()),
        false,
        false,
        ended,
        ended,
        false,
        false,
        new JobProgress("", 0, null, null),
        new WorkloadNames(false).of(type, object),
        false,
        JobWorkload.queueName(object).orElse(null),
        JobWorkload.priorityClass(object).orElse(null),
        null,
        null,
        null,
        null,
        null,
        List.of());
  }

  /** Its kind, such as {@code Job} or {@code JobSet}. */
  String kind() {
    return type.kind();
  }

  /** What no controller of this cluster runs the Job for; empty if one does. */
  Optional<Unsupported> runsElsewhere() {
    return unsupported.stream()
        .filter(asked -> asked.feature() == Unsupported.Feature.MULTI_KUEUE_JOB)
        .findFirst();
  }

  /** What it asks for in vain, unless another implementation runs. */
  List<Evidence> inVain() {
    return unsupported.stream()
        .map(
            asked ->
                seen(
                    asked.field(),
                    asked.value()
                        + (asked.feature().isInvalidValue()
                            ? " (not valid)"
                            : " (not supported by kueue4j)")))
        .toList();
  }

  /** The end of a sentence which says that its pods can't be seen; empty if they can. */
  String unseen() {
    return unseenPods == null
        ? ""
        : "; its pods can't be seen from here, since its %s %s may not be read: that needs get of %s in the namespace %s"
            .formatted(unseenPods.kind(), key.name(), unseenPods.qualifiedName(), key.namespace());
  }

  Evidence seen(String field, String value) {
    return Evidence.of(kind(), key, field, value);
  }

  /** The part of its spec and status that concerns its pods, in one line. */
  Evidence seen() {
    return seen(
        "spec, status",
        "spec.suspend "
            + suspended
            + (progress.counted().isEmpty()
                ? ""
                : ", " + progress.counted() + " active " + progress.active())
            + (podsRun && progress.active() == 0 ? ", pods run" : "")
            + (progress.ready() == null ? "" : ", ready " + progress.ready())
            + (progress.terminating() == null ? "" : ", terminating " + progress.terminating()));
  }
}
