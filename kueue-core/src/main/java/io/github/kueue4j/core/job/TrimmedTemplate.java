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

import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A pod template as caches keep it: what quota, flavors, starts and stops look at, and the {@link
 * Fingerprint} of the whole, by which two can still be compared. What else it was, environment and
 * volumes for the most part, is many times as large.
 *
 * <p>A class of its own, so that nobody can take one for a whole template and write it: as JSON it
 * is what is left, without the fingerprint, and JSON that is read back is no such object any more.
 * A patch between two objects that share one doesn't touch what is missing.
 *
 * <p>Rejected: the fingerprint as an annotation. A server that has no annotations at that place
 * would be sent patches that presume some.
 */
final class TrimmedTemplate extends V1PodTemplateSpec {
  private static final SharedPods SHARED = new SharedPods();

  /** Null if nobody can tell any more what the whole would be: equal to none. */
  private final transient @Nullable Fingerprint whole;

  private TrimmedTemplate(
      @Nullable V1ObjectMeta metadata, @Nullable V1PodSpec spec, @Nullable Fingerprint whole) {
    this.whole = whole;
    setMetadata(metadata);
    setSpec(spec);
  }

  /**
   * What caches keep of a template; one that is trimmed already is returned as it is.
   *
   * @param compared the whole as it is compared with others
   */
  static TrimmedTemplate of(V1PodTemplateSpec template, V1PodTemplateSpec compared) {
    return template instanceof TrimmedTemplate trimmed
        ? trimmed
        : new TrimmedTemplate(
            template.getMetadata(), trimmed(template.getSpec()), Fingerprint.of(compared));
  }

  /** With other metadata, of which the whole one, as it is compared, says the same. */
  TrimmedTemplate keptAs(V1ObjectMeta metadata) {
    return new TrimmedTemplate(metadata, getSpec(), whole);
  }

  /** With other metadata, and so another whole. */
  TrimmedTemplate changedTo(V1ObjectMeta metadata) {
    return new TrimmedTemplate(metadata, getSpec(), null);
  }

  /** Whether two templates mean the same, each of them trimmed or whole. */
  static boolean same(V1PodTemplateSpec one, V1PodTemplateSpec other) {
    Fingerprint first = fingerprint(one);
    return first != null && first.equals(fingerprint(other));
  }

  private static @Nullable Fingerprint fingerprint(V1PodTemplateSpec template) {
    return template instanceof TrimmedTemplate trimmed ? trimmed.whole : Fingerprint.of(template);
  }

  private static @Nullable V1PodSpec trimmed(@Nullable V1PodSpec pod) {
    return pod == null
        ? null
        : SHARED.first(
            new V1PodSpec()
                .containers(containers(pod.getContainers()))
                .initContainers(containers(pod.getInitContainers()))
                .resources(pod.getResources())
                .overhead(pod.getOverhead())
                .runtimeClassName(pod.getRuntimeClassName())
                .priorityClassName(pod.getPriorityClassName())
                .nodeSelector(pod.getNodeSelector())
                .affinity(pod.getAffinity())
                .tolerations(pod.getTolerations()));
  }

  private static @Nullable List<V1Container> containers(@Nullable List<V1Container> containers) {
    return containers == null ? null : containers.stream().map(TrimmedTemplate::trimmed).toList();
  }

  private static V1Container trimmed(V1Container container) {
    return new V1Container()
        .name(container.getName())
        .restartPolicy(container.getRestartPolicy())
        .resources(container.getResources());
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof TrimmedTemplate trimmed
            && Objects.equals(whole, trimmed.whole)
            && super.equals(other));
  }

  @Override
  public int hashCode() {
    return Objects.hash(super.hashCode(), whole);
  }
}
