// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import com.google.gson.JsonObject;
import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.PodSetUpdate;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Toleration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The additions to the pods of one pod set at their start: the flavors' node labels and
 * tolerations, the updates of the admission checks, and labels with the queues. No source may
 * change a value of another one (KEP-993, {@code podSetUpdates}): a second value for the same key
 * is a conflict, whose message names both sources.
 *
 * @param name the pod set
 * @param count the number of admitted pods
 * @param labels to add
 * @param annotations to add
 * @param nodeSelector to add
 * @param tolerations to add
 * @param conflict message about contradicting sources; null if there is no conflict
 */
@API(status = API.Status.INTERNAL)
public record PodSetAdditions(
    String name,
    int count,
    Map<String, Addition> labels,
    Map<String, Addition> annotations,
    Map<String, Addition> nodeSelector,
    List<V1Toleration> tolerations,
    @Nullable String conflict) {
  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
  private static final String TEMPLATE = "the pod template";
  private static final String CORE = "the core";

  public PodSetAdditions {
    labels = Collections.unmodifiableMap(new TreeMap<>(labels));
    annotations = Collections.unmodifiableMap(new TreeMap<>(annotations));
    nodeSelector = Collections.unmodifiableMap(new TreeMap<>(nodeSelector));
    tolerations = List.copyOf(tolerations);
  }

  /**
   * A value and its source.
   *
   * @param value of a label, an annotation or a node label
   * @param source for messages, such as {@code AdmissionCheck "budget"}
   */
  public record Addition(String value, String source) {}

  /** Some additions as a JSON object, by their keys. */
  public static JsonObject json(Map<String, Addition> additions) {
    JsonObject values = new JsonObject();
    additions.forEach((key, addition) -> values.addProperty(key, addition.value()));
    return values;
  }

  /**
   * The additions for all pod sets of an admitted Workload.
   *
   * @param flavors by name; null for a missing one, which adds nothing
   */
  public static List<PodSetAdditions> of(
      Workload workload, Admission admission, Function<String, @Nullable ResourceFlavor> flavors) {
    return admission.podSetAssignments().stream()
        .map(assignment -> of(workload, admission, assignment, flavors))
        .toList();
  }

  /**
   * The conflict between a Workload's check entries, flavors and pod templates that prevents a
   * start; empty if there is none.
   */
  public static Optional<String> conflict(
      Workload workload, Admission admission, Function<String, @Nullable ResourceFlavor> flavors) {
    for (PodSetAdditions start : of(workload, admission, flavors)) {
      String conflict = start.conflict();
      for (PodSet podSet : workload.spec().podSets()) {
        if (conflict == null && podSet.name().equals(start.name())) {
          conflict = start.conflictWith(podSet.template());
        }
      }
      if (conflict != null) {
        return Optional.of(conflict);
      }
    }
    return Optional.empty();
  }

  private @Nullable String conflictWith(V1PodTemplateSpec template) {
    V1ObjectMeta metadata =
        Objects.requireNonNullElseGet(template.getMetadata(), V1ObjectMeta::new);
    V1PodSpec pod = Objects.requireNonNullElseGet(template.getSpec(), V1PodSpec::new);
    return firstOf(
        labelsOnto(metadata.getLabels()).conflict,
        annotationsOnto(metadata.getAnnotations()).conflict,
        nodeSelectorOnto(pod.getNodeSelector()).conflict);
  }

  private static PodSetAdditions of(
      Workload workload,
      Admission admission,
      PodSetAssignment assignment,
      Function<String, @Nullable ResourceFlavor> flavors) {
    Merge labels = new Merge("label", assignment.name());
    Merge annotations = new Merge("annotation", assignment.name());
    Merge nodeSelector = new Merge("node selector", assignment.name());
    Set<V1Toleration> tolerations = new LinkedHashSet<>();
    for (String name : new LinkedHashSet<>(assignment.flavors().values())) {
      ResourceFlavor flavor = flavors.apply(name);
      if (flavor != null) {
        nodeSelector.addAll(flavor.spec().nodeLabels(), "ResourceFlavor \"" + name + '"');
        tolerations.addAll(flavor.spec().tolerations());
      }
    }
    for (AdmissionCheckState check : workload.status().admissionChecks()) {
      String source = "AdmissionCheck \"" + check.name() + '"';
      for (PodSetUpdate update : check.podSetUpdates()) {
        if (update.name().equals(assignment.name())) {
          labels.addAll(update.labels(), source);
          annotations.addAll(update.annotations(), source);
          nodeSelector.addAll(update.nodeSelector(), source);
          tolerations.addAll(update.tolerations());
        }
      }
    }
    labels.addAll(queueLabels(workload, admission, assignment.name()), CORE);
    annotations.addAll(Map.of(Keys.WORKLOAD, ObjectKey.of(workload).name()), CORE);
    return new PodSetAdditions(
        assignment.name(),
        assignment.count() == null ? 0 : assignment.count(),
        labels.merged,
        annotations.merged,
        nodeSelector.merged,
        new ArrayList<>(tolerations),
        firstOf(labels.conflict, annotations.conflict, nodeSelector.conflict));
  }

  /** The labels with the queues; without a queue whose name is too long for a label. */
  private static Map<String, String> queueLabels(
      Workload workload, Admission admission, String podSet) {
    Map<String, String> labels = new TreeMap<>();
    labels.put(Keys.POD_SET, podSet);
    String queue = workload.spec().queueName();
    if (queue != null && LABEL.matcher(queue).matches()) {
      labels.put(Keys.LOCAL_QUEUE, queue);
    }
    if (LABEL.matcher(admission.clusterQueue()).matches()) {
      labels.put(Keys.CLUSTER_QUEUE, admission.clusterQueue());
    }
    return labels;
  }

  /** The labels of a pod template with these added. */
  Merge labelsOnto(@Nullable Map<String, String> existing) {
    return onto("label", existing, labels);
  }

  /** The annotations of a pod template with these added. */
  Merge annotationsOnto(@Nullable Map<String, String> existing) {
    return onto("annotation", existing, annotations);
  }

  /** The node selector of a pod template with these added. */
  Merge nodeSelectorOnto(@Nullable Map<String, String> existing) {
    return onto("node selector", existing, nodeSelector);
  }

  private Merge onto(
      String what, @Nullable Map<String, String> existing, Map<String, Addition> added) {
    Merge merge = new Merge(what, name);
    merge.addAll(existing == null ? Map.of() : existing, TEMPLATE);
    added.forEach(merge::add);
    return merge;
  }

  private static @Nullable String firstOf(@Nullable String... candidates) {
    for (String candidate : candidates) {
      if (candidate != null) {
        return candidate;
      }
    }
    return null;
  }

  /** A map that detects when a key would get a second value. */
  static final class Merge {
    private final Map<String, Addition> merged = new TreeMap<>();
    private final String what;
    private final String podSet;
    @Nullable String conflict;

    private Merge(String what, String podSet) {
      this.what = what;
      this.podSet = podSet;
    }

    Map<String, String> values() {
      Map<String, String> values = new TreeMap<>();
      merged.forEach((key, addition) -> values.put(key, addition.value()));
      return values;
    }

    private void addAll(Map<String, String> values, String source) {
      values.forEach((key, value) -> add(key, new Addition(value, source)));
    }

    private void add(String key, Addition next) {
      Addition previous = merged.putIfAbsent(key, next);
      if (previous != null && !previous.value().equals(next.value()) && conflict == null) {
        conflict =
            "pod set %s: %s %s is \"%s\" for %s, but \"%s\" for %s"
                .formatted(
                    podSet,
                    what,
                    key,
                    previous.value(),
                    previous.source(),
                    next.value(),
                    next.source());
      }
    }
  }
}
