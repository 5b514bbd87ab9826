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

import io.github.kueue4j.core.job.JobSet.ReplicatedJob;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1JobSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Toleration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The Jobs that a JobSet has made. When it is resumed, its controller merges the JobSet's templates
 * into theirs and removes nothing, so that what an earlier start has left would be asked for
 * besides: the labels of two flavors' nodes, which no node has.
 */
final class JobSetChildren {
  private static final String DOMAIN = "jobset.sigs.k8s.io";
  private static final String JOB_SET_NAME = DOMAIN + "/jobset-name";
  private static final String GROUP_NAME = DOMAIN + "/replicatedjob-name";

  private JobSetChildren() {}

  /** Which Jobs are the children of a JobSet. */
  static String selector(JobSet parent) {
    return JOB_SET_NAME + "=" + parent.metadata().getName();
  }

  /**
   * A child that waits to be resumed, without what its JobSet doesn't ask for any more.
   *
   * @param parent as it is to be resumed
   * @return empty if there is nothing to remove
   */
  static Optional<V1Job> cleaned(JobSet parent, V1Job child) {
    V1JobSpec spec = child.getSpec();
    V1PodSpec wanted = wanted(parent, child);
    if (wanted == null || spec == null || !Boolean.TRUE.equals(spec.getSuspend())) {
      return Optional.empty();
    }
    V1Job cleaned = PodTemplates.copy(child, V1Job.class);
    V1PodSpec pod = Objects.requireNonNull(cleaned.getSpec()).getTemplate().getSpec();
    if (pod != null) {
      clean(pod, wanted);
    }
    return PodTemplates.same(cleaned, child) ? Optional.empty() : Optional.of(cleaned);
  }

  private static @Nullable V1PodSpec wanted(JobSet parent, V1Job child) {
    V1ObjectMeta metadata = Objects.requireNonNullElseGet(child.getMetadata(), V1ObjectMeta::new);
    String group = PodTemplates.orEmpty(metadata.getLabels()).get(GROUP_NAME);
    return parent.spec().replicatedJobs().stream()
        .filter(found -> found.name().equals(group))
        .map(ReplicatedJob::template)
        .flatMap(template -> Optional.ofNullable(template.getSpec()).stream())
        .map(spec -> Objects.requireNonNullElseGet(spec.getTemplate(), V1PodTemplateSpec::new))
        .map(pods -> Objects.requireNonNullElseGet(pods.getSpec(), V1PodSpec::new))
        .findFirst()
        .orElse(null);
  }

  private static void clean(V1PodSpec pod, V1PodSpec wanted) {
    pod.setNodeSelector(kept(pod.getNodeSelector(), wanted.getNodeSelector()));
    if (pod.getTolerations() != null) {
      List<V1Toleration> tolerated =
          Objects.requireNonNullElse(wanted.getTolerations(), List.<V1Toleration>of());
      pod.setTolerations(
          pod.getTolerations().stream()
              .filter(found -> tolerated.contains(found) || ofController(found.getKey()))
              .toList());
    }
  }

  private static @Nullable Map<String, String> kept(
      @Nullable Map<String, String> there, @Nullable Map<String, String> wanted) {
    if (there == null) {
      return null;
    }
    Map<String, String> kept = new TreeMap<>(there);
    for (String key : new TreeSet<>(kept.keySet())) {
      if (!PodTemplates.orEmpty(wanted).containsKey(key) && !ofController(key)) {
        kept.remove(key);
      }
    }
    return kept;
  }

  /** What the controller of JobSets adds itself, to keep Jobs apart. */
  private static boolean ofController(@Nullable String key) {
    String domain = key == null ? "" : key.replaceFirst("/.*", "");
    return domain.equals(DOMAIN) || domain.endsWith("." + DOMAIN);
  }
}
