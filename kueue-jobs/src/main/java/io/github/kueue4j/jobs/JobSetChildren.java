// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.jobs.JobSet.ReplicatedJob;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1JobSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Toleration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The Jobs of a JobSet. When a JobSet is resumed, its controller merges the JobSet's templates into
 * those of the Jobs without removing anything. So additions of an earlier start would remain: the
 * pods would require the node labels of two flavors, which no node has.
 */
final class JobSetChildren {
  private static final String DOMAIN = "jobset.sigs.k8s.io";
  private static final String JOB_SET_NAME = DOMAIN + "/jobset-name";
  private static final String GROUP_NAME = DOMAIN + "/replicatedjob-name";

  private JobSetChildren() {}

  /** The label selector of a JobSet's Jobs. */
  static String selector(JobSet parent) {
    return JOB_SET_NAME + "=" + parent.metadata().getName();
  }

  /**
   * A suspended Job without additions that its JobSet no longer has: node selectors, tolerations,
   * and the labels and annotations of checks, such as a booking of nodes that no longer exist.
   *
   * @param parent the JobSet as it will be resumed
   * @return empty if there is nothing to remove
   */
  static Optional<V1Job> cleaned(JobSet parent, V1Job child) {
    V1JobSpec spec = child.getSpec();
    V1PodTemplateSpec wanted = wanted(parent, child);
    if (wanted == null || spec == null || !Boolean.TRUE.equals(spec.getSuspend())) {
      return Optional.empty();
    }
    V1Job cleaned = PodTemplates.copy(child, V1Job.class);
    V1PodTemplateSpec template = Objects.requireNonNull(cleaned.getSpec()).getTemplate();
    clean(template.getMetadata(), wanted.getMetadata(), labelsOf(child).keySet());
    clean(template.getSpec(), wanted.getSpec());
    return PodTemplates.same(cleaned, child) ? Optional.empty() : Optional.of(cleaned);
  }

  private static Map<String, String> labelsOf(V1Job child) {
    return Metadata.labels(child);
  }

  private static @Nullable V1PodTemplateSpec wanted(JobSet parent, V1Job child) {
    String group = labelsOf(child).get(GROUP_NAME);
    return parent.spec().replicatedJobs().stream()
        .filter(found -> found.name().equals(group))
        .map(ReplicatedJob::template)
        .flatMap(template -> Optional.ofNullable(template.getSpec()).stream())
        .map(spec -> Objects.requireNonNullElseGet(spec.getTemplate(), V1PodTemplateSpec::new))
        .findFirst()
        .orElse(null);
  }

  /** Keeps the labels of the Job itself, which its controllers have set. */
  private static void clean(
      @Nullable V1ObjectMeta metadata, @Nullable V1ObjectMeta wanted, Set<String> own) {
    if (metadata != null) {
      V1ObjectMeta asked = Objects.requireNonNullElseGet(wanted, V1ObjectMeta::new);
      Set<String> labels = new HashSet<>(Metadata.labels(asked).keySet());
      labels.addAll(own);
      labels.addAll(PodTemplates.SERVER_LABELS);
      metadata.setLabels(kept(metadata.getLabels(), labels));
      metadata.setAnnotations(
          kept(metadata.getAnnotations(), Metadata.annotations(asked).keySet()));
    }
  }

  private static void clean(@Nullable V1PodSpec pod, @Nullable V1PodSpec wanted) {
    if (pod == null) {
      return;
    }
    V1PodSpec asked = Objects.requireNonNullElseGet(wanted, V1PodSpec::new);
    pod.setNodeSelector(
        kept(pod.getNodeSelector(), PodTemplates.orEmpty(asked.getNodeSelector()).keySet()));
    pod.setSchedulingGates(PodTemplates.withoutForeignGates(pod.getSchedulingGates()));
    if (pod.getTolerations() != null) {
      List<V1Toleration> tolerated =
          Objects.requireNonNullElse(asked.getTolerations(), List.<V1Toleration>of());
      pod.setTolerations(
          pod.getTolerations().stream()
              .filter(found -> tolerated.contains(found) || ofController(found.getKey()))
              .toList());
    }
  }

  private static @Nullable Map<String, String> kept(
      @Nullable Map<String, String> there, Set<String> wanted) {
    if (there == null) {
      return null;
    }
    Map<String, String> kept = new TreeMap<>(there);
    kept.keySet().removeIf(key -> !wanted.contains(key) && !ofController(key));
    return kept;
  }

  /** Whether the JobSet controller sets a key itself, for exclusive placement. */
  private static boolean ofController(@Nullable String key) {
    String domain = key == null ? "" : key.replaceFirst("/.*", "");
    return domain.equals(DOMAIN) || domain.endsWith("." + DOMAIN);
  }
}
