// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A value of a new object beside what it was before. Below a list whose elements can't be told
 * apart the nearest ancestor that can be compared stands in: what didn't change within it is not
 * new.
 *
 * @param anchor the nearest comparable value, {@code anchorOld} its predecessor; null on a create
 * @param comparable whether the anchor is the value itself
 */
record Correlation(@Nullable JsonNode anchor, @Nullable JsonNode anchorOld, boolean comparable) {

  /** Everything is new. */
  static final Correlation NEW = new Correlation(null, null, false);

  static Correlation of(JsonNode value, @Nullable JsonNode old) {
    return old == null ? NEW : new Correlation(value, old, true);
  }

  /** The predecessor of the value itself, if it had one that can be told. */
  @Nullable JsonNode old() {
    return comparable ? anchorOld : null;
  }

  /** Whether nothing changed here, so that errors here are old ones. */
  boolean unchanged() {
    return anchor != null && (identical() || anchor.equals(anchorOld));
  }

  /** As {@link #unchanged} where that costs nothing to see. */
  @SuppressWarnings("ReferenceEquality") // Comparing contents is what this avoids.
  boolean identical() {
    return anchor != null && anchor == anchorOld;
  }

  Correlation field(String name, JsonNode value) {
    if (!comparable) {
      return this;
    }
    if (anchorOld == null) {
      return below();
    }
    return of(value, anchorOld.get(name));
  }

  private Correlation below() {
    return new Correlation(anchor, anchorOld, false);
  }

  /** Relates the elements of a list; call once per list. */
  ListElements elements(SchemaNode node, ArrayNode list) {
    if (!comparable || node.list().listType() != SchemaNode.ListSemantics.ListType.MAP) {
      return (position, element) -> comparable ? below() : this;
    }
    if (!(anchorOld instanceof ArrayNode oldList)) {
      return (position, element) -> NEW;
    }
    if (oldList.size() == 1 && list.size() == 1) {
      JsonNode only = oldList.get(0);
      return (position, element) -> of(element, sameKeys(node, element, only) ? only : null);
    }
    Map<String, JsonNode> byKeys = HashMap.newHashMap(oldList.size());
    for (JsonNode element : oldList) {
      byKeys.putIfAbsent(keysOf(node, element), element);
    }
    return (position, element) -> of(element, byKeys.get(keysOf(node, element)));
  }

  private static boolean sameKeys(SchemaNode node, JsonNode one, JsonNode other) {
    return keysOf(node, one).equals(keysOf(node, other));
  }

  private static String keysOf(SchemaNode node, JsonNode element) {
    if (node.list().keys().size() == 1) {
      return element.path(node.list().keys().get(0)).toString();
    }
    StringBuilder keys = new StringBuilder();
    for (String key : node.list().keys()) {
      keys.append(element.path(key)).append('\n');
    }
    return keys.toString();
  }

  /** Gives the correlation of a list's element. */
  interface ListElements {
    Correlation at(int position, JsonNode element);
  }
}
