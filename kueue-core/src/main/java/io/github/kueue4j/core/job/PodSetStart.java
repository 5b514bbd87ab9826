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

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.PodSetUpdate;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.kubernetes.client.openapi.models.V1Toleration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What is added to the pods of one pod set when they start: the flavors' node labels and
 * tolerations, the updates of the admission checks, and labels that say where the quota came from.
 *
 * @param name the pod set
 * @param count how many pods were admitted
 * @param labels to add
 * @param annotations to add
 * @param nodeSelector to add
 * @param tolerations to add
 * @param conflict why the parts contradict each other; null if they don't
 */
@API(status = API.Status.INTERNAL)
public record PodSetStart(
    String name,
    int count,
    Map<String, String> labels,
    Map<String, String> annotations,
    Map<String, String> nodeSelector,
    List<V1Toleration> tolerations,
    @Nullable String conflict) {
  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

  public PodSetStart {
    labels = Collections.unmodifiableMap(new TreeMap<>(labels));
    annotations = Collections.unmodifiableMap(new TreeMap<>(annotations));
    nodeSelector = Collections.unmodifiableMap(new TreeMap<>(nodeSelector));
    tolerations = List.copyOf(tolerations);
  }

  /**
   * One per pod set of an admitted Workload.
   *
   * @param flavors by name; null for one that is gone, which then adds nothing
   */
  public static List<PodSetStart> of(
      Workload workload, Admission admission, Function<String, @Nullable ResourceFlavor> flavors) {
    return admission.podSetAssignments().stream()
        .map(assignment -> of(workload, admission, assignment, flavors))
        .toList();
  }

  private static PodSetStart of(
      Workload workload,
      Admission admission,
      PodSetAssignment assignment,
      Function<String, @Nullable ResourceFlavor> flavors) {
    Additions labels = new Additions("label", assignment.name());
    Additions annotations = new Additions("annotation", assignment.name());
    Additions nodeSelector = new Additions("node selector", assignment.name());
    Set<V1Toleration> tolerations = new LinkedHashSet<>();
    for (String name : new LinkedHashSet<>(assignment.flavors().values())) {
      ResourceFlavor flavor = flavors.apply(name);
      if (flavor != null) {
        nodeSelector.addAll(flavor.spec().nodeLabels());
        tolerations.addAll(flavor.spec().tolerations());
      }
    }
    for (AdmissionCheckState check : workload.status().admissionChecks()) {
      for (PodSetUpdate update : check.podSetUpdates()) {
        if (update.name().equals(assignment.name())) {
          labels.addAll(update.labels());
          annotations.addAll(update.annotations());
          nodeSelector.addAll(update.nodeSelector());
          tolerations.addAll(update.tolerations());
        }
      }
    }
    labels.addAll(origin(workload, admission, assignment.name()));
    annotations.addAll(Map.of(Keys.WORKLOAD, ObjectKey.of(workload).name()));
    return new PodSetStart(
        assignment.name(),
        assignment.count() == null ? 0 : assignment.count(),
        labels.values,
        annotations.values,
        nodeSelector.values,
        new ArrayList<>(tolerations),
        firstOf(labels.conflict, annotations.conflict, nodeSelector.conflict));
  }

  /** Queue names may be longer than a label allows; then the label is left out. */
  private static Map<String, String> origin(Workload workload, Admission admission, String podSet) {
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

  /** Adds this to what the pod template has; a different value there is a conflict. */
  Additions mergedInto(String what, @Nullable Map<String, String> existing) {
    Additions merged = new Additions(what, name);
    merged.addAll(existing == null ? Map.of() : existing);
    merged.addAll(
        switch (what) {
          case "label" -> labels;
          case "annotation" -> annotations;
          default -> nodeSelector;
        });
    return merged;
  }

  private static @Nullable String firstOf(@Nullable String... candidates) {
    for (String candidate : candidates) {
      if (candidate != null) {
        return candidate;
      }
    }
    return null;
  }

  /** A map that grows and notices when a key would get a second value. */
  static final class Additions {
    final Map<String, String> values = new TreeMap<>();
    private final String what;
    private final String podSet;
    @Nullable String conflict;

    Additions(String what, String podSet) {
      this.what = what;
      this.podSet = podSet;
    }

    void addAll(Map<String, String> added) {
      added.forEach(
          (key, value) -> {
            String previous = values.putIfAbsent(key, value);
            if (previous != null && !previous.equals(value) && conflict == null) {
              conflict =
                  "pod set %s: %s %s has the value \"%s\", but \"%s\" is asked for"
                      .formatted(podSet, what, key, previous, value);
            }
          });
    }
  }
}
