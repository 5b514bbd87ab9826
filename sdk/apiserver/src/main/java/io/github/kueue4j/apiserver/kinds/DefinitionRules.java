// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.schema.FieldError;
import io.github.kueue4j.apiserver.tree.Trees;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * CustomResourceDefinitions: checked, and established at once, since the server serves them before
 * it answers. A conflict of names between definitions is not looked for.
 */
final class DefinitionRules extends BuiltInRules {
  private static final String FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

  @Override
  public ObjectNode prepare(ObjectNode incoming) {
    return Defaults.edit(
        incoming,
        "spec",
        spec -> {
          Defaults.absentObject(spec, "names");
          ObjectNode names = Trees.fresh(Trees.object(spec, "names"));
          String kind = Trees.text(names, "kind");
          if (!kind.isEmpty()) {
            Defaults.absent(names, "singular", kind.toLowerCase(Locale.ROOT));
            Defaults.absent(names, "listKind", kind + "List");
          }
          spec.set("names", names);
          if (!spec.hasNonNull("conversion")) {
            spec.putObject("conversion").put("strategy", "None");
          }
          return spec;
        });
  }

  @Override
  public ObjectNode complete(ObjectNode object, @Nullable ObjectNode old, Instant now) {
    ObjectNode result = object;
    if (old == null) {
      result =
          Defaults.edit(
              result,
              "metadata",
              metadata -> {
                ArrayNode finalizers = metadata.arrayNode();
                metadata.path("finalizers").forEach(finalizers::add);
                finalizers.add(FINALIZER);
                metadata.set("finalizers", finalizers);
                return metadata;
              });
    }
    ObjectNode spec = Trees.object(result, "spec");
    return Defaults.edit(
        result,
        "status",
        status -> {
          if (!status.has("conditions")) {
            ArrayNode conditions = status.putArray("conditions");
            condition(conditions, now, "NamesAccepted", "NoConflicts", "no conflicts found");
            condition(
                conditions,
                now,
                "Established",
                "InitialNamesAccepted",
                "the initial names have been accepted");
          }
          status.set("acceptedNames", Trees.object(spec, "names"));
          status.set("storedVersions", storedVersions(spec, status));
          return status;
        });
  }

  private static void condition(
      ArrayNode conditions, Instant now, String type, String reason, String message) {
    conditions
        .addObject()
        .put("type", type)
        .put("status", "True")
        .put("lastTransitionTime", Trees.time(now))
        .put("reason", reason)
        .put("message", message);
  }

  private static ArrayNode storedVersions(ObjectNode spec, ObjectNode status) {
    List<String> versions = new ArrayList<>();
    status.path("storedVersions").forEach(version -> versions.add(version.asText()));
    for (JsonNode version : spec.path("versions")) {
      String name = Trees.text(version, "name");
      if (version.path("storage").asBoolean() && !versions.contains(name)) {
        versions.add(name);
      }
    }
    ArrayNode result = spec.arrayNode();
    versions.forEach(result::add);
    return result;
  }

  @Override
  public List<FieldError> validate(ObjectNode object, @Nullable ObjectNode old) {
    return switch (CustomResourceDefinition.read(object, VersionConverter.Webhooks.NONE)) {
      case CustomResourceDefinition.Accepted accepted -> List.of();
      case CustomResourceDefinition.InvalidDefinition invalidDefinition ->
          invalidDefinition.errors();
    };
  }

  @Override
  public boolean countsGenerations() {
    return true;
  }
}
