// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Uids;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * A kind of object that can own a Workload. Implementations are pure: they take an object and
 * return the changed one; arguments are never modified, except by {@link #trimmed}. {@link
 * PodTemplates} has the changes of one pod template at start and stop.
 *
 * @param <T> the class of the objects
 */
@API(status = API.Status.INTERNAL)
public interface JobKind<T extends KubernetesObject> {
  /** The name that enables it in {@code integrations.frameworks} of the configuration. */
  String framework();

  /** The resource type of the objects. */
  ResourceType<T> type();

  /**
   * The object as caches keep it, see {@link Trimming}: every other method returns the same for it,
   * except that its {@link #podSets} can only be compared, not written.
   *
   * @param read may be modified; the caller must not use it afterwards
   */
  T trimmed(T read);

  /**
   * The type of the object that has the pods of a Job of this kind, and that the kind's controller
   * makes by the Job's name; empty if a Job has them itself.
   */
  default Optional<ResourceType<? extends KubernetesObject>> podsIn() {
    return Optional.empty();
  }

  /**
   * The Job with the object that has its pods, as the other methods take it.
   *
   * @param read the object of this type by the Job's name, if there is one
   */
  default T completed(
      T job,
      Function<ResourceType<? extends KubernetesObject>, Optional<? extends KubernetesObject>>
          read) {
    return job;
  }

  /**
   * Why {@link #podSets} aren't yet those that its user asks for: what it waits for, without a
   * period; empty if they are. So long it gets no Workload, isn't compared with one and not
   * started.
   */
  default Optional<String> unknownPods(T job) {
    return Optional.empty();
  }

  /** Its pod sets, as for a Workload. */
  List<PodSet> podSets(T job);

  /** Name of the PriorityClass that its pods name; empty if they name none. */
  Optional<String> podPriorityClass(T job);

  /**
   * The field that is true while its pods must not run; empty if they are held by something else.
   */
  default Optional<FieldPath> suspendField() {
    return Optional.of(FieldPath.of("spec", "suspend"));
  }

  /** A label selector of the objects that can be managed; empty for all. */
  default Optional<String> selector() {
    return Optional.empty();
  }

  /** Whether the core may manage this object; for some kinds only if its webhook has taken it. */
  default boolean manageable(T job) {
    return true;
  }

  /**
   * The object without the finalizer by which the core keeps it until its end is known; empty if it
   * has none.
   */
  default Optional<T> released(T job) {
    return Optional.empty();
  }

  /** The name of the group that has one Workload with this object; empty if it has its own. */
  default Optional<String> group(T job) {
    return Optional.empty();
  }

  /**
   * The pod that the object itself is; empty for one that has pods. A pod is stopped by its
   * deletion, so that one that is being deleted never runs again.
   */
  default Optional<V1Pod> pod(T job) {
    return Optional.empty();
  }

  /**
   * Why no Workload can be made for it: the field, the problem and the remedy, without a period;
   * empty if one can. It is stopped if it runs.
   */
  default Optional<String> refusal(T job) {
    return Optional.empty();
  }

  /** The controller that is to run it, as {@code spec.managedBy}; empty for that of the kind. */
  Optional<String> managedBy(T job);

  /** The controller that the Job names and that doesn't run it here; empty if one does. */
  default Optional<Unsupported> runsElsewhere(T job) {
    return Unsupported.managedBy("spec.managedBy", managedBy(job));
  }

  /** Its result; empty until it has finished. */
  Optional<FinishedOwner> finished(T job);

  /** What its kind's declaration takes for its end, in words; empty for a kind in code. */
  default Optional<String> finishedIf() {
    return Optional.empty();
  }

  /** Whether it is suspended and its stop is complete. */
  boolean suspended(T job);

  /** Whether it is suspended, but its stop isn't complete. */
  default boolean stopBegun(T job) {
    return false;
  }

  /** Whether it is suspended and counts none of its pods as active; some may still terminate. */
  boolean stopped(T job);

  /**
   * Whether all pods of every pod set that may run now are ready or have succeeded (KEP-1282);
   * meaningful only while it runs.
   */
  boolean podsReady(T job);

  /** The counts of its status. */
  JobProgress progress(T job);

  /** Whether pods run, as its status tells. */
  default boolean podsRun(T job) {
    return progress(job).active() > 0;
  }

  /** Whether pods may run on when the object has ended; its quota is then kept for them. */
  default boolean leavesPods() {
    return false;
  }

  /** A label selector of its pods. */
  String podSelector(T job);

  /** A label selector of the pods of the object with this uid, which may be gone. */
  String podSelector(String uid);

  /**
   * The number of pods of each pod set that will never run again, although {@link #podSets} counts
   * them: their quota is released (KEP-78). Pod sets without such pods are left out.
   */
  Map<String, Integer> reclaimablePods(T job);

  /** The object to write when its Workload is admitted. */
  Start<T> start(T job, List<PodSetAdditions> podSets);

  /**
   * The second write of a start; empty if the first one resumes the object.
   *
   * @param prepared what the API server has stored of {@link Start.Ready}
   */
  default Optional<T> resumption(T prepared) {
    return Optional.empty();
  }

  /**
   * A label selector of the Jobs that the object creates, and resumes when it is resumed; empty if
   * it creates none.
   */
  default Optional<String> children(T job) {
    return Optional.empty();
  }

  /** The uid of the owner of its {@link #children}. */
  default String ownerOfChildren(T job) {
    return Uids.of(job);
  }

  /** Whether objects of this kind create Jobs, which then run on their quota. */
  default boolean createsJobs() {
    return false;
  }

  /** Whether the controller of this kind resumes a Job that it created and the core suspended. */
  default boolean resumesJobs() {
    return true;
  }

  /**
   * Whether the object creates a Job of this name and size. A Job that merely says that the object
   * owns it would run without quota otherwise.
   */
  default boolean creates(T job, ChildJob child) {
    return false;
  }

  /**
   * The change that one of its {@link #children} needs before the object is resumed; empty if none.
   *
   * @param resumed the object to be written
   */
  default Optional<V1Job> beforeResumption(T resumed, V1Job child) {
    return Optional.empty();
  }

  /**
   * The next write that stops the object and restores it as it was before its start; empty when it
   * is stopped and restored. A Job that its user suspended has to be restored, too.
   *
   * @param podSets the original pods, as in the Workload
   */
  Optional<StopStep<T>> nextStopStep(T job, List<PodSet> podSets);

  /**
   * As {@link #nextStopStep}, of an object that was started although it doesn't say so: it is
   * restored as the Workload has it, by whatever its pods differ from that.
   */
  default Optional<StopStep<T>> nextUndoStep(T job, List<PodSet> podSets) {
    return nextStopStep(job, podSets);
  }

  /**
   * A field of a start that the API server didn't store, as it does where the definition of the
   * kind doesn't have it; empty if all are stored. Without them, pods can't be told from those of
   * other objects, nor the object be restored.
   */
  default Optional<FieldPath> dropped(T before, T sent, T stored) {
    return Optional.empty();
  }

  /** The outcome of preparing a start. */
  sealed interface Start<T extends KubernetesObject> {
    /** The object to write, which then runs, at the latest after its {@link #resumption}. */
    record Ready<T extends KubernetesObject>(T after) implements Start<T> {}

    /**
     * The object has a start time, so that its template is immutable (KEP-2926): its status has to
     * be written first, and then the start is computed again.
     */
    record ResetFirst<T extends KubernetesObject>(T after) implements Start<T> {}

    /**
     * The object can't be started, because the additions of flavors and checks contradict each
     * other.
     */
    record Impossible<T extends KubernetesObject>(String why) implements Start<T> {}
  }

  /** How a step of a stop is written. */
  enum StopWrite {
    /** As a change of the object. */
    OBJECT,
    /** As a change of its status subresource. */
    STATUS,
    /** As its deletion. */
    DELETION
  }

  /**
   * One write of a stop.
   *
   * @param after the object to write
   * @param possible whether the API server accepts it now: it may refuse changes of the template
   *     until the last pod is gone (KEP-5440)
   */
  record StopStep<T extends KubernetesObject>(T after, StopWrite write, boolean possible) {}
}
