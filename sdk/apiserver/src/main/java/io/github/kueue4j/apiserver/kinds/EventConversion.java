// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.tree.Trees;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Between the core group's events and those of events.k8s.io, in whose form both are stored. */
final class EventConversion implements Conversion {
  private static final Map<String, String> CORE_TO_STORED =
      Map.of(
          "involvedObject", "regarding",
          "message", "note",
          "source", "deprecatedSource",
          "firstTimestamp", "deprecatedFirstTimestamp",
          "lastTimestamp", "deprecatedLastTimestamp",
          "count", "deprecatedCount",
          "reportingComponent", "reportingController");
  private static final Map<String, String> STORED_TO_CORE = new HashMap<>();

  static {
    CORE_TO_STORED.forEach((core, stored) -> STORED_TO_CORE.put(stored, core));
  }

  @Override
  public ObjectNode toStored(ObjectNode served) {
    return rename(served, CORE_TO_STORED, "events.k8s.io/v1");
  }

  @Override
  public List<ObjectNode> toServed(List<ObjectNode> stored) {
    return stored.stream().map(event -> rename(event, STORED_TO_CORE, "v1")).toList();
  }

  @Override
  public boolean differs(ObjectNode stored) {
    return true;
  }

  private static ObjectNode rename(ObjectNode event, Map<String, String> names, String apiVersion) {
    ObjectNode result = Trees.empty();
    for (Map.Entry<String, JsonNode> field : event.properties()) {
      result.set(names.getOrDefault(field.getKey(), field.getKey()), field.getValue());
    }
    result.set("apiVersion", JsonNodeFactory.instance.textNode(apiVersion));
    return result;
  }
}
