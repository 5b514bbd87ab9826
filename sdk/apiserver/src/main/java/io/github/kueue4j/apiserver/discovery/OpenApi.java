// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.discovery;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.kinds.ResourceRegistry;
import io.github.kueue4j.apiserver.kinds.ServedResource;
import io.github.kueue4j.apiserver.tree.Trees;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * As much OpenAPI as kubectl and Helm need: which kinds can be patched with server-side field
 * validation, and the schemas of custom resources for {@code kubectl explain}.
 */
@API(status = API.Status.INTERNAL)
public final class OpenApi {
  static final String GVK = "x-kubernetes-group-version-kind";

  private final ResourceRegistry registry;

  public OpenApi(ResourceRegistry registry) {
    this.registry = registry;
  }

  /** What {@code GET /openapi/v3} answers: one document for each group and version. */
  public ObjectNode index() {
    ObjectNode index = Trees.empty();
    ObjectNode paths = index.putObject("paths");
    registry
        .groups()
        .forEach(
            (group, versions) ->
                versions.forEach(
                    version -> {
                      String path =
                          group.isEmpty() ? "api/" + version : "apis/" + group + "/" + version;
                      String hash = document(path).map(OpenApi::hash).orElse("");
                      paths
                          .putObject(path)
                          .put("serverRelativeURL", "/openapi/v3/" + path + "?hash=" + hash);
                    }));
    return index;
  }

  private static String hash(ObjectNode document) {
    return HexFormat.of().withUpperCase().toHexDigits(document.hashCode());
  }

  /**
   * The document of one group and version.
   *
   * @param path {@code api/v1} or {@code apis/GROUP/VERSION}
   */
  public Optional<ObjectNode> document(String path) {
    String[] parts = path.split("/", -1);
    List<ServedResource> resources = new ArrayList<>();
    if (parts.length == 2 && parts[0].equals("api")) {
      resources.addAll(registry.resources("", parts[1]));
    } else if (parts.length == 3 && parts[0].equals("apis")) {
      resources.addAll(registry.resources(parts[1], parts[2]));
    }
    if (resources.isEmpty()) {
      return Optional.empty();
    }
    ObjectNode document = Trees.empty();
    document.put("openapi", "3.0.0");
    document.putObject("info").put("title", "Kubernetes").put("version", "v1.33.0");
    ObjectNode paths = document.putObject("paths");
    ObjectNode schemas = document.putObject("components").putObject("schemas");
    for (ServedResource resource : resources) {
      String base =
          "/"
              + path
              + (resource.namespaced() ? "/namespaces/{namespace}/" : "/")
              + resource.plural();
      operation(paths.putObject(base), "post", resource);
      ObjectNode item = paths.putObject(base + "/{name}");
      operation(item, "get", resource);
      operation(item, "put", resource);
      operation(item, "patch", resource);
      operation(item, "delete", resource);
      schemas.set(schemaName(resource), schema(resource));
    }
    return Optional.of(document);
  }

  private static void operation(ObjectNode path, String method, ServedResource resource) {
    ObjectNode operation = path.putObject(method);
    operation.put("operationId", method + resource.kind());
    var parameters = operation.putArray("parameters");
    if (!method.equals("get")) {
      parameters.add(parameter("dryRun"));
    }
    if (method.equals("post") || method.equals("put") || method.equals("patch")) {
      parameters.add(parameter("fieldManager"));
      parameters.add(parameter("fieldValidation"));
      operation
          .putObject("requestBody")
          .putObject("content")
          .putObject(method.equals("patch") ? "application/merge-patch+json" : "application/json")
          .putObject("schema")
          .put("$ref", "#/components/schemas/" + schemaName(resource));
    }
    operation
        .putObject("responses")
        .putObject("200")
        .put("description", "OK")
        .putObject("content")
        .putObject("application/json")
        .putObject("schema")
        .put("$ref", "#/components/schemas/" + schemaName(resource));
    operation.put("x-kubernetes-action", method);
    operation.set(GVK, coordinates(resource));
  }

  private static ObjectNode parameter(String name) {
    ObjectNode parameter = Trees.empty();
    parameter.put("name", name).put("in", "query");
    parameter.putObject("schema").put("type", "string").put("uniqueItems", true);
    return parameter;
  }

  private static ObjectNode schema(ServedResource resource) {
    ObjectNode given = resource.schema();
    ObjectNode schema = given == null ? Trees.empty() : Trees.fresh(given);
    if (given == null) {
      schema.put("type", "object");
      ObjectNode properties = schema.putObject("properties");
      properties.putObject("apiVersion").put("type", "string");
      properties.putObject("kind").put("type", "string");
      properties.putObject("metadata").put("type", "object");
      schema.put("x-kubernetes-preserve-unknown-fields", true);
    }
    schema.putArray(GVK).add(coordinates(resource));
    return schema;
  }

  static ObjectNode coordinates(ServedResource resource) {
    ObjectNode coordinates = Trees.empty();
    coordinates.put("group", resource.group());
    coordinates.put("kind", resource.kind());
    coordinates.put("version", resource.version());
    return coordinates;
  }

  private static String schemaName(ServedResource resource) {
    List<String> parts = new ArrayList<>();
    if (resource.group().isEmpty()) {
      parts.addAll(List.of("core", "api", "k8s", "io"));
    } else {
      parts.addAll(List.of(resource.group().split("\\.", -1)));
    }
    Collections.reverse(parts);
    return String.join(".", parts) + "." + resource.version() + "." + resource.kind();
  }
}
