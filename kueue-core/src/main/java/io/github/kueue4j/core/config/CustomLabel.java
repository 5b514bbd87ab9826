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
package io.github.kueue4j.core.config;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * A label that metrics carry besides their own, with a value out of the metadata of what is
 * measured.
 *
 * <p>Source: KEP-7066, "Configuration API" and "Label Name Validation".
 *
 * @param name of the metrics' label, after {@code custom_}
 * @param kind whose metadata; metrics of other kinds don't have the label
 * @param key of the label or annotation
 * @param annotation whether the key is an annotation's
 * @param trackedValues those that are told apart; empty for all
 */
@API(status = API.Status.EXPERIMENTAL)
public record CustomLabel(
    String name, Kind kind, String key, boolean annotation, Set<String> trackedValues) {
  /** Stands for every value that isn't told apart. */
  public static final String UNTRACKED = "kueue.x-k8s.io/_UNTRACKED_VALUE_";

  private static final int MOST = 20;

  public CustomLabel {
    trackedValues = Set.copyOf(trackedValues);
  }

  /** What is measured. */
  public enum Kind {
    CLUSTER_QUEUE("ClusterQueue", 6, 16),
    LOCAL_QUEUE("LocalQueue", 6, 16),
    COHORT("Cohort", 6, 16),
    /** Anybody makes these: only some, and only with values that are known beforehand. */
    WORKLOAD("Workload", 2, 12);

    private final String word;
    private final int mostLabels;
    private final int mostValues;

    Kind(String word, int mostLabels, int mostValues) {
      this.word = word;
      this.mostLabels = mostLabels;
      this.mostValues = mostValues;
    }

    private static Kind of(String word) {
      Kind found = CLUSTER_QUEUE;
      for (Kind kind : values()) {
        found = kind.word.equals(word) ? kind : found;
      }
      return found;
    }
  }

  /** The value for an object; empty if it has none. */
  public String value(V1ObjectMeta metadata) {
    Map<String, String> source = annotation ? metadata.getAnnotations() : metadata.getLabels();
    String value = source == null ? "" : Objects.requireNonNullElse(source.get(key), "");
    return trackedValues.isEmpty() || trackedValues.contains(value) ? value : UNTRACKED;
  }

  /**
   * Reads the list, and checks it whether or not it has an effect.
   *
   * @param enabled whether the gate is on
   */
  static List<CustomLabel> read(ConfigurationBlock metrics, boolean enabled) {
    List<CustomLabel> labels = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (ConfigurationBlock item : metrics.blocks("customLabels")) {
      try (item) {
        CustomLabel label = read(item);
        if (!names.add(label.name())) {
          throw item.invalid("name", "is given to two labels; rename one of them");
        }
        labels.add(label);
      }
    }
    for (Kind kind : Kind.values()) {
      long count = labels.stream().filter(label -> label.kind() == kind).count();
      if (count > kind.mostLabels) {
        throw metrics.invalid(
            "customLabels",
            "has %d labels with sourceKind %s; at most %d are possible"
                .formatted(count, kind.word, kind.mostLabels));
      }
    }
    if (labels.size() > MOST) {
      throw metrics.invalid(
          "customLabels", "has %d labels; at most %d are possible".formatted(labels.size(), MOST));
    }
    if (!labels.isEmpty() && !enabled) {
      metrics.reportUnused("customLabels", "the feature gate CustomMetricLabels is off");
      return List.of();
    }
    return labels;
  }

  private static CustomLabel read(ConfigurationBlock item) {
    String name = item.text("name", "");
    if (!name.matches("[a-zA-Z][a-zA-Z0-9_]*")) {
      throw item.invalid(
          "name", "is \"" + name + "\"; write letters, digits and underscores, a letter first");
    }
    boolean annotation = item.has("sourceAnnotationKey");
    if (annotation && item.has("sourceLabelKey")) {
      throw item.invalid(
          "sourceLabelKey", "can't be given together with sourceAnnotationKey; remove one of them");
    }
    String source = annotation ? "sourceAnnotationKey" : "sourceLabelKey";
    String key = item.text(source, name);
    if (!key.matches(LabelSelection.KEY_FORM)) {
      throw item.invalid(
          item.has(source) ? source : "name",
          "is \"" + key + "\", which can't be the key of a label; name one in " + source);
    }
    Kind kind =
        Kind.of(
            item.oneOf(
                "sourceKind",
                Kind.CLUSTER_QUEUE.word,
                Kind.CLUSTER_QUEUE.word,
                Kind.LOCAL_QUEUE.word,
                Kind.COHORT.word,
                Kind.WORKLOAD.word));
    List<String> values = item.texts("trackedValues", List.of());
    if (values.size() > kind.mostValues) {
      throw item.invalid(
          "trackedValues",
          "has %d values; at most %d are possible for sourceKind %s"
              .formatted(values.size(), kind.mostValues, kind.word));
    }
    if (kind == Kind.WORKLOAD && values.isEmpty()) {
      throw item.invalid(
          "trackedValues", "is missing; name the values of Workloads that are to be told apart");
    }
    return new CustomLabel(name, kind, key, annotation, Set.copyOf(values));
  }
}
