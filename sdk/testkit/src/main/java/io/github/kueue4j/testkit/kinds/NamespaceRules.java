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
package io.github.kueue4j.testkit.kinds;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.testkit.tree.Trees;
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
