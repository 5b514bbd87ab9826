// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs.kinds;

import io.github.kueue4j.jobs.yaml.YamlBlock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * The lines on which a YAML file has its values, by their keys, such as {@code podSets[0].name}.
 */
final class KeyLines {
  private KeyLines() {}

  static Map<String, Integer> of(String yaml) {
    Map<String, Integer> lines = new HashMap<>();
    collect("", YamlBlock.compose(yaml), lines);
    return lines;
  }

  private static void collect(String key, Node node, Map<String, Integer> lines) {
    lines.put(key, node.getStartMark().getLine() + 1);
    if (node instanceof MappingNode mapping) {
      mapping
          .getValue()
          .forEach(
              entry -> {
                String name = ((ScalarNode) entry.getKeyNode()).getValue();
                collect(key.isEmpty() ? name : key + "." + name, entry.getValueNode(), lines);
              });
    } else if (node instanceof SequenceNode sequence) {
      List<Node> items = sequence.getValue();
      for (int i = 0; i < items.size(); i++) {
        collect(key + "[" + i + "]", items.get(i), lines);
      }
    }
  }
}
