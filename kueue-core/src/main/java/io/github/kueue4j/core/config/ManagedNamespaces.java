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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * A label selector over namespaces ({@code managedJobsNamespaceSelector}): Jobs elsewhere are left
 * alone, with or without a queue name.
 *
 * @param matchLabels labels that must have these values
 * @param matchExpressions further requirements
 */
@API(status = API.Status.EXPERIMENTAL)
public record ManagedNamespaces(
    Map<String, String> matchLabels, List<Requirement> matchExpressions) {
  private static final String NAME_LABEL = "kubernetes.io/metadata.name";

  public ManagedNamespaces {
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
   * @param operator what is asked of it
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

  /** Everything but kube-system and the namespace that the core itself runs in. */
  static ManagedNamespaces allBut(String ownNamespace) {
    return new ManagedNamespaces(
        Map.of(),
        List.of(new Requirement(NAME_LABEL, Operator.NOT_IN, Set.of("kube-system", ownNamespace))));
  }

  /**
   * Whether Jobs of a namespace are managed.
   *
   * @param name the namespace; stands in for the name label, which every API server sets
   * @param labels the labels of the namespace
   */
  public boolean matches(String name, Map<String, String> labels) {
    Map<String, String> all = new TreeMap<>(labels);
    all.put(NAME_LABEL, name);
    return all.entrySet().containsAll(matchLabels.entrySet())
        && matchExpressions.stream().allMatch(requirement -> requirement.matches(all));
  }

  static ManagedNamespaces read(ConfigurationBlock parent, String ownNamespace) {
    String key = "managedJobsNamespaceSelector";
    if (!parent.has(key)) {
      return allBut(ownNamespace);
    }
    try (ConfigurationBlock block = parent.block(key)) {
      List<Requirement> requirements = new ArrayList<>();
      for (ConfigurationBlock expression : block.blocks("matchExpressions")) {
        requirements.add(requirement(expression));
      }
      ManagedNamespaces selector =
          new ManagedNamespaces(block.textMap("matchLabels"), requirements);
      for (String reserved : List.of("kube-system", ownNamespace)) {
        if (selector.matches(reserved, Map.of())) {
          throw parent.invalid(
              key,
              "must not match namespace \""
                  + reserved
                  + "\"; exclude it with "
                  + NAME_LABEL
                  + " NotIn");
        }
      }
      return selector;
    }
  }

  private static Requirement requirement(ConfigurationBlock block) {
    try (block) {
      String name = block.text("key", "");
      if (name.isEmpty()) {
        throw block.invalid("key", "must name a label");
      }
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
      return new Requirement(name, operator, Set.copyOf(values));
    }
  }
}
