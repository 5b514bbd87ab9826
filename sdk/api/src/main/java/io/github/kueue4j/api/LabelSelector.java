// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Selects objects by their labels, as Kubernetes' label selectors do: all that is given must hold;
 * an empty selector selects everything. What the absence of a selector means is said where it may
 * be absent. As a component of a {@link CustomResource}'s spec it is read from the field of this
 * form.
 *
 * @param matchLabels labels that must have these values
 * @param matchExpressions further requirements
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record LabelSelector(Map<String, String> matchLabels, List<Requirement> matchExpressions) {

  /** Keeps copies. */
  public LabelSelector {
    matchLabels = Map.copyOf(matchLabels);
    matchExpressions = List.copyOf(matchExpressions);
  }

  /** How a label is compared. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public enum Operator {
    /** It is one of the values. */
    IN,
    /** It is absent, or none of the values. */
    NOT_IN,
    /** It is there. */
    EXISTS,
    /** It is absent. */
    DOES_NOT_EXIST;

    private boolean comparesValues() {
      return this == IN || this == NOT_IN;
    }

    /** Whether it holds of a label with this value; null: without the label. */
    public boolean holds(@Nullable String value, List<String> values) {
      return switch (this) {
        case IN -> value != null && values.contains(value);
        case NOT_IN -> value == null || !values.contains(value);
        case EXISTS -> value != null;
        case DOES_NOT_EXIST -> value == null;
      };
    }
  }

  /**
   * The requirement on one label.
   *
   * @param key the label
   * @param operator how it is compared
   * @param values with what; only for {@link Operator#IN} and {@link Operator#NOT_IN}
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public record Requirement(String key, Operator operator, List<String> values) {

    /**
     * Keeps a copy.
     *
     * @throws InvalidFieldException if there are no values for an operator that compares with them,
     *     or values for one that doesn't
     */
    public Requirement {
      values = List.copyOf(values);
      if (operator.comparesValues() == values.isEmpty()) {
        throw new InvalidFieldException(
            "values",
            values.isEmpty() ? null : values.toString(),
            values.isEmpty()
                ? "write at least one value with In and NotIn"
                : "leave them out with Exists and DoesNotExist");
      }
    }

    private boolean matches(Map<String, String> labels) {
      return operator.holds(labels.get(key), values);
    }
  }

  /** Whether something with these labels is selected. */
  public boolean matches(Map<String, String> labels) {
    return labels.entrySet().containsAll(matchLabels.entrySet())
        && matchExpressions.stream().allMatch(requirement -> requirement.matches(labels));
  }
}
