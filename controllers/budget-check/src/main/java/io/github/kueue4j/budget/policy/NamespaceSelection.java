// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.policy;

import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * Selects namespaces by their labels; an empty one selects all.
 *
 * @param matchLabels labels that they have
 * @param matchExpressions further requirements
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record NamespaceSelection(
    Map<String, String> matchLabels, List<LabelRequirement> matchExpressions) {

  /** How a label is compared. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public enum LabelOperator {
    /** It is one of the values. */
    IN,
    /** It is absent or another one. */
    NOT_IN,
    /** It is there. */
    EXISTS,
    /** It is absent. */
    DOES_NOT_EXIST
  }

  /**
   * One requirement.
   *
   * @param key the label
   * @param operator how it is compared
   * @param values with what
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public record LabelRequirement(String key, LabelOperator operator, List<String> values) {
    private boolean holds(Map<String, String> labels) {
      String value = labels.get(key);
      return switch (operator) {
        case IN -> value != null && values.contains(value);
        case NOT_IN -> value == null || !values.contains(value);
        case EXISTS -> value != null;
        case DOES_NOT_EXIST -> value == null;
      };
    }
  }

  /** Whether a namespace with these labels is selected. */
  public boolean selects(Map<String, String> labels) {
    return labels.entrySet().containsAll(matchLabels.entrySet())
        && matchExpressions.stream().allMatch(requirement -> requirement.holds(labels));
  }
}
