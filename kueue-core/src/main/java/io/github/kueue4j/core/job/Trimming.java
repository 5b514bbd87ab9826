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
 * Objects as caches keep them: without what nobody looks at, which is most of a Job or Workload. A
 * copy like this is good for every decision, and for patches of what it still has; whoever writes
 * pods as a whole needs {@link #whole whole} ones, read from the API.
 */
@API(status = API.Status.INTERNAL)
public final class Trimming {
  /** Where kubectl keeps the manifest: the whole template once more, as text. */
  private static final String APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

  private Trimming() {}

  /**
   * A Workload as caches keep it.
   *
   * @param read given up by the caller: its metadata is changed
   * @param known what is kept of an earlier version; a spec that hasn't changed since is taken from
   *     it, as most writes are about the status, and a fingerprint costs more than all the rest
   */
  public static Workload workload(Workload read, Optional<Workload> known) {
    metadata(read.metadata());
    return read.withSpec(
        known
            .filter(earlier -> sameSpec(read.metadata(), earlier.metadata()))
            .map(Workload::spec)
            .orElseGet(() -> trimmed(read.spec())));
  }

  /** A Workload as caches keep it that know nothing of it yet. */
  public static Workload workload(Workload read) {
    return workload(read, Optional.empty());
  }

  /**
   * The API server gives every change of a spec another generation. Not so what a restored backup
   * or another definition makes of it: a core sees that after its next start.
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

  /** Whether nothing was trimmed of these pods, so that they can be written. */
  public static boolean whole(Collection<PodSet> podSets) {
    return podSets.stream().noneMatch(podSet -> podSet.template() instanceof TrimmedTemplate);
  }

  /** A Job's pod template as caches keep it. */
  static V1PodTemplateSpec template(V1PodTemplateSpec read) {
    return read instanceof TrimmedTemplate
        ? read
        : TrimmedTemplate.of(read, PodTemplates.forWorkload(read));
  }

  /** Empties what nobody looks at. The keys stay: a patch has to know that there are some. */
  static void metadata(V1ObjectMeta read) {
    read.setManagedFields(null);
    Map<String, String> annotations = read.getAnnotations();
    if (annotations != null && !annotations.getOrDefault(APPLIED, "").isEmpty()) {
      Map<String, String> kept = new TreeMap<>(annotations);
      kept.put(APPLIED, "");
      read.setAnnotations(kept);
    }
  }
}
