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
import io.github.kueue4j.testkit.schema.FieldError;
import io.github.kueue4j.testkit.tree.Trees;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Deployments: stored with defaults; nothing rolls them out. */
final class DeploymentRules extends BuiltInRules {

  @Override
  public ObjectNode prepare(ObjectNode incoming) {
    return Defaults.edit(
        incoming,
        "spec",
        spec -> {
          Defaults.absent(spec, "replicas", 1);
          Defaults.absent(spec, "revisionHistoryLimit", 10);
          Defaults.absent(spec, "progressDeadlineSeconds", 600);
          Defaults.template(spec);
          return spec;
        });
  }

  @Override
  public List<FieldError> validate(ObjectNode object, @Nullable ObjectNode old) {
    ObjectNode spec = Trees.object(object, "spec");
    List<FieldError> errors = new ArrayList<>();
    if (!spec.hasNonNull("selector")) {
      errors.add(new FieldError("spec.selector", FieldError.Type.REQUIRED, null, ""));
    }
    errors.addAll(
        Defaults.checkPodSpec(
            Trees.object(Trees.object(spec, "template"), "spec"), "spec.template.spec"));
    return errors;
  }

  @Override
  public boolean countsGenerations() {
    return true;
  }
}
