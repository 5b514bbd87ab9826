// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.kinds;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.tree.Trees;
import java.util.ArrayList;
import java.util.List;

/**
 * Between one version of a custom resource and the one that is stored. Objects may still be stored
 * in another version that was the storage version once.
 *
 * @param prunes whether the converter leaves what the served version doesn't know
 * @param rules of the served version
 */
record CustomConversion(
    String served, String stored, VersionConverter converter, boolean prunes, ObjectRules rules)
    implements Conversion {

  @Override
  public ObjectNode toStored(ObjectNode object) {
    return Trees.text(object, "apiVersion").equals(stored)
        ? object
        : converter.convert(List.of(object), stored).get(0);
  }

  @Override
  public List<ObjectNode> toServed(List<ObjectNode> objects) {
    List<ObjectNode> others = new ArrayList<>();
    for (ObjectNode object : objects) {
      if (differs(object)) {
        others.add(object);
      }
    }
    if (others.isEmpty()) {
      return objects;
    }
    var converted = converter.convert(others, served).iterator();
    List<ObjectNode> result = new ArrayList<>(objects.size());
    for (ObjectNode object : objects) {
      if (differs(object)) {
        ObjectNode next = converted.next();
        result.add(prunes ? rules.prepare(next) : next);
      } else {
        result.add(object);
      }
    }
    return result;
  }

  @Override
  public boolean differs(ObjectNode object) {
    return !Trees.text(object, "apiVersion").equals(served);
  }

  @Override
  public boolean isOfStorage() {
    return served.equals(stored);
  }
}
