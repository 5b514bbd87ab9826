// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import io.github.kueue4j.jobs.yaml.YamlBlock;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * A custom label of metrics, whose value is a label or an annotation of the measured object.
 *
 * <p>Source: KEP-7066, "Configuration API" and "Label Name Validation".
 *
 * @param name of the metrics' label, after {@code custom_}
 * @param labelSource of the measured objects; metrics of other kinds don't have the label
 * @param key of the label or annotation
 * @param annotation whether the key is an annotation's
 * @param trackedValues the distinguished values; empty for all
 */
@API(status = API.Status.EXPERIMENTAL)
public record CustomLabel(
    String name,
    LabelSource labelSource,
    String key,
    boolean annotation,
    Set<String> trackedValues) {
  /** The label value for all values that aren't distinguished. */
  public static final String UNTRACKED = "kueue.x-k8s.io/_UNTRACKED_VALUE_";

  private static final int MOST = 20;

  public CustomLabel {
    trackedValues = Set.copyOf(trackedValues);
  }

  /** The kinds of measured objects. */
  public enum LabelSource {
    CLUSTER_QUEUE("ClusterQueue", 6, 16),
    LOCAL_QUEUE("LocalQueue", 6, 16),
    COHORT("Cohort", 6, 16),
    /**
     * Any user creates these, so their labels are limited in number and need {@code trackedValues}.
     */
    WORKLOAD("Workload", 2, 12);

    private final String word;
    private final int mostLabels;
    private final int mostValues;

    LabelSource(String word, int mostLabels, int mostValues) {
      this.word = word;
      this.mostLabels = mostLabels;
      this.mostValues = mostValues;
    }

    private static LabelSource of(String word) {
      LabelSource found = CLUSTER_QUEUE;
      for (LabelSource labelSource : values()) {
        found = labelSource.word.equals(word) ? labelSource : found;
      }
      return found;
    }
  }

  /** The label's value for an object; empty if it has none. */
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
  static List<CustomLabel> read(YamlBlock metrics, boolean enabled) {
    List<CustomLabel> labels = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (YamlBlock item : metrics.blocks("customLabels")) {
      try (item) {
        CustomLabel label = read(item);
        if (!names.add(label.name())) {
          throw item.invalid("name", "is given to two labels; rename one of them");
        }
        labels.add(label);
      }
    }
    for (LabelSource labelSource : LabelSource.values()) {
      long count = labels.stream().filter(label -> label.labelSource() == labelSource).count();
      if (count > labelSource.mostLabels) {
        throw metrics.invalid(
            "customLabels",
            "has %d labels with sourceKind %s; at most %d are possible"
                .formatted(count, labelSource.word, labelSource.mostLabels));
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

  private static CustomLabel read(YamlBlock item) {
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
    if (!key.matches(SelectorBlock.KEY_FORM)) {
      throw item.invalid(
          item.has(source) ? source : "name",
          "is \"" + key + "\", which can't be the key of a label; name one in " + source);
    }
    LabelSource labelSource =
        LabelSource.of(
            item.oneOf(
                "sourceKind",
                LabelSource.CLUSTER_QUEUE.word,
                LabelSource.CLUSTER_QUEUE.word,
                LabelSource.LOCAL_QUEUE.word,
                LabelSource.COHORT.word,
                LabelSource.WORKLOAD.word));
    List<String> values = item.texts("trackedValues", List.of());
    if (values.size() > labelSource.mostValues) {
      throw item.invalid(
          "trackedValues",
          "has %d values; at most %d are possible for sourceKind %s"
              .formatted(values.size(), labelSource.mostValues, labelSource.word));
    }
    if (labelSource == LabelSource.WORKLOAD && values.isEmpty()) {
      throw item.invalid(
          "trackedValues", "is missing; name the values of Workloads to distinguish");
    }
    return new CustomLabel(name, labelSource, key, annotation, Set.copyOf(values));
  }
}
