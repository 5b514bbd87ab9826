// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.jobs.JobSet.ReplicatedJob;
import io.github.kueue4j.jobs.JobSet.ReplicatedJobStatus;
import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1JobSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * JobSets: one pod set per group of Jobs. The JobSet controller propagates a suspension to the
 * Jobs, and copies changed templates to them when they are resumed, so a start and a stop are one
 * write each.
 */
final class JobSetKind implements JobKind<JobSet> {
  private static final Pattern INDEX = Pattern.compile("0|[1-9][0-9]{0,8}");

  @Override
  public String framework() {
    return "jobset.x-k8s.io/jobset";
  }

  @Override
  public ResourceType<JobSet> type() {
    return JobSet.TYPE;
  }

  @Override
  public List<PodSet> podSets(JobSet job) {
    return job.spec().replicatedJobs().stream()
        .map(
            group ->
                new PodSet(
                    group.name(),
                    PodTemplates.forWorkload(template(group)),
                    pods(replicas(group), group),
                    null))
        .toList();
  }

  @Override
  public JobSet trimmed(JobSet read) {
    Trimming.metadata(read.metadata());
    for (ReplicatedJob group : read.spec().replicatedJobs()) {
      spec(group).setTemplate(Trimming.template(template(group)));
    }
    return read;
  }

  @Override
  public Optional<String> podPriorityClass(JobSet job) {
    return job.spec().replicatedJobs().stream()
        .flatMap(group -> PodTemplates.priorityClass(template(group)).stream())
        .findFirst();
  }

  @Override
  public Optional<String> managedBy(JobSet job) {
    return Optional.ofNullable(job.spec().managedBy());
  }

  @Override
  public Optional<FinishedOwner> finished(JobSet job) {
    return finished(job.status().conditions(), "Completed");
  }

  /**
   * The end that conditions tell of: Failed, or another one.
   *
   * @param complete the type of that one
   */
  static Optional<FinishedOwner> finished(List<V1Condition> conditions, String complete) {
    return conditions.stream()
        .filter(condition -> "True".equals(condition.getStatus()))
        .filter(condition -> List.of(complete, "Failed").contains(condition.getType()))
        .findFirst()
        .map(
            condition ->
                new FinishedOwner(
                    complete.equals(condition.getType()) ? "Succeeded" : "Failed",
                    Objects.requireNonNullElse(condition.getMessage(), "")));
  }

  @Override
  public boolean suspended(JobSet job) {
    return Boolean.TRUE.equals(job.spec().suspend());
  }

  @Override
  public boolean stopped(JobSet job) {
    return suspended(job)
        && job.status().replicatedJobsStatus().stream().allMatch(status -> status.active() == 0);
  }

  @Override
  public boolean podsReady(JobSet job) {
    Map<String, ReplicatedJobStatus> statuses = statuses(job);
    return job.spec().replicatedJobs().stream()
        .allMatch(
            group -> {
              ReplicatedJobStatus status = statuses.get(group.name());
              return status != null && status.ready() + status.succeeded() >= replicas(group);
            });
  }

  @Override
  public JobProgress progress(JobSet job) {
    int active = 0;
    int ready = 0;
    for (ReplicatedJobStatus status : job.status().replicatedJobsStatus()) {
      active += status.active();
      ready += status.ready();
    }
    return new JobProgress("Jobs", active, ready, null);
  }

  @Override
  public String podSelector(JobSet job) {
    return "jobset.sigs.k8s.io/jobset-name=" + ObjectKey.of(job).name();
  }

  @Override
  public String podSelector(String uid) {
    return "jobset.sigs.k8s.io/jobset-uid=" + uid;
  }

  /** Pods of complete Jobs, unless the failure policy may recreate these. */
  @Override
  public Map<String, Integer> reclaimablePods(JobSet job) {
    if (job.mayRestart()) {
      return Map.of();
    }
    Map<String, ReplicatedJobStatus> statuses = statuses(job);
    Map<String, Integer> reclaimable = new HashMap<>();
    for (ReplicatedJob group : job.spec().replicatedJobs()) {
      ReplicatedJobStatus status = statuses.get(group.name());
      if (status != null && status.succeeded() > 0) {
        reclaimable.put(group.name(), pods(Math.min(status.succeeded(), replicas(group)), group));
      }
    }
    return reclaimable;
  }

  @Override
  public Start<JobSet> start(JobSet job, List<PodSetAdditions> podSets) {
    JobSet after = PodTemplates.copy(job, JobSet.class);
    for (ReplicatedJob group : after.spec().replicatedJobs()) {
      Optional<PodSetAdditions> start =
          podSets.stream().filter(found -> found.name().equals(group.name())).findFirst();
      if (start.isEmpty()) {
        return new Start.Impossible<>(
            "the admission has no assignment for pod set " + group.name());
      }
      Optional<String> conflict = PodTemplates.start(template(group), start.get());
      if (conflict.isPresent()) {
        return new Start.Impossible<>(conflict.get());
      }
    }
    return new Start.Ready<>(after.withSuspend(false));
  }

  @Override
  public Optional<String> children(JobSet job) {
    return Optional.of(JobSetChildren.selector(job));
  }

  @Override
  public boolean createsJobs() {
    return true;
  }

  @Override
  public boolean creates(JobSet job, ChildJob child) {
    return child.type().equals(CoreTypes.JOB)
        && job.spec().replicatedJobs().stream().anyMatch(group -> creates(job, group, child));
  }

  /** Jobs are called {@code JOBSET-GROUP-INDEX}. */
  private static boolean creates(JobSet job, ReplicatedJob group, ChildJob child) {
    String prefix = ObjectKey.of(job).name() + "-" + group.name() + "-";
    int parallelism = Objects.requireNonNullElse(spec(group).getParallelism(), 1);
    return child.name().startsWith(prefix)
        && index(child.name().substring(prefix.length())) < replicas(group)
        && child.podSets().stream()
            .allMatch(
                pods ->
                    pods.count() <= parallelism
                        && Equivalence.sameResources(pods.template(), template(group)));
  }

  /** The number that this text is in its shortest form; beyond all others if it is none. */
  private static int index(String text) {
    return INDEX.matcher(text).matches() ? Integer.parseInt(text) : Integer.MAX_VALUE;
  }

  @Override
  public Optional<V1Job> beforeResumption(JobSet resumed, V1Job child) {
    return JobSetChildren.cleaned(resumed, child);
  }

  @Override
  public Optional<StopStep<JobSet>> nextStopStep(JobSet job, List<PodSet> podSets) {
    if (suspended(job)
        && job.spec().replicatedJobs().stream()
            .noneMatch(group -> PodTemplates.marked(template(group)))) {
      return Optional.empty();
    }
    JobSet after = PodTemplates.copy(job, JobSet.class).withSuspend(true);
    for (ReplicatedJob group : after.spec().replicatedJobs()) {
      podSets.stream()
          .filter(podSet -> podSet.name().equals(group.name()))
          .findFirst()
          .ifPresent(original -> PodTemplates.restore(template(group), original.template()));
    }
    return PodTemplates.same(after, job)
        ? Optional.empty()
        : Optional.of(new StopStep<>(after, StopWrite.OBJECT, true));
  }

  private static Map<String, ReplicatedJobStatus> statuses(JobSet job) {
    Map<String, ReplicatedJobStatus> statuses = new HashMap<>();
    job.status().replicatedJobsStatus().forEach(status -> statuses.put(status.name(), status));
    return statuses;
  }

  private static int replicas(ReplicatedJob group) {
    return Objects.requireNonNullElse(group.replicas(), 1);
  }

  /** The number of pods, saturated at {@link Integer#MAX_VALUE}. */
  private static int pods(int replicas, ReplicatedJob group) {
    return (int) Math.min(Integer.MAX_VALUE, (long) replicas * podsPerJob(group));
  }

  private static int podsPerJob(ReplicatedJob group) {
    V1JobSpec spec = spec(group);
    int parallelism = Objects.requireNonNullElse(spec.getParallelism(), 1);
    return Math.min(parallelism, Objects.requireNonNullElse(spec.getCompletions(), parallelism));
  }

  private static V1JobSpec spec(ReplicatedJob group) {
    V1JobSpec spec = group.template().getSpec();
    if (spec == null) {
      spec = new V1JobSpec();
      group.template().setSpec(spec);
    }
    return spec;
  }

  private static V1PodTemplateSpec template(ReplicatedJob group) {
    V1PodTemplateSpec template = spec(group).getTemplate();
    if (template == null) {
      template = new V1PodTemplateSpec();
      spec(group).setTemplate(template);
    }
    return template;
  }
}
