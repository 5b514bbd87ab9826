// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.ResourceType;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** The lines of a file at which the fields of one of its documents stand. */
final class DocumentLines {
  private static final String NAME_OF_AN_ELEMENT = " [(][^)]*[)]";
  private static final Pattern STEP = Pattern.compile("[^.\\[\\]]+");

  private final Node root;

  private DocumentLines(Node root) {
    this.root = root;
  }

  /** The lines of each document of this type in a text that is YAML. */
  static List<DocumentLines> of(String text, ResourceType<?> type) {
    List<DocumentLines> found = new ArrayList<>();
    for (Node root :
        new Yaml(new SafeConstructor(new LoaderOptions())).composeAll(new StringReader(text))) {
      if (says(root, "kind", type.kind()) && says(root, "apiVersion", type.apiVersion())) {
        found.add(new DocumentLines(root));
      }
    }
    return found;
  }

  /**
   * The line of a field, from 1; if it isn't there, of the one around it.
   *
   * @param field such as {@code spec.rules[1] (change-freeze).when}
   */
  int of(String field) {
    Node node = root;
    int line = root.getStartMark().getLine();
    List<String> steps =
        STEP.matcher(field.replaceAll(NAME_OF_AN_ELEMENT, ""))
            .results()
            .map(MatchResult::group)
            .toList();
    for (String step : steps) {
      if (node instanceof SequenceNode list
          && step.matches("[0-9]{1,6}")
          && Integer.parseInt(step) < list.getValue().size()) {
        node = list.getValue().get(Integer.parseInt(step));
        line = node.getStartMark().getLine();
        continue;
      }
      Optional<NodeTuple> child = child(node, step);
      if (child.isEmpty()) {
        break;
      }
      node = child.get().getValueNode();
      line = child.get().getKeyNode().getStartMark().getLine();
    }
    return line + 1;
  }

  private static boolean says(Node root, String key, String text) {
    return child(root, key)
        .map(NodeTuple::getValueNode)
        .filter(value -> value instanceof ScalarNode scalar && scalar.getValue().equals(text))
        .isPresent();
  }

  private static Optional<NodeTuple> child(Node node, String key) {
    return node instanceof MappingNode mapping
        ? mapping.getValue().stream()
            .filter(
                tuple ->
                    tuple.getKeyNode() instanceof ScalarNode name && name.getValue().equals(key))
            .findFirst()
        : Optional.empty();
  }
}
