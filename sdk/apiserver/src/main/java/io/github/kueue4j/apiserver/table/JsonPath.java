// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.table;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of Kubernetes' JSONPath that printer columns use: {@code .a.b}, {@code ['a.b']}, {@code
 * [0]}, {@code [*]} and {@code [?(@.type=='X')]}, also with {@code !=}.
 */
final class JsonPath {
  private static final Pattern STEP =
      Pattern.compile(
          "\\.(?<name>(?:[^.\\[\\]\\\\]|\\\\.)+)"
              + "|\\['(?<quoted>[^']*)'\\]"
              + "|\\[(?<index>-?[0-9]+)\\]"
              + "|(?<all>\\[\\*\\]|\\.\\*)"
              + "|\\[\\?\\(@\\.(?<field>[\\w./-]+)\\s*(?<operator>==|!=)\\s*"
              + "[\"'](?<value>[^\"']*)[\"']\\s*\\)\\]");

  private JsonPath() {}

  /** The values at the path, none if it doesn't lead anywhere or isn't understood. */
  static List<JsonNode> find(JsonNode root, String path) {
    List<JsonNode> nodes = List.of(root);
    Matcher matcher = STEP.matcher(path);
    int position = 0;
    while (position < path.length()) {
      if (!matcher.find(position) || matcher.start() != position) {
        return List.of();
      }
      nodes = step(nodes, matcher);
      position = matcher.end();
    }
    return nodes;
  }

  private static List<JsonNode> step(List<JsonNode> nodes, Matcher step) {
    List<JsonNode> next = new ArrayList<>();
    String name = step.group("name");
    String field = name == null ? step.group("quoted") : name.replace("\\", "");
    for (JsonNode node : nodes) {
      if (field != null && !field.equals("*")) {
        add(next, node.get(field));
      } else if (step.group("index") != null) {
        int index = Integer.parseInt(step.group("index"));
        add(next, node.get(index < 0 ? node.size() + index : index));
      } else if (step.group("field") != null) {
        node.forEach(element -> filter(element, step, next));
      } else {
        node.forEach(next::add);
      }
    }
    return next;
  }

  private static void filter(JsonNode element, Matcher step, List<JsonNode> next) {
    JsonNode value = element;
    for (String part : step.group("field").split("\\.", -1)) {
      value = value.path(part);
    }
    boolean equal = value.asText().equals(step.group("value"));
    if (equal == step.group("operator").equals("==")) {
      next.add(element);
    }
  }

  private static void add(List<JsonNode> nodes, JsonNode node) {
    if (node != null && !node.isNull() && !node.isMissingNode()) {
      nodes.add(node);
    }
  }
}
