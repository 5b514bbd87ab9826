// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.kinds;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.schema.FieldError;
import io.github.kueue4j.apiserver.tree.Trees;
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
      errors.add(FieldError.required("spec.selector", ""));
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
