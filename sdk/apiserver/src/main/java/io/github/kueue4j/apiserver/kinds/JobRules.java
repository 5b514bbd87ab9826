// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.schema.FieldError;
import io.github.kueue4j.apiserver.tree.Trees;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Jobs: defaults, the selector and labels that tie a job to its pods, and what of the spec may
 * still change. Of the template that is only what a scheduler goes by, while the Job is suspended.
 * Where servers differ when, as the strictest does: until 1.35 it may have no start time
 * (KEP-2926), from 1.36 on no pods (KEP-5440). Resources may change as from 1.36. The status has
 * rules of its own ({@link JobStatusRules}).
 */
final class JobRules extends BuiltInRules {
  private static final List<String> IMMUTABLE =
      List.of(
          "selector",
          "completionMode",
          "podFailurePolicy",
          "backoffLimitPerIndex",
          "managedBy",
          "successPolicy");

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
          FieldError.required(
              "spec.template.spec.restartPolicy", "valid values: \"OnFailure\", \"Never\""));
    }
    if (old != null) {
      checkChanges(old, Trees.object(old, "spec"), Trees.object(object, "spec"), errors);
      errors.addAll(JobStatusRules.check(old, object));
    }
    return errors;
  }

  private static void checkChanges(
      ObjectNode old, ObjectNode before, ObjectNode after, List<FieldError> errors) {
    for (String field : IMMUTABLE) {
      if (!Objects.equals(before.get(field), after.get(field))) {
        errors.add(immutable("spec." + field, after.get(field)));
      }
    }
    if (!Objects.equals(before.get("completions"), after.get("completions"))) {
      if (!Trees.text(after, "completionMode").equals("Indexed")) {
        errors.add(immutable("spec.completions", after.get("completions")));
      } else if (!Objects.equals(after.get("completions"), after.get("parallelism"))) {
        errors.add(
            FieldError.invalid(
                "spec.completions",
                after.get("completions"),
                "can only be modified in tandem with spec.parallelism"));
      }
    }
    JsonNode status = old.path("status");
    boolean changeable =
        before.path("suspend").asBoolean()
            && !status.hasNonNull("startTime")
            && status.path("active").asInt() == 0;
    ObjectNode template = Trees.object(after, "template");
    ObjectNode was = Trees.object(before, "template");
    if (changeable ? !fixed(was).equals(fixed(template)) : !was.equals(template)) {
      errors.add(immutable("spec.template", template));
    }
  }

  /** The part of a template that may never change. */
  private static ObjectNode fixed(ObjectNode template) {
    ObjectNode pod = Trees.fresh(Trees.object(template, "spec"));
    pod.remove(List.of("nodeSelector", "tolerations", "schedulingGates"));
    ObjectNode affinity = Trees.fresh(Trees.object(pod, "affinity"));
    affinity.remove("nodeAffinity");
    pod.set("affinity", affinity);
    for (String containers : List.of("containers", "initContainers")) {
      pod.set(containers, withoutResources(pod.path(containers)));
    }
    ObjectNode metadata = Trees.fresh(Trees.object(template, "metadata"));
    metadata.remove(List.of("labels", "annotations"));
    ObjectNode fixed = Trees.empty();
    fixed.set("metadata", metadata);
    fixed.set("spec", pod);
    return fixed;
  }

  private static ArrayNode withoutResources(JsonNode containers) {
    ArrayNode without = JsonNodeFactory.instance.arrayNode();
    for (JsonNode container : containers) {
      without.add(((ObjectNode) container).deepCopy().without("resources"));
    }
    return without;
  }

  private static FieldError immutable(String field, @Nullable JsonNode value) {
    return FieldError.invalid(field, value, "field is immutable");
  }

  @Override
  public boolean countsGenerations() {
    return true;
  }
}
