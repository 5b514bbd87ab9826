// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.PriorityClassRef;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadSpec;
import io.github.kueue4j.jobs.JobWorkload;
import io.github.kueue4j.jobs.JobWorkload.Priority;
import io.github.kueue4j.jobs.Keys;
import io.github.kueue4j.jobs.LeaderWorkerGroup;
import io.github.kueue4j.jobs.PodGroup;
import io.github.kueue4j.jobs.PodGroupRoster;
import io.github.kueue4j.jobs.PodTemplates;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Collects the updates that make a Workload match its Job. */
final class WorkloadUpdate {
  private final KubernetesObject job;
  private final List<String> what = new ArrayList<>();
  private final Workload before;
  private Workload workload;

  WorkloadUpdate(Workload workload, KubernetesObject job) {
    this.before = workload;
    this.workload = workload;
    this.job = job;
  }

  Alignment outcome() {
    return what.isEmpty() ? new Alignment.InSync() : new Alignment.Change(before, workload, what);
  }

  private void change(String name, WorkloadSpec spec) {
    what.add(name);
    workload = workload.withSpec(spec);
  }

  void takePodSets(List<PodSet> podSets) {
    change("pod sets", workload.spec().withPodSets(podSets));
  }

  /**
   * The Workload of a group has to be owned by each pod that has a place in it. With those that had
   * one, and were replaced, a long life would make it too large for the API server.
   */
  void followOwners(PodGroup group, PodGroupRoster roster) {
    if (!roster.owned(workload)) {
      what.add("owners");
      workload = JobWorkload.ownedBy(roster.owners(group), workload);
    }
  }

  /** Keeps the Workload out of its queue, and says why, or lets it in again. */
  void awaitPods(Optional<String> why) {
    if (why.equals(JobWorkload.awaitedPods(workload))) {
      return;
    }
    what.add("missing pods");
    V1ObjectMeta metadata = PodTemplates.copy(workload.metadata(), V1ObjectMeta.class);
    why.ifPresentOrElse(
        text -> metadata.putAnnotationsItem(Keys.AWAITS_PODS, text),
        () -> Objects.requireNonNull(metadata.getAnnotations()).remove(Keys.AWAITS_PODS));
    workload = workload.withMetadata(metadata);
  }

  /**
   * The Workload of a group of a LeaderWorkerSet tells of which revision the pods were that had its
   * quota last.
   */
  void followRevision(PodGroup group) {
    Optional<String> revision = new LeaderWorkerGroup(group).untoldRevision(workload);
    if (revision.isPresent()) {
      what.add("revision");
      V1ObjectMeta metadata = PodTemplates.copy(workload.metadata(), V1ObjectMeta.class);
      metadata.putAnnotationsItem(Keys.GROUP_REVISION, revision.get());
      workload = workload.withMetadata(metadata);
    }
  }

  boolean movesToAnotherQueue() {
    return JobWorkload.queueName(job)
        .filter(queue -> !queue.equals(workload.spec().queueName()))
        .isPresent();
  }

  void followQueue() {
    if (movesToAnotherQueue()) {
      change("queue", workload.spec().withQueueName(JobWorkload.queueName(job).orElseThrow()));
    }
  }

  /** A prebuilt Workload keeps its own limit if the Job names none. */
  void followExecutionTime() {
    Optional<Integer> limit = JobWorkload.maximumExecutionTime(job);
    boolean concerned = limit.isPresent() || JobWorkload.prebuilt(job).isEmpty();
    if (concerned
        && !Objects.equals(limit.orElse(null), workload.spec().maximumExecutionTimeSeconds())) {
      change("execution time", workload.spec().withMaximumExecutionTimeSeconds(limit.orElse(null)));
    }
  }

  /**
   * While quota is reserved, the API only permits to replace one WorkloadPriorityClass by another.
   */
  void followPriority(Optional<Priority> named, boolean holdsQuota) {
    PriorityClassRef known = workload.spec().priorityClassRef();
    if (named.isEmpty() || Objects.equals(named.get().source(), known)) {
      return;
    }
    if (!holdsQuota || (known != null && known.group().equals(KueueTypes.GROUP))) {
      change(
          "priority class",
          workload
              .spec()
              .withPriorityClassRef(named.get().source())
              .withPriority(named.get().value()));
    }
  }

  /** Gates are only removed: a gate that is added later has no effect on an existing Workload. */
  void followGates() {
    Set<String> closed = gates(workload);
    Set<String> asked = gates(job);
    // A text such as "," names no gate, and yet keeps the Workload out of its queue.
    boolean gone = JobWorkload.gates(job).isEmpty() && JobWorkload.gates(workload).isPresent();
    if (!gone && (closed.equals(asked) || !closed.containsAll(asked))) {
      return;
    }
    what.add("admission gates");
    V1ObjectMeta metadata = PodTemplates.copy(workload.metadata(), V1ObjectMeta.class);
    String left = JobWorkload.gates(job).orElse(null);
    if (left == null) {
      Objects.requireNonNull(metadata.getAnnotations()).remove(Keys.ADMISSION_GATED_BY);
    } else {
      metadata.putAnnotationsItem(Keys.ADMISSION_GATED_BY, left);
    }
    workload = workload.withMetadata(metadata);
  }

  private static Set<String> gates(KubernetesObject object) {
    return Arrays.stream(JobWorkload.gates(object).orElse("").split(",", -1))
        .map(String::strip)
        .filter(gate -> !gate.isEmpty())
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
