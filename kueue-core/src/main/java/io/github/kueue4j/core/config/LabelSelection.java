// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * A label selector of the configuration; an empty one selects everything.
 *
 * @param matchLabels labels that must have these values
 * @param matchExpressions further requirements
 */
@API(status = API.Status.EXPERIMENTAL)
public record LabelSelection(Map<String, String> matchLabels, List<Requirement> matchExpressions) {
  /** Keys of labels and annotations. */
  static final String KEY_FORM =
      "([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?";

  private static final String VALUE_FORM = "([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?";

  public LabelSelection {
    matchLabels = Map.copyOf(matchLabels);
    matchExpressions = List.copyOf(matchExpressions);
  }

  /** The operator of a {@link Requirement}. */
  public enum Operator {
    /** The label exists with one of the values. */
    IN("In"),
    /** The label is absent or has another value. */
    NOT_IN("NotIn"),
    /** The label exists. */
    EXISTS("Exists"),
    /** The label is absent. */
    DOES_NOT_EXIST("DoesNotExist");

    private final String word;

    Operator(String word) {
      this.word = word;
    }

    boolean needsValues() {
      return this == IN || this == NOT_IN;
    }
  }

  /**
   * One requirement on a label.
   *
   * @param key the label
   * @param operator to apply
   * @param values for In and NotIn; otherwise empty
   */
  public record Requirement(String key, Operator operator, Set<String> values) {
    public Requirement {
      values = Set.copyOf(values);
    }

    private boolean matches(Map<String, String> labels) {
      String value = labels.get(key);
      return switch (operator) {
        case IN -> value != null && values.contains(value);
        case NOT_IN -> value == null || !values.contains(value);
        case EXISTS -> value != null;
        case DOES_NOT_EXIST -> value == null;
      };
    }
  }

  /** Whether something with these labels is selected. */
  public boolean matches(Map<String, String> labels) {
    return labels.entrySet().containsAll(matchLabels.entrySet())
        && matchExpressions.stream().allMatch(requirement -> requirement.matches(labels));
  }

  /** Whether no label but this one matters. */
  boolean concernsOnly(String label) {
    return matchLabels.keySet().stream().allMatch(label::equals)
        && matchExpressions.stream().map(Requirement::key).allMatch(label::equals);
  }

  /** Reads a block of this form; an absent one selects everything. */
  static LabelSelection read(ConfigurationBlock parent, String key) {
    try (ConfigurationBlock block = parent.block(key)) {
      List<Requirement> requirements = new ArrayList<>();
      for (ConfigurationBlock expression : block.blocks("matchExpressions")) {
        requirements.add(requirement(expression));
      }
      Map<String, String> labels = block.textMap("matchLabels");
      labels.forEach(
          (name, value) -> {
            checkKey(block, "matchLabels", name);
            checkValue(block, "matchLabels", value);
          });
      return new LabelSelection(labels, requirements);
    }
  }

  private static Requirement requirement(ConfigurationBlock block) {
    try (block) {
      String name = block.text("key", "");
      checkKey(block, "key", name);
      String word = block.oneOf("operator", "", "In", "NotIn", "Exists", "DoesNotExist");
      Operator operator = Operator.IN;
      for (Operator candidate : Operator.values()) {
        operator = candidate.word.equals(word) ? candidate : operator;
      }
      List<String> values = block.texts("values", List.of());
      if (operator.needsValues() == values.isEmpty()) {
        throw block.invalid(
            "values",
            operator.needsValues()
                ? "must not be empty with operator " + word
                : "must be empty with operator " + word);
      }
      values.forEach(value -> checkValue(block, "values", value));
      return new Requirement(name, operator, Set.copyOf(values));
    }
  }

  private static void checkKey(ConfigurationBlock block, String where, String name) {
    if (!name.matches(KEY_FORM)) {
      throw block.invalid(
          where, "names \"" + name + "\", which can't be a label; write name or example.com/name");
    }
  }

  private static void checkValue(ConfigurationBlock block, String where, String value) {
    if (!value.matches(VALUE_FORM)) {
      throw block.invalid(
          where,
          "has \""
              + value
              + "\", which can't be the value of a label; write at most 63 letters, digits, dashes,"
              + " dots and underscores");
    }
  }
}
