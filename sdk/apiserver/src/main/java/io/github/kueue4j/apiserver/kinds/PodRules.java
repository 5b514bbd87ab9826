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
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Pods: defaults, and of the immutable spec the node and what decides where a pod may run. Gates
 * can only be removed, tolerations only be added, and node selectors only be added while there is a
 * gate (KEP-3521, KEP-3838).
 */
final class PodRules extends BuiltInRules {

  @Override
  public ObjectNode prepare(ObjectNode incoming) {
    return Defaults.edit(
        incoming,
        "spec",
        spec -> {
          Defaults.podSpec(spec);
          Defaults.limitsAsRequests(spec);
          Defaults.absent(spec, "enableServiceLinks", true);
          return spec;
        });
  }

  @Override
  public ObjectNode complete(ObjectNode object, @Nullable ObjectNode old, Instant now) {
    if (old != null) {
      return object;
    }
    return Defaults.edit(
        object,
        "status",
        status -> {
          Defaults.absent(status, "phase", "Pending");
          Defaults.absent(status, "qosClass", qualityOfService(Trees.object(object, "spec")));
          if (gated(Trees.object(object, "spec")) && !status.has("conditions")) {
            status.set("conditions", gatedConditions());
          }
          return status;
        });
  }

  @Override
  public List<FieldError> validate(ObjectNode object, @Nullable ObjectNode old) {
    List<FieldError> errors = Defaults.checkPodSpec(object.get("spec"), "spec");
    if (old == null && gated(Trees.object(object, "spec"))) {
      if (!Trees.text(Trees.object(object, "spec"), "nodeName").isEmpty()) {
        errors.add(
            FieldError.forbidden(
                "spec.nodeName", "cannot be set until all schedulingGates have been cleared"));
      }
    }
    if (old != null) {
      checkPlacement(Trees.object(old, "spec"), Trees.object(object, "spec"), errors);
      JsonNode before = Trees.at(old, "spec.containers");
      JsonNode after = Trees.at(object, "spec.containers");
      if (before != null && after != null && before.size() != after.size()) {
        errors.add(
            FieldError.forbidden(
                "spec.containers", "pod updates may not add or remove containers"));
      }
      String node = Trees.text(Trees.object(old, "spec"), "nodeName");
      String newNode = Trees.text(Trees.object(object, "spec"), "nodeName");
      if (!node.isEmpty() && !Objects.equals(node, newNode)) {
        errors.add(unchangeable());
      }
    }
    return errors;
  }

  private static FieldError unchangeable() {
    return FieldError.forbidden(
        "spec",
        "pod updates may not change fields other than `spec.containers[*].image`,"
            + "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,"
            + "`spec.tolerations` (only additions to existing tolerations),"
            + "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was"
            + " previously negative)");
  }

  private static boolean gated(ObjectNode spec) {
    return !spec.path("schedulingGates").isEmpty();
  }

  private static ArrayNode gatedConditions() {
    ArrayNode conditions = JsonNodeFactory.instance.arrayNode();
    conditions
        .addObject()
        .put("type", "PodScheduled")
        .put("status", "False")
        .put("reason", "SchedulingGated")
        .put("message", "Scheduling is blocked due to non-empty scheduling gates");
    return conditions;
  }

  private static void checkPlacement(ObjectNode before, ObjectNode after, List<FieldError> errors) {
    Set<String> known = new HashSet<>();
    before.path("schedulingGates").forEach(gate -> known.add(gate.path("name").asText()));
    int index = 0;
    for (JsonNode gate : after.path("schedulingGates")) {
      String name = gate.path("name").asText();
      if (!known.contains(name)) {
        errors.add(
            FieldError.forbidden(
                "spec.schedulingGates[" + index + "].name",
                "only deletion is allowed, but found new scheduling gate '" + name + "'"));
      }
      index++;
    }
    Set<JsonNode> tolerated = withoutSeconds(after.path("tolerations"));
    if (!tolerated.containsAll(withoutSeconds(before.path("tolerations")))) {
      errors.add(
          FieldError.forbidden(
              "spec.tolerations",
              "existing toleration can not be modified except its tolerationSeconds"));
    }
    ObjectNode selector = Trees.object(after, "nodeSelector");
    ObjectNode earlier = Trees.object(before, "nodeSelector");
    if (!gated(before) && !selector.equals(earlier)) {
      errors.add(unchangeable());
    } else if (!selector.properties().containsAll(earlier.properties())) {
      errors.add(
          FieldError.invalid(
              "spec.nodeSelector",
              selector,
              "only additions to spec.nodeSelector are allowed (no mutations or deletions)"));
    }
  }

  private static Set<JsonNode> withoutSeconds(JsonNode tolerations) {
    Set<JsonNode> without = new HashSet<>();
    tolerations.forEach(
        each -> without.add(((ObjectNode) each).deepCopy().without("tolerationSeconds")));
    return without;
  }

  private static String qualityOfService(ObjectNode spec) {
    boolean any = false;
    boolean guaranteed = true;
    for (JsonNode container : spec.path("containers")) {
      JsonNode requests = container.path("resources").path("requests");
      JsonNode limits = container.path("resources").path("limits");
      any |= !requests.isEmpty() || !limits.isEmpty();
      guaranteed &=
          limits.has("cpu")
              && limits.has("memory")
              && (requests.isEmpty() || same(requests, limits));
    }
    return !any ? "BestEffort" : guaranteed ? "Guaranteed" : "Burstable";
  }

  private static boolean same(JsonNode requests, JsonNode limits) {
    return requests.path("cpu").equals(limits.path("cpu"))
        && requests.path("memory").equals(limits.path("memory"));
  }
}
