// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A pod template as caches keep it: the fields that quota, flavors, starts and stops depend on, and
 * the {@link Fingerprint} of the whole template for comparisons. The omitted fields, such as
 * environment and volumes, are many times as large.
 *
 * <p>A class of its own, so that a trimmed template is not mistaken for a whole one and written.
 * Its JSON contains only the remaining fields, without the fingerprint. A patch between two objects
 * that share a trimmed template doesn't touch the omitted fields.
 *
 * <p>Rejected: the fingerprint as an annotation. Patches would then presume annotations that the
 * object on the server may not have.
 */
final class TrimmedTemplate extends V1PodTemplateSpec {
  private static final PodSpecInterner SHARED = new PodSpecInterner();

  /** Null if the whole template is unknown; then it is equal to no other template. */
  private final transient @Nullable Fingerprint whole;

  private TrimmedTemplate(
      @Nullable V1ObjectMeta metadata, @Nullable V1PodSpec spec, @Nullable Fingerprint whole) {
    this.whole = whole;
    setMetadata(metadata);
    setSpec(spec);
  }

  /**
   * Trims a template; one that is trimmed already is returned unchanged.
   *
   * @param compared the whole template in the form that is compared with others
   */
  static TrimmedTemplate of(V1PodTemplateSpec template, V1PodTemplateSpec compared) {
    return template instanceof TrimmedTemplate trimmed
        ? trimmed
        : new TrimmedTemplate(
            template.getMetadata(), trimmed(template.getSpec()), Fingerprint.of(compared));
  }

  /** A copy with other metadata that doesn't change the compared form. */
  TrimmedTemplate keptAs(V1ObjectMeta metadata) {
    return new TrimmedTemplate(metadata, getSpec(), whole);
  }

  /** A copy with other metadata that changes the compared form. */
  TrimmedTemplate changedTo(V1ObjectMeta metadata) {
    return new TrimmedTemplate(metadata, getSpec(), null);
  }

  /** Whether two templates, each trimmed or whole, are equal in their compared form. */
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
                .tolerations(pod.getTolerations())
                .schedulingGates(pod.getSchedulingGates())
                .resourceClaims(pod.getResourceClaims()));
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
