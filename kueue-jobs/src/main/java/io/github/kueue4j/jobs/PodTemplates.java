// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import io.github.kueue4j.api.KueueJson;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1EnvVar;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSchedulingGate;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Toleration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Conversions of pod templates, for all kinds of Jobs: to the form in a Workload, with the
 * additions of a start, and back. Void methods modify their argument.
 */
@API(status = API.Status.INTERNAL)
public final class PodTemplates {
  /** Labels that the API server or the Job controller adds to the template of a particular Job. */
  private static final List<String> JOB_OWN_LABELS =
      List.of("job-name", "controller-uid", "batch.kubernetes.io/controller-uid");

  /** The same labels and the one that a Workload keeps. */
  static final List<String> SERVER_LABELS =
      List.of(
          "job-name",
          "controller-uid",
          "batch.kubernetes.io/controller-uid",
          "batch.kubernetes.io/job-name");

  private PodTemplates() {}

  /** The template as in a Workload: without the labels of a particular Job. */
  public static V1PodTemplateSpec forWorkload(@Nullable V1PodTemplateSpec original) {
    if (original instanceof TrimmedTemplate trimmed) {
      return trimmed.keptAs(forWorkload(trimmed.getMetadata()));
    }
    V1PodTemplateSpec template =
        original == null ? new V1PodTemplateSpec() : copy(original, V1PodTemplateSpec.class);
    if (template.getMetadata() != null) {
      template.setMetadata(forWorkload(template.getMetadata()));
    }
    if (template.getSpec() != null) {
      lastVariableWins(template.getSpec().getContainers());
      lastVariableWins(template.getSpec().getInitContainers());
    }
    return template;
  }

  private static V1ObjectMeta forWorkload(@Nullable V1ObjectMeta original) {
    // A Workload's schema has no other metadata: other fields would be pruned and then differ.
    V1ObjectMeta metadata = new V1ObjectMeta();
    if (original != null) {
      metadata
          .name(original.getName())
          .namespace(original.getNamespace())
          .finalizers(original.getFinalizers());
      Map<String, String> labels = new TreeMap<>(orEmpty(original.getLabels()));
      labels.keySet().removeAll(JOB_OWN_LABELS);
      metadata.labels(orNull(labels)).annotations(original.getAnnotations());
    }
    return metadata;
  }

  /** Removes duplicate variables: the list is keyed by name in a Workload, but not in a Job. */
  private static void lastVariableWins(@Nullable List<V1Container> containers) {
    for (V1Container container : containers == null ? List.<V1Container>of() : containers) {
      List<V1EnvVar> variables = container.getEnv();
      if (variables != null) {
        Map<String, V1EnvVar> last = new LinkedHashMap<>();
        variables.forEach(variable -> last.put(variable.getName(), variable));
        if (last.size() < variables.size()) {
          container.setEnv(List.copyOf(last.values()));
        }
      }
    }
  }

  /** Whether the template has the labels and annotations that the core adds at a start. */
  public static boolean marked(V1PodTemplateSpec template) {
    return template.getMetadata() != null
        && orEmpty(template.getMetadata().getAnnotations()).containsKey(Keys.WORKLOAD);
  }

  /** The template without the labels and annotations that the core adds at a start. */
  static V1PodTemplateSpec withoutMarks(V1PodTemplateSpec original) {
    if (!marked(original)) {
      return original;
    }
    V1ObjectMeta metadata = copy(metadata(original), V1ObjectMeta.class);
    Map<String, String> labels = new TreeMap<>(orEmpty(metadata.getLabels()));
    labels
        .keySet()
        .removeAll(List.of(Keys.POD_SET, Keys.LOCAL_QUEUE, Keys.CLUSTER_QUEUE, Keys.JOB_UID));
    metadata.setLabels(orNull(labels));
    Map<String, String> annotations = new TreeMap<>(orEmpty(metadata.getAnnotations()));
    annotations.remove(Keys.WORKLOAD);
    metadata.setAnnotations(orNull(annotations));
    return original instanceof TrimmedTemplate trimmed
        ? trimmed.changedTo(metadata)
        : new V1PodTemplateSpec().metadata(metadata).spec(original.getSpec());
  }

  /**
   * Adds labels, annotations, node selectors and tolerations for a start, and removes gates that
   * another core has left.
   *
   * @return the conflict that prevents it; empty if successful
   */
  public static Optional<String> start(V1PodTemplateSpec template, PodSetAdditions start) {
    V1ObjectMeta metadata = metadata(template);
    V1PodSpec pod = podSpec(template);
    PodSetAdditions.Merge labels = start.labelsOnto(metadata.getLabels());
    PodSetAdditions.Merge annotations = start.annotationsOnto(metadata.getAnnotations());
    PodSetAdditions.Merge selector = start.nodeSelectorOnto(pod.getNodeSelector());
    for (String conflict :
        new String[] {start.conflict(), labels.conflict, annotations.conflict, selector.conflict}) {
      if (conflict != null) {
        return Optional.of(conflict);
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
    pod.setSchedulingGates(withoutForeignGates(pod.getSchedulingGates()));
    return Optional.empty();
  }

  /** Without the gates that only another core removes from pods: these would wait for ever. */
  static @Nullable List<V1PodSchedulingGate> withoutForeignGates(
      @Nullable List<V1PodSchedulingGate> gates) {
    return gates == null
        ? null
        : gates.stream().filter(gate -> !Unsupported.GATES.contains(gate.getName())).toList();
  }

  /**
   * Reverts the additions of a start.
   *
   * @param original the template in the Workload
   */
  public static void restore(V1PodTemplateSpec template, V1PodTemplateSpec original) {
    Map<String, String> labels = new TreeMap<>(orEmpty(metadata(template).getLabels()));
    labels.keySet().retainAll(SERVER_LABELS);
    V1ObjectMeta before = Objects.requireNonNullElseGet(original.getMetadata(), V1ObjectMeta::new);
    labels.putAll(orEmpty(before.getLabels()));
    metadata(template).setLabels(orNull(labels));
    metadata(template).setAnnotations(before.getAnnotations());
    V1PodSpec pod = Objects.requireNonNullElseGet(original.getSpec(), V1PodSpec::new);
    podSpec(template).setNodeSelector(pod.getNodeSelector());
    podSpec(template).setTolerations(pod.getTolerations());
    podSpec(template).setSchedulingGates(pod.getSchedulingGates());
  }

  /** The PriorityClass that the pods name. */
  public static Optional<String> priorityClass(@Nullable V1PodTemplateSpec template) {
    return Optional.ofNullable(template)
        .map(V1PodTemplateSpec::getSpec)
        .map(V1PodSpec::getPriorityClassName)
        .filter(name -> !name.isEmpty());
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

  static Map<String, String> orEmpty(@Nullable Map<String, String> map) {
    return map == null ? Map.of() : map;
  }

  /** Null for an empty map, because the API server omits empty maps. */
  static @Nullable Map<String, String> orNull(Map<String, String> map) {
    return map.isEmpty() ? null : map;
  }

  /** Whether two objects are equal as JSON. */
  static boolean same(Object one, Object other) {
    return KueueJson.toTree(one).equals(KueueJson.toTree(other));
  }

  /** A deep copy. */
  public static <T> T copy(T object, Class<T> type) {
    return KueueJson.fromTree(KueueJson.toTree(object), type);
  }
}
