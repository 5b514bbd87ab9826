// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.kinds;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.tree.Trees;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Namespaces: the phase, the label with the name, and the finalizer that their contents need. */
final class NamespaceRules extends BuiltInRules {

  @Override
  public ObjectNode complete(ObjectNode object, @Nullable ObjectNode old, Instant now) {
    ObjectNode labelled =
        Defaults.edit(
            object,
            "metadata",
            metadata -> {
              ObjectNode labels = Trees.fresh(Trees.object(metadata, "labels"));
              labels.put("kubernetes.io/metadata.name", Trees.text(metadata, "name"));
              metadata.set("labels", labels);
              return metadata;
            });
    if (old == null) {
      labelled.putObject("spec").putArray("finalizers").add("kubernetes");
    }
    return Defaults.edit(
        labelled,
        "status",
        status -> {
          status.put("phase", Trees.deleting(object) ? "Terminating" : "Active");
          return status;
        });
  }
}
