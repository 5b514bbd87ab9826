// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Long YAML texts that were parsed before in this process. A test suite starts hundreds of servers
 * with the same custom resource definitions, and parsing those takes as long as the rest of a
 * server's start.
 */
final class ParsedDefinitions {
  /** The length in characters from which on a text is kept; single objects are shorter. */
  private static final int SHORTEST = 4_000;

  /** How many texts are kept at most; those that come later are parsed each time. */
  private static final int MOST = 64;

  private static final Map<String, List<JsonNode>> PARSED = new ConcurrentHashMap<>();

  private ParsedDefinitions() {}

  /** The documents of a YAML text, which the caller may change. */
  static List<JsonNode> documents(String yaml) {
    if (yaml.length() < SHORTEST) {
      return Body.documents(yaml);
    }
    List<JsonNode> known = PARSED.get(yaml);
    if (known == null) {
      known = Body.documents(yaml);
      if (PARSED.size() < MOST) {
        PARSED.put(yaml, known);
      }
    }
    return known.stream().<JsonNode>map(JsonNode::deepCopy).toList();
  }
}
