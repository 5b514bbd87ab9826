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
package io.github.kueue4j.testkit.table;

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
