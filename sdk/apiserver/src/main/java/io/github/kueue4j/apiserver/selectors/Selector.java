// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.selectors;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apiguardian.api.API;

/** Decides which objects a list or watch is about. */
@FunctionalInterface
@API(status = API.Status.INTERNAL)
public interface Selector {

  /** Selects everything. */
  Selector ALL = tree -> true;

  boolean selects(ObjectNode tree);

  default Selector and(Selector other) {
    if (this == ALL) {
      return other;
    }
    return other == ALL ? this : tree -> selects(tree) && other.selects(tree);
  }
}
