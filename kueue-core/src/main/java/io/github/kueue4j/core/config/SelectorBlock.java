// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import io.github.kueue4j.api.LabelSelector;
import io.github.kueue4j.jobs.yaml.YamlBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads label selectors of the configuration. */
final class SelectorBlock {
  /** Keys of labels and annotations. */
  static final String KEY_FORM =
      "([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?";

  private static final String VALUE_FORM = "([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?";

  private SelectorBlock() {}

  /** Whether no label but this one matters. */
  static boolean concernsOnly(LabelSelector selector, String label) {
    return selector.matchLabels().keySet().stream().allMatch(label::equals)
        && selector.matchExpressions().stream()
            .map(LabelSelector.Requirement::key)
            .allMatch(label::equals);
  }

  /** Reads a block of this form; an absent one selects everything. */
  static LabelSelector read(YamlBlock parent, String key) {
    try (YamlBlock block = parent.block(key)) {
      List<LabelSelector.Requirement> requirements = new ArrayList<>();
      for (YamlBlock expression : block.blocks("matchExpressions")) {
        requirements.add(requirement(expression));
      }
      Map<String, String> labels = block.textMap("matchLabels");
      labels.forEach(
          (name, value) -> {
            checkKey(block, "matchLabels", name);
            checkValue(block, "matchLabels", value);
          });
      return new LabelSelector(labels, requirements);
    }
  }

  private static LabelSelector.Requirement requirement(YamlBlock block) {
    try (block) {
      String name = block.text("key", "");
      checkKey(block, "key", name);
      String word = block.oneOf("operator", "", "In", "NotIn", "Exists", "DoesNotExist");
      LabelSelector.Operator operator =
          switch (word) {
            case "In" -> LabelSelector.Operator.IN;
            case "NotIn" -> LabelSelector.Operator.NOT_IN;
            case "Exists" -> LabelSelector.Operator.EXISTS;
            default -> LabelSelector.Operator.DOES_NOT_EXIST;
          };
      boolean comparesValues = word.equals("In") || word.equals("NotIn");
      List<String> values = block.texts("values", List.of());
      if (comparesValues == values.isEmpty()) {
        throw block.invalid(
            "values",
            comparesValues
                ? "must not be empty with operator " + word
                : "must be empty with operator " + word);
      }
      values.forEach(value -> checkValue(block, "values", value));
      return new LabelSelector.Requirement(name, operator, values);
    }
  }

  /** Refuses a name that no label can have. */
  static void checkKey(YamlBlock block, String where, String name) {
    if (!name.matches(KEY_FORM)) {
      throw block.invalid(
          where, "names \"" + name + "\", which can't be a label; write name or example.com/name");
    }
  }

  private static void checkValue(YamlBlock block, String where, String value) {
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
