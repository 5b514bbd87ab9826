// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.ResourceType;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1JobCondition;
import io.kubernetes.client.openapi.models.V1JobSpec;
import io.kubernetes.client.openapi.models.V1JobStatus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1UncountedTerminatedPods;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.apiguardian.api.API;

/** Jobs of batch/v1: one pod set, {@code main}. */
@API(status = API.Status.INTERNAL)
public final class BatchJob implements JobKind<V1Job> {
  static final String POD_SET = "main";

  @Override
  public String framework() {
    return "batch/job";
  }

  @Override
  public ResourceType<V1Job> type() {
    return CoreTypes.JOB;
  }

  @Override
  public List<PodSet> podSets(V1Job job) {
    int count = podsAtOnce(job);
    return List.of(
        new PodSet(
            POD_SET,
            PodTemplates.forWorkload(template(job)),
            count,
            minParallelism(job).filter(n -> n < count && shrinkable(job)).orElse(null)));
  }

  @Override
  public V1Job trimmed(V1Job read) {
    if (read.getMetadata() != null) {
      Trimming.metadata(read.getMetadata());
    }
    if (read.getSpec() != null && read.getSpec().getTemplate() != null) {
      read.getSpec().setTemplate(Trimming.template(read.getSpec().getTemplate()));
    }
    return read;
  }

  private static int podsAtOnce(V1Job job) {
    V1JobSpec spec = spec(job);
    int parallelism = Objects.requireNonNullElse(spec.getParallelism(), 1);
    return Math.min(parallelism, Objects.requireNonNullElse(spec.getCompletions(), parallelism));
  }

  /** The minimum parallelism in the Job's annotation; empty unless that is a positive number. */
  private static Optional<Integer> minParallelism(V1Job job) {
    return annotation(job, Keys.MIN_PARALLELISM).flatMap(PositiveNumber::read);
  }

  private static Optional<String> annotation(V1Job job, String key) {
    return Optional.ofNullable(job.getMetadata())
        .map(V1ObjectMeta::getAnnotations)
        .map(annotations -> annotations.get(key));
  }

  /**
   * Whether the Job may run with fewer pods. If its completions are to equal its parallelism, not
   * once some pods have completed: with fewer completions it would count as complete.
   */
  private static boolean shrinkable(V1Job job) {
    return !completionsFollow(job) || terminal(job) == 0;
  }

  /**
   * Whether its completions are to equal its parallelism. Other completions would be lost, and
   * those of a Job that isn't Indexed can't change: the webhook refuses the annotation there.
   */
  private static boolean completionsFollow(V1Job job) {
    V1JobSpec spec = spec(job);
    return annotation(job, Keys.COMPLETIONS_EQUAL_PARALLELISM).filter("true"::equals).isPresent()
        && "Indexed".equals(spec.getCompletionMode())
        && Objects.equals(spec.getCompletions(), spec.getParallelism());
  }

  /** Sets the parallelism, and the completions too if they are to equal it. */
  private static void resize(V1Job job, int pods) {
    boolean both = completionsFollow(job);
    spec(job).setParallelism(pods);
    if (both) {
      spec(job).setCompletions(pods);
    }
  }

  @Override
  public Optional<String> podPriorityClass(V1Job job) {
    return PodTemplates.priorityClass(template(job));
  }

  @Override
  public Optional<String> managedBy(V1Job job) {
    return Optional.ofNullable(spec(job).getManagedBy());
  }

  @Override
  public Optional<FinishedOwner> finished(V1Job job) {
    for (V1JobCondition condition :
        Objects.requireNonNullElse(status(job).getConditions(), List.<V1JobCondition>of())) {
      if ("True".equals(condition.getStatus())) {
        String message = Objects.requireNonNullElse(condition.getMessage(), "");
        switch (condition.getType()) {
          case "Complete" -> {
            return Optional.of(new FinishedOwner("Succeeded", message));
          }
          case "Failed" -> {
            return Optional.of(new FinishedOwner("Failed", message));
          }
          default -> {}
        }
      }
    }
    return Optional.empty();
  }

  @Override
  public boolean suspended(V1Job job) {
    return Boolean.TRUE.equals(spec(job).getSuspend()) && !stopping(job);
  }

  @Override
  public boolean stopBegun(V1Job job) {
    return Boolean.TRUE.equals(spec(job).getSuspend()) && stopping(job);
  }

  @Override
  public boolean stopped(V1Job job) {
    return suspended(job) && empty(job);
  }

  private static boolean empty(V1Job job) {
    return Objects.requireNonNullElse(status(job).getActive(), 0) == 0;
  }

  /**
   * Also counts succeeded pods that the Job controller hasn't moved to {@code status.succeeded}
   * yet.
   */
  @Override
  public boolean podsReady(V1Job job) {
    V1JobStatus status = status(job);
    V1UncountedTerminatedPods uncounted = status.getUncountedTerminatedPods();
    int succeeded =
        Objects.requireNonNullElse(status.getSucceeded(), 0)
            + (uncounted == null || uncounted.getSucceeded() == null
                ? 0
                : uncounted.getSucceeded().size());
    int ready = Objects.requireNonNullElse(status.getReady(), 0);
    return succeeded + ready >= podsAtOnce(job);
  }

  @Override
  public JobProgress progress(V1Job job) {
    V1JobStatus status = status(job);
    return new JobProgress(
        "pods",
        Objects.requireNonNullElse(status.getActive(), 0),
        status.getReady(),
        status.getTerminating());
  }

  @Override
  public String podSelector(V1Job job) {
    return "job-name=" + ObjectKey.of(job).name();
  }

  @Override
  public String podSelector(String uid) {
    return "batch.kubernetes.io/controller-uid=" + uid;
  }

  /**
   * The pods of the parallelism that will never run again, because fewer completions than that are
   * left (KEP-78).
   */
  @Override
  public Map<String, Integer> reclaimablePods(V1Job job) {
    int atOnce = podsAtOnce(job);
    int terminal = terminal(job);
    if (atOnce <= 1 || terminal == 0) {
      return Map.of();
    }
    int completions = Objects.requireNonNullElse(spec(job).getCompletions(), atOnce);
    int remaining = Math.max(0, completions - terminal);
    return remaining < atOnce ? Map.of(POD_SET, atOnce - remaining) : Map.of();
  }

  /** The completions that need no pod any more; failed indexes included, which are not retried. */
  private static int terminal(V1Job job) {
    V1JobStatus status = status(job);
    if (!"Indexed".equals(spec(job).getCompletionMode())) {
      return Objects.requireNonNullElse(status.getSucceeded(), 0);
    }
    return CompletionIndexes.count(
        Objects.requireNonNullElse(spec(job).getCompletions(), podsAtOnce(job)),
        status.getCompletedIndexes(),
        status.getFailedIndexes());
  }

  @Override
  public Start<V1Job> start(V1Job job, List<PodSetAdditions> podSets) {
    PodSetAdditions start =
        podSets.stream()
            .filter(candidate -> candidate.name().equals(POD_SET))
            .findFirst()
            .orElse(null);
    if (start == null) {
      return new Start.Impossible<>("the admission has no assignment for pod set " + POD_SET);
    }
    if (status(job).getStartTime() != null) {
      return new Start.ResetFirst<>(withoutStartTime(job));
    }
    V1Job after = PodTemplates.copy(job, V1Job.class);
    spec(after).setSuspend(false);
    Optional<String> conflict = PodTemplates.start(template(after), start);
    if (conflict.isPresent()) {
      return new Start.Impossible<>(conflict.get());
    }
    int remaining = podsAtOnce(job) - reclaimablePods(job).getOrDefault(POD_SET, 0);
    if (start.count() > 0 && start.count() < remaining && minParallelism(job).isPresent()) {
      resize(after, start.count());
    }
    return new Start.Ready<>(after);
  }

  /**
   * Three writes, since the API server takes changes of the template only from a Job that is
   * suspended, has no start time (KEP-2926) and no pods (KEP-5440); the annotation marks a Job
   * whose stop isn't complete.
   */
  @Override
  public Optional<StopStep<V1Job>> nextStopStep(V1Job job, List<PodSet> podSets) {
    if (suspended(job) && !PodTemplates.marked(template(job))) {
      return Optional.empty();
    }
    V1Job after = PodTemplates.copy(job, V1Job.class);
    V1ObjectMeta metadata = Objects.requireNonNullElseGet(after.getMetadata(), V1ObjectMeta::new);
    if (!Boolean.TRUE.equals(spec(job).getSuspend())) {
      spec(after).setSuspend(true);
      metadata.putAnnotationsItem(Keys.STOPPING, "true");
      return Optional.of(new StopStep<>(after, StopWrite.OBJECT, true));
    }
    Map<String, String> annotations = new TreeMap<>(Metadata.annotations(metadata));
    annotations.remove(Keys.STOPPING);
    metadata.setAnnotations(PodTemplates.orNull(annotations));
    podSets.stream()
        .filter(podSet -> podSet.name().equals(POD_SET))
        .findFirst()
        .ifPresent(
            original -> {
              PodTemplates.restore(template(after), original.template());
              if (original.minCount() != null && podsAtOnce(job) < original.count()) {
                resize(after, original.count());
              }
            });
    if (PodTemplates.same(after, job)) {
      return Optional.empty();
    }
    if (status(job).getStartTime() != null) {
      return Optional.of(new StopStep<>(withoutStartTime(job), StopWrite.STATUS, empty(job)));
    }
    return Optional.of(new StopStep<>(after, StopWrite.OBJECT, empty(job)));
  }

  private static V1Job withoutStartTime(V1Job job) {
    V1Job cleared = PodTemplates.copy(job, V1Job.class);
    status(cleared).setStartTime(null);
    return cleared;
  }

  private static boolean stopping(V1Job job) {
    return "true".equals(Metadata.annotations(job).get(Keys.STOPPING));
  }

  private static V1JobSpec spec(V1Job job) {
    V1JobSpec spec = job.getSpec();
    if (spec == null) {
      spec = new V1JobSpec();
      job.setSpec(spec);
    }
    return spec;
  }

  private static V1JobStatus status(V1Job job) {
    V1JobStatus status = job.getStatus();
    return status == null ? new V1JobStatus() : status;
  }

  private static V1PodTemplateSpec template(V1Job job) {
    V1PodTemplateSpec template = spec(job).getTemplate();
    return template == null ? new V1PodTemplateSpec() : template;
  }
}
