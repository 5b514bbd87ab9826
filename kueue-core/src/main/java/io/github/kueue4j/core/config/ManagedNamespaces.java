// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import io.github.kueue4j.api.LabelSelector;
import io.github.kueue4j.jobs.yaml.YamlBlock;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The namespaces in which Jobs are managed ({@code managedJobsNamespaceSelector}). Jobs in other
 * namespaces are ignored, with or without a queue name.
 *
 * @param selector of the namespaces' labels
 */
@API(status = API.Status.EXPERIMENTAL)
public record ManagedNamespaces(LabelSelector selector) {
  /** What to do about a Job in another namespace, as a sentence. */
  public static final String REMEDY =
      "Create it in a namespace that is selected, or have the operator of the core select this one.";

  private static final String NAME_LABEL = "kubernetes.io/metadata.name";

  /** Everything but kube-system and the namespace that the core itself runs in. */
  static ManagedNamespaces allBut(String ownNamespace) {
    return new ManagedNamespaces(
        new LabelSelector(
            Map.of(),
            List.of(
                new LabelSelector.Requirement(
                    NAME_LABEL,
                    LabelSelector.Operator.NOT_IN,
                    List.of("kube-system", ownNamespace)))));
  }

  /**
   * Whether Jobs of a namespace are managed.
   *
   * @param name of the namespace, used for the label {@code kubernetes.io/metadata.name} that every
   *     API server sets
   * @param labels the labels of the namespace
   */
  public boolean matches(String name, Map<String, String> labels) {
    Map<String, String> all = new TreeMap<>(labels);
    all.put(NAME_LABEL, name);
    return selector.matches(all);
  }

  /**
   * The consequence for a Job that names a queue in a namespace that isn't managed, as a part of a
   * sentence.
   */
  public String unmanaged(String namespace, boolean suspended) {
    return "namespace "
        + namespace
        + " is not managed (managedJobsNamespaceSelector: "
        + Stream.concat(
                new TreeMap<>(selector.matchLabels())
                    .entrySet().stream().map(label -> label.getKey() + "=" + label.getValue()),
                selector.matchExpressions().stream().map(ManagedNamespaces::words))
            .collect(Collectors.joining(", "))
        + "): "
        + (suspended
            ? "it stays suspended, and the core won't start it"
            : "it starts at once, without quota");
  }

  /** As kubectl writes it. */
  private static String words(LabelSelector.Requirement requirement) {
    String values = " (" + String.join(", ", requirement.values()) + ")";
    return switch (requirement.operator()) {
      case IN -> requirement.key() + " in" + values;
      case NOT_IN -> requirement.key() + " notin" + values;
      case EXISTS -> requirement.key();
      case DOES_NOT_EXIST -> "!" + requirement.key();
    };
  }

  /**
   * Whether the labels of a namespace matter besides its name. Its Jobs aren't managed then while
   * the labels aren't known: NotIn and DoesNotExist would match for their absence.
   */
  public boolean needLabels() {
    return !SelectorBlock.concernsOnly(selector, NAME_LABEL);
  }

  static ManagedNamespaces read(YamlBlock parent, String ownNamespace) {
    String key = "managedJobsNamespaceSelector";
    if (!parent.has(key)) {
      return allBut(ownNamespace);
    }
    ManagedNamespaces namespaces = new ManagedNamespaces(SelectorBlock.read(parent, key));
    for (String reserved : List.of("kube-system", ownNamespace)) {
      if (namespaces.matches(reserved, Map.of())) {
        throw parent.invalid(
            key,
            "must not match namespace \""
                + reserved
                + "\"; exclude it with "
                + NAME_LABEL
                + " NotIn");
      }
    }
    return namespaces;
  }
}
