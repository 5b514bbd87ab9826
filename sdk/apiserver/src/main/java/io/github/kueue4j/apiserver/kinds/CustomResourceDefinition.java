// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.schema.CompiledSchema;
import io.github.kueue4j.apiserver.schema.FieldError;
import io.github.kueue4j.apiserver.schema.SchemaCompilation;
import io.github.kueue4j.apiserver.tree.Trees;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Reads a CustomResourceDefinition: either what it makes the server serve, or what is wrong. */
@API(status = API.Status.INTERNAL)
public final class CustomResourceDefinition {

  /** The result of reading a definition. */
  public sealed interface ReadDefinition {}

  /** The versions that the definition serves. */
  public record Accepted(List<ServedResource> resources) implements ReadDefinition {}

  /** The problem with a definition; never empty. */
  public record InvalidDefinition(List<FieldError> errors) implements ReadDefinition {}

  /** Compiling CEL rules is slow and many servers of one test run get the same definitions. */
  private static final Map<ObjectNode, SchemaCompilation> COMPILED =
      Collections.synchronizedMap(
          new LinkedHashMap<>(64, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<ObjectNode, SchemaCompilation> eldest) {
              return size() > 200;
            }
          });

  private final ObjectNode spec;
  private final ObjectNode names;
  private final String crdName;
  private final VersionConverter.Webhooks webhooks;
  private final List<FieldError> errors = new ArrayList<>();

  private CustomResourceDefinition(ObjectNode definition, VersionConverter.Webhooks webhooks) {
    this.webhooks = webhooks;
    this.spec = Trees.object(definition, "spec");
    this.names = Trees.object(spec, "names");
    this.crdName = Trees.name(definition);
  }

  /**
   * Reads a definition.
   *
   * @param webhooks finds the converter if the definition asks for one
   */
  public static ReadDefinition read(ObjectNode definition, VersionConverter.Webhooks webhooks) {
    return new CustomResourceDefinition(definition, webhooks).read();
  }

  /** Whether the definition is being deleted, so that no objects may be added. */
  public static boolean terminating(ObjectNode definition) {
    return Trees.deleting(definition);
  }

  private ReadDefinition read() {
    String group = required(spec, "group", "spec.group");
    String plural = required(names, "plural", "spec.names.plural");
    String kind = required(names, "kind", "spec.names.kind");
    if (!group.isEmpty() && !plural.isEmpty() && !crdName.equals(plural + "." + group)) {
      error(
          "metadata.name",
          FieldError.ErrorType.INVALID,
          crdName,
          "must be spec.names.plural+\".\"+spec.group");
    }
    String scope = required(spec, "scope", "spec.scope");
    if (!scope.isEmpty() && !Set.of("Cluster", "Namespaced").contains(scope)) {
      error(
          "spec.scope",
          FieldError.ErrorType.NOT_SUPPORTED,
          scope,
          "supported values: \"Cluster\", \"Namespaced\"");
    }
    List<JsonNode> versions = new ArrayList<>();
    spec.path("versions").forEach(versions::add);
    if (versions.isEmpty()) {
      errors.add(FieldError.required("spec.versions", "must have versions"));
    }
    long storing = versions.stream().filter(v -> v.path("storage").asBoolean()).count();
    if (!versions.isEmpty() && storing != 1) {
      error(
          "spec.versions",
          FieldError.ErrorType.INVALID,
          "versions",
          "must have exactly one version marked as storage version");
    }
    checkConversion(Trees.object(spec, "conversion"));
    List<ServedResource> resources = new ArrayList<>();
    for (int i = 0; i < versions.size(); i++) {
      if (versions.get(i) instanceof ObjectNode version) {
        ServedResource resource =
            version(version, "spec.versions[" + i + "]", group, plural, kind, scope);
        if (resource != null && version.path("served").asBoolean()) {
          resources.add(resource);
        }
      }
    }
    return errors.isEmpty() ? new Accepted(resources) : new InvalidDefinition(List.copyOf(errors));
  }

  private void checkConversion(ObjectNode conversion) {
    String strategy = Trees.text(conversion, "strategy");
    if (!Set.of("", "None", "Webhook").contains(strategy)) {
      error(
          "spec.conversion.strategy",
          FieldError.ErrorType.NOT_SUPPORTED,
          strategy,
          "supported values: \"None\", \"Webhook\"");
    }
    if (strategy.equals("Webhook")) {
      JsonNode webhook = conversion.path("webhook");
      if (webhook.path("clientConfig").isObject()) {
        ClientConfigs.check(
            webhook.path("clientConfig"), "spec.conversion.webhook.clientConfig", errors);
      } else {
        errors.add(
            FieldError.required(
                "spec.conversion.webhook.clientConfig",
                "required when strategy is set to Webhook"));
      }
      if (webhook.path("conversionReviewVersions").isEmpty()) {
        errors.add(FieldError.required("spec.conversion.webhook.conversionReviewVersions", ""));
      }
    }
  }

  private @Nullable ServedResource version(
      ObjectNode version, String path, String group, String plural, String kind, String scope) {
    String name = required(version, "name", path + ".name");
    if (!(version.path("schema").get("openAPIV3Schema") instanceof ObjectNode schema)) {
      errors.add(FieldError.required(path + ".schema.openAPIV3Schema", "schemas are required"));
      return null;
    }
    SchemaCompilation compilation =
        COMPILED.computeIfAbsent(
            schema, key -> CompiledSchema.compile(key, path + ".schema.openAPIV3Schema"));
    return switch (compilation) {
      case SchemaCompilation.Refused refused -> {
        errors.addAll(refused.errors());
        yield null;
      }
      case SchemaCompilation.Compiled compiled -> {
        ObjectRules rules =
            new CustomRules(compiled.schema(), spec.path("preserveUnknownFields").asBoolean());
        yield new ServedResource(
            group,
            name,
            new ServedResource.Names(
                plural,
                orElse(Trees.text(names, "singular"), kind.toLowerCase(Locale.ROOT)),
                kind,
                orElse(Trees.text(names, "listKind"), kind + "List"),
                texts(names.path("shortNames")),
                texts(names.path("categories"))),
            scope.equals("Namespaced"),
            group + "/" + plural,
            subresources(version),
            selectable(version),
            columns(version),
            schema,
            warning(version, group, name, kind),
            true,
            rules,
            conversion(group, name, rules));
      }
    };
  }

  private Conversion conversion(String group, String version, ObjectRules rules) {
    if (spec.path("versions").size() == 1) {
      return Conversion.NONE;
    }
    ObjectNode conversion = Trees.object(spec, "conversion");
    boolean webhook = Trees.text(conversion, "strategy").equals("Webhook");
    return new CustomConversion(
        group + "/" + version,
        group + "/" + storageVersion(),
        webhook ? webhooks.of(Trees.object(conversion, "webhook")) : VersionConverter.RENAMING,
        !webhook,
        rules);
  }

  private String storageVersion() {
    for (JsonNode version : spec.path("versions")) {
      if (version.path("storage").asBoolean()) {
        return Trees.text(version, "name");
      }
    }
    return "";
  }

  private static Set<String> subresources(ObjectNode version) {
    Set<String> result = new LinkedHashSet<>();
    if (version.path("subresources").has("status")) {
      result.add("status");
    }
    return result;
  }

  private static Set<String> selectable(ObjectNode version) {
    Set<String> result = new LinkedHashSet<>();
    for (JsonNode field : version.path("selectableFields")) {
      String path = Trees.text(field, "jsonPath");
      result.add(path.startsWith(".") ? path.substring(1) : path);
    }
    return result;
  }

  private static List<PrinterColumn> columns(ObjectNode version) {
    List<PrinterColumn> columns = new ArrayList<>();
    for (JsonNode column : version.path("additionalPrinterColumns")) {
      columns.add(
          new PrinterColumn(
              Trees.text(column, "name"),
              Trees.text(column, "type"),
              Trees.text(column, "format"),
              Trees.text(column, "description"),
              column.path("priority").asInt(),
              Trees.text(column, "jsonPath")));
    }
    return columns;
  }

  private static String warning(ObjectNode version, String group, String name, String kind) {
    if (!version.path("deprecated").asBoolean()) {
      return "";
    }
    return orElse(
        Trees.text(version, "deprecationWarning"),
        group + "/" + name + " " + kind + " is deprecated");
  }

  private String required(ObjectNode parent, String field, String path) {
    String value = Trees.text(parent, field);
    if (value.isEmpty()) {
      errors.add(FieldError.required(path, ""));
    }
    return value;
  }

  private void error(String field, FieldError.ErrorType errorType, String value, String detail) {
    errors.add(new FieldError(field, errorType, JsonNodeFactory.instance.textNode(value), detail));
  }

  private static String orElse(String text, String otherwise) {
    return text.isEmpty() ? otherwise : text;
  }

  private static List<String> texts(JsonNode array) {
    List<String> result = new ArrayList<>();
    array.forEach(element -> result.add(element.asText()));
    return result;
  }
}
