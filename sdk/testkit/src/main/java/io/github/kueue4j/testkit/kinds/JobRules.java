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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Jobs: defaults, and the selector and labels that tie a job to its pods. The template's
 * immutability is not enforced.
 */
final class JobRules extends BuiltInRules {

  @Override
  public ObjectNode prepare(ObjectNode incoming) {
    return Defaults.edit(
        incoming,
        "spec",
        spec -> {
          if (!spec.hasNonNull("completions") && !spec.hasNonNull("parallelism")) {
            spec.put("completions", 1);
          }
          Defaults.absent(spec, "parallelism", 1);
          Defaults.absent(spec, "backoffLimit", 6);
          Defaults.absent(spec, "completionMode", "NonIndexed");
          Defaults.absent(spec, "suspend", false);
          Defaults.absent(spec, "manualSelector", false);
          Defaults.absent(spec, "podReplacementPolicy", "TerminatingOrFailed");
          Defaults.template(spec);
          return spec;
        });
  }

  @Override
  public ObjectNode complete(ObjectNode object, @Nullable ObjectNode old, Instant now) {
    ObjectNode spec = Trees.object(object, "spec");
    if (old != null || spec.path("manualSelector").asBoolean()) {
      return object;
    }
    String uid = Trees.uid(object);
    String name = Trees.name(object);
    ObjectNode completed = Trees.fresh(spec);
    ObjectNode selector = Trees.empty();
    selector.putObject("matchLabels").put("batch.kubernetes.io/controller-uid", uid);
    completed.set("selector", selector);
    completed.set(
        "template",
        Defaults.edit(
            Trees.object(spec, "template"),
            "metadata",
            metadata -> {
              ObjectNode labels = Trees.fresh(Trees.object(metadata, "labels"));
              labels.put("batch.kubernetes.io/controller-uid", uid);
              labels.put("batch.kubernetes.io/job-name", name);
              labels.put("controller-uid", uid);
              labels.put("job-name", name);
              metadata.set("labels", labels);
              return metadata;
            }));
    ObjectNode result = Trees.with(object, "spec", completed);
    if (!result.has("status")) {
      result.putObject("status");
    }
    return result;
  }

  @Override
  public List<FieldError> validate(ObjectNode object, @Nullable ObjectNode old) {
    ObjectNode podSpec =
        Trees.object(Trees.object(Trees.object(object, "spec"), "template"), "spec");
    List<FieldError> errors = new ArrayList<>(Defaults.checkPodSpec(podSpec, "spec.template.spec"));
    String restart = Trees.text(podSpec, "restartPolicy");
    if (old == null && !restart.equals("Never") && !restart.equals("OnFailure")) {
      errors.add(
          new FieldError(
              "spec.template.spec.restartPolicy",
              FieldError.Type.REQUIRED,
              null,
              "valid values: \"OnFailure\", \"Never\""));
    }
    return errors;
  }

  @Override
  public boolean countsGenerations() {
    return true;
  }
}
