// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.schema.FieldError;
import io.github.kueue4j.apiserver.tree.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Default values of pods, which pods, jobs and deployments share. Edits are made on copies. */
final class Defaults {
  private Defaults() {}

  /** A copy of {@code parent} in which the object at {@code field} went through the edit. */
  static ObjectNode edit(ObjectNode parent, String field, UnaryOperator<ObjectNode> edit) {
    return Trees.with(parent, field, edit.apply(Trees.fresh(Trees.object(parent, field))));
  }

  static void absent(ObjectNode fresh, String field, String value) {
    if (!fresh.hasNonNull(field)) {
      fresh.put(field, value);
    }
  }

  static void absent(ObjectNode fresh, String field, int value) {
    if (!fresh.hasNonNull(field)) {
      fresh.put(field, value);
    }
  }

  static void absent(ObjectNode fresh, String field, boolean value) {
    if (!fresh.hasNonNull(field)) {
      fresh.put(field, value);
    }
  }

  static void absentObject(ObjectNode fresh, String field) {
    if (!fresh.hasNonNull(field)) {
      fresh.putObject(field);
    }
  }

  /** Fills a fresh pod spec; a container list is replaced by an edited copy. */
  static ObjectNode podSpec(ObjectNode fresh) {
    containers(fresh, "containers");
    containers(fresh, "initContainers");
    absent(fresh, "restartPolicy", "Always");
    absent(fresh, "terminationGracePeriodSeconds", 30);
    absent(fresh, "dnsPolicy", "ClusterFirst");
    absentObject(fresh, "securityContext");
    absent(fresh, "schedulerName", "default-scheduler");
    return fresh;
  }

  /** The same for the template of a job or deployment's spec. */
  static void template(ObjectNode freshSpec) {
    if (freshSpec.get("template") instanceof ObjectNode template) {
      ObjectNode copy = Trees.fresh(template);
      if (!(copy.get("metadata") instanceof ObjectNode)) {
        copy.putObject("metadata");
      }
      if (copy.get("spec") instanceof ObjectNode podSpec) {
        copy.set("spec", podSpec(Trees.fresh(podSpec)));
      }
      freshSpec.set("template", copy);
    }
  }

  /**
   * Sets the requests of pods themselves, not of templates: a limit without a request is also the
   * request.
   */
  static void limitsAsRequests(ObjectNode freshPodSpec) {
    for (String field : List.of("containers", "initContainers")) {
      if (freshPodSpec.get(field) instanceof ArrayNode containers) {
        for (JsonNode container : containers) {
          if (container instanceof ObjectNode copy) {
            limitsAsRequestsOf(copy);
          }
        }
      }
    }
  }

  private static void containers(ObjectNode fresh, String field) {
    if (!(fresh.get(field) instanceof ArrayNode containers)) {
      return;
    }
    ArrayNode copies = JsonNodeFactory.instance.arrayNode();
    for (JsonNode container : containers) {
      if (container instanceof ObjectNode original) {
        ObjectNode copy = Trees.fresh(original);
        absentObject(copy, "resources");
        absent(copy, "terminationMessagePath", "/dev/termination-log");
        absent(copy, "terminationMessagePolicy", "File");
        absent(copy, "imagePullPolicy", pullPolicy(Trees.text(copy, "image")));
        copies.add(copy);
      } else {
        copies.add(container);
      }
    }
    fresh.set(field, copies);
  }

  private static void limitsAsRequestsOf(ObjectNode freshContainer) {
    ObjectNode resources = Trees.object(freshContainer, "resources");
    ObjectNode limits = Trees.object(resources, "limits");
    ObjectNode requests = Trees.fresh(Trees.object(resources, "requests"));
    limits
        .properties()
        .forEach(
            limit -> {
              if (!requests.has(limit.getKey())) {
                requests.set(limit.getKey(), limit.getValue());
              }
            });
    if (!limits.isEmpty()) {
      freshContainer.set("resources", Trees.with(resources, "requests", requests));
    }
  }

  private static String pullPolicy(String image) {
    String last = image.substring(image.lastIndexOf('/') + 1);
    boolean latest = !last.contains("@") && (!last.contains(":") || last.endsWith(":latest"));
    return latest ? "Always" : "IfNotPresent";
  }

  /** Checks a pod spec, as far as it is checked. */
  static List<FieldError> checkPodSpec(@Nullable JsonNode podSpec, String path) {
    List<FieldError> errors = new ArrayList<>();
    JsonNode containers = podSpec == null ? null : podSpec.get("containers");
    if (containers == null || containers.isEmpty()) {
      errors.add(FieldError.required(path + ".containers", ""));
      return errors;
    }
    for (int i = 0; i < containers.size(); i++) {
      String at = path + ".containers[" + i + "]";
      if (Trees.text(containers.get(i), "name").isEmpty()) {
        errors.add(FieldError.required(at + ".name", ""));
      }
      if (Trees.text(containers.get(i), "image").isEmpty()) {
        errors.add(FieldError.required(at + ".image", ""));
      }
    }
    return errors;
  }
}
