// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * Trims objects for caches: removes the fields that no decision depends on, which are most of a Job
 * or Workload. A trimmed copy serves for every decision and for patches of its remaining fields; to
 * write whole pods, {@link #whole whole} ones must be read from the API.
 */
@API(status = API.Status.INTERNAL)
public final class Trimming {
  /** The annotation in which kubectl keeps the manifest, with the whole template as text. */
  private static final String APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

  private Trimming() {}

  /**
   * A Workload as caches keep it.
   *
   * @param read its metadata is modified; the caller must not use it afterwards
   * @param known the cached copy of an earlier version; an unchanged spec is taken from it, because
   *     most writes change only the status, and the fingerprint is the most expensive part
   */
  public static Workload workload(Workload read, Optional<Workload> known) {
    metadata(read.metadata());
    return read.withSpec(
        known
            .filter(earlier -> sameSpec(read.metadata(), earlier.metadata()))
            .map(Workload::spec)
            .orElseGet(() -> trimmed(read.spec())));
  }

  /**
   * The API server increments the generation with every change of a spec. After a restored backup
   * or a changed CRD it may not; then the core sees the change after its next start.
   */
  private static boolean sameSpec(V1ObjectMeta read, V1ObjectMeta earlier) {
    return read.getUid() != null
        && read.getUid().equals(earlier.getUid())
        && read.getGeneration() != null
        && read.getGeneration().equals(earlier.getGeneration());
  }

  private static WorkloadSpec trimmed(WorkloadSpec read) {
    return read.withPodSets(
        read.podSets().stream()
            .map(
                podSet ->
                    podSet.withTemplate(TrimmedTemplate.of(podSet.template(), podSet.template())))
            .toList());
  }

  /** Whether these pods are not trimmed, so that they can be written. */
  public static boolean whole(Collection<PodSet> podSets) {
    return podSets.stream().noneMatch(podSet -> podSet.template() instanceof TrimmedTemplate);
  }

  /** A Job's pod template as caches keep it. */
  public static V1PodTemplateSpec template(V1PodTemplateSpec read) {
    return read instanceof TrimmedTemplate
        ? read
        : TrimmedTemplate.of(read, PodTemplates.forWorkload(read));
  }

  /**
   * Empties values that no decision depends on. The keys stay, because a patch depends on whether
   * there are any.
   */
  public static void metadata(V1ObjectMeta read) {
    read.setManagedFields(null);
    Map<String, String> annotations = read.getAnnotations();
    if (annotations != null && !annotations.getOrDefault(APPLIED, "").isEmpty()) {
      Map<String, String> kept = new TreeMap<>(annotations);
      kept.put(APPLIED, "");
      read.setAnnotations(kept);
    }
  }
}
