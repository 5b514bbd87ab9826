/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.job;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.core.lifecycle.FinishedOwner;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1JobCondition;
import io.kubernetes.client.openapi.models.V1JobSpec;
import io.kubernetes.client.openapi.models.V1JobStatus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Toleration;
import io.kubernetes.client.openapi.models.V1UncountedTerminatedPods;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Jobs of batch/v1: one pod set, {@code main}. */
@API(status = API.Status.INTERNAL)
public final class BatchJob implements JobKind<V1Job> {
  static final String POD_SET = "main";

  /** Labels that the API server puts on the template of one certain Job. */
  private static final List<String> JOB_OWN_LABELS =
      List.of("job-name", "controller-uid", "batch.kubernetes.io/controller-uid");

  @Override
  public ResourceType<V1Job> type() {
    return CoreTypes.JOB;
  }

  @Override
  public List<PodSet> podSets(V1Job job) {
    V1PodTemplateSpec template = copy(template(job), V1PodTemplateSpec.class);
    V1ObjectMeta metadata = template.getMetadata();
    if (metadata != null && metadata.getLabels() != null) {
      JOB_OWN_LABELS.forEach(metadata.getLabels()::remove);
    }
    int count = podsAtOnce(job);
    return List.of(
        new PodSet(
            POD_SET, template, count, minParallelism(job).filter(n -> n < count).orElse(null)));
  }

  private static int podsAtOnce(V1Job job) {
    V1JobSpec spec = spec(job);
    int parallelism = Objects.requireNonNullElse(spec.getParallelism(), 1);
    return Math.min(parallelism, Objects.requireNonNullElse(spec.getCompletions(), parallelism));
  }

  /** The fewest pods that would do; empty if the Job doesn't say so in a number above 0. */
  private static Optional<Integer> minParallelism(V1Job job) {
    return annotation(job, Keys.MIN_PARALLELISM)
        .filter(text -> text.matches("[1-9][0-9]{0,8}"))
        .map(Integer::valueOf);
  }

  private static Optional<String> annotation(V1Job job, String key) {
    return Optional.ofNullable(job.getMetadata())
        .map(V1ObjectMeta::getAnnotations)
        .map(annotations -> annotations.get(key));
  }

  /** Lets the Job run this many pods at once, and no more in all if it says so. */
  private static void resize(V1Job job, int pods) {
    spec(job).setParallelism(pods);
    if (annotation(job, Keys.COMPLETIONS_EQUAL_PARALLELISM).filter("true"::equals).isPresent()) {
      spec(job).setCompletions(pods);
    }
  }

  @Override
  public Optional<String> podPriorityClass(V1Job job) {
    return Optional.ofNullable(template(job).getSpec())
        .map(V1PodSpec::getPriorityClassName)
        .filter(name -> !name.isEmpty());
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
  public boolean stopped(V1Job job) {
    return suspended(job) && Objects.requireNonNullElse(status(job).getActive(), 0) == 0;
  }

  /** Succeeded pods that the Job controller hasn't counted yet are among those it will count. */
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
  public Start<V1Job> start(V1Job job, List<PodSetStart> podSets) {
    PodSetStart start =
        podSets.stream()
            .filter(candidate -> candidate.name().equals(POD_SET))
            .findFirst()
            .orElse(null);
    if (start == null) {
      return new Start.Impossible<>("the admission has no assignment for pod set " + POD_SET);
    }
    V1Job after = copy(job, V1Job.class);
    spec(after).setSuspend(false);
    V1PodTemplateSpec template = template(after);
    V1ObjectMeta metadata = metadata(template);
    V1PodSpec pod = podSpec(template);
    PodSetStart.Merge labels = start.labelsOnto(metadata.getLabels());
    PodSetStart.Merge annotations = start.annotationsOnto(metadata.getAnnotations());
    PodSetStart.Merge selector = start.nodeSelectorOnto(pod.getNodeSelector());
    for (String conflict :
        new String[] {start.conflict(), labels.conflict, annotations.conflict, selector.conflict}) {
      if (conflict != null) {
        return new Start.Impossible<>(conflict);
      }
    }
    metadata.setLabels(orNull(labels.values()));
    metadata.setAnnotations(orNull(annotations.values()));
    pod.setNodeSelector(orNull(selector.values()));
    Set<V1Toleration> tolerations =
        new LinkedHashSet<>(
            Objects.requireNonNullElse(pod.getTolerations(), List.<V1Toleration>of()));
    tolerations.addAll(start.tolerations());
    pod.setTolerations(tolerations.isEmpty() ? null : List.copyOf(tolerations));
    int pods = podsAtOnce(job);
    if (start.count() > 0 && start.count() < pods && minParallelism(job).isPresent()) {
      resize(after, start.count());
    }
    return new Start.Ready<>(after);
  }

  /**
   * Three writes, since the API server takes changes of the template only from a Job that is
   * suspended and has no start time (KEP-2926); the annotation says that the Job isn't through yet.
   */
  @Override
  public Optional<StopStep<V1Job>> nextStopStep(V1Job job, List<PodSet> podSets) {
    if (suspended(job)) {
      return Optional.empty();
    }
    V1Job after = copy(job, V1Job.class);
    V1ObjectMeta metadata = Objects.requireNonNullElseGet(after.getMetadata(), V1ObjectMeta::new);
    if (!Boolean.TRUE.equals(spec(job).getSuspend())) {
      spec(after).setSuspend(true);
      metadata.putAnnotationsItem(Keys.STOPPING, "true");
      return Optional.of(new StopStep<>(after, false));
    }
    if (status(job).getStartTime() != null) {
      status(after).setStartTime(null);
      return Optional.of(new StopStep<>(after, true));
    }
    Map<String, String> annotations = new TreeMap<>(orEmpty(metadata.getAnnotations()));
    annotations.remove(Keys.STOPPING);
    metadata.setAnnotations(orNull(annotations));
    podSets.stream()
        .filter(podSet -> podSet.name().equals(POD_SET))
        .findFirst()
        .ifPresent(
            original -> {
              restore(template(after), original.template());
              if (original.minCount() != null && podsAtOnce(job) < original.count()) {
                resize(after, original.count());
              }
            });
    return Optional.of(new StopStep<>(after, false));
  }

  private static void restore(V1PodTemplateSpec template, V1PodTemplateSpec original) {
    Map<String, String> ownLabels = new TreeMap<>(orEmpty(metadata(template).getLabels()));
    ownLabels.keySet().retainAll(JOB_OWN_LABELS);
    V1ObjectMeta before = Objects.requireNonNullElseGet(original.getMetadata(), V1ObjectMeta::new);
    ownLabels.putAll(orEmpty(before.getLabels()));
    metadata(template).setLabels(orNull(ownLabels));
    metadata(template).setAnnotations(before.getAnnotations());
    V1PodSpec pod = Objects.requireNonNullElseGet(original.getSpec(), V1PodSpec::new);
    podSpec(template).setNodeSelector(pod.getNodeSelector());
    podSpec(template).setTolerations(pod.getTolerations());
  }

  private static boolean stopping(V1Job job) {
    V1ObjectMeta metadata = job.getMetadata();
    return metadata != null && "true".equals(orEmpty(metadata.getAnnotations()).get(Keys.STOPPING));
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

  private static V1ObjectMeta metadata(V1PodTemplateSpec template) {
    V1ObjectMeta metadata = template.getMetadata();
    if (metadata == null) {
      metadata = new V1ObjectMeta();
      template.setMetadata(metadata);
    }
    return metadata;
  }

  private static V1PodSpec podSpec(V1PodTemplateSpec template) {
    V1PodSpec pod = template.getSpec();
    if (pod == null) {
      pod = new V1PodSpec();
      template.setSpec(pod);
    }
    return pod;
  }

  private static Map<String, String> orEmpty(@Nullable Map<String, String> map) {
    return map == null ? Map.of() : map;
  }

  /** The API writes no empty maps; writing one would be a difference where there is none. */
  private static @Nullable Map<String, String> orNull(Map<String, String> map) {
    return map.isEmpty() ? null : map;
  }

  private static <T> T copy(T object, Class<T> type) {
    return KueueJson.fromTree(KueueJson.toTree(object), type);
  }
}
