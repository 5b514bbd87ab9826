// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.schema.FieldError;
import io.github.kueue4j.apiserver.tree.Trees;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Pods: defaults, and of the immutable spec the part that a scheduler must not touch twice. */
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
          return status;
        });
  }

  @Override
  public List<FieldError> validate(ObjectNode object, @Nullable ObjectNode old) {
    List<FieldError> errors = Defaults.checkPodSpec(object.get("spec"), "spec");
    if (old != null) {
      JsonNode before = Trees.at(old, "spec.containers");
      JsonNode after = Trees.at(object, "spec.containers");
      if (before != null && after != null && before.size() != after.size()) {
        errors.add(
            new FieldError(
                "spec.containers",
                FieldError.ErrorType.FORBIDDEN,
                null,
                "pod updates may not add or remove containers"));
      }
      String node = Trees.text(Trees.object(old, "spec"), "nodeName");
      String newNode = Trees.text(Trees.object(object, "spec"), "nodeName");
      if (!node.isEmpty() && !Objects.equals(node, newNode)) {
        errors.add(
            new FieldError(
                "spec",
                FieldError.ErrorType.FORBIDDEN,
                null,
                "pod updates may not change fields other than `spec.containers[*].image`,"
                    + "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,"
                    + "`spec.tolerations` (only additions to existing tolerations),"
                    + "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was"
                    + " previously negative)"));
      }
    }
    return errors;
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
