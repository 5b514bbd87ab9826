// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.discovery;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.github.kueue4j.apiserver.kinds.ResourceRegistry;
import io.github.kueue4j.apiserver.kinds.ServedResource;
import io.github.kueue4j.apiserver.tree.Trees;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * The older OpenAPI document, which kubectl asks where version 3 doesn't know a kind: which kinds
 * can be patched with server-side field validation, no schemas. Clients written in Go want it as
 * protobuf, laid out as in gnostic's {@code openapiv2/OpenAPIv2.proto}.
 */
@API(status = API.Status.INTERNAL)
public final class OpenApiV2 {
  private static final List<String> PARAMETERS =
      List.of("dryRun", "fieldManager", "fieldValidation");
  private static final String TITLE = "Kubernetes";
  private static final String VERSION = "v1.33.0";

  private final ResourceRegistry registry;

  public OpenApiV2(ResourceRegistry registry) {
    this.registry = registry;
  }

  private Map<String, ServedResource> paths() {
    Map<String, ServedResource> paths = new TreeMap<>();
    registry
        .groups()
        .forEach(
            (group, versions) ->
                versions.forEach(
                    version ->
                        registry
                            .resources(group, version)
                            .forEach(resource -> paths.put(itemPath(resource), resource))));
    return paths;
  }

  private static String itemPath(ServedResource resource) {
    return (resource.group().isEmpty() ? "/api/" : "/apis/" + resource.group() + "/")
        + resource.version()
        + (resource.namespaced() ? "/namespaces/{namespace}/" : "/")
        + resource.plural()
        + "/{name}";
  }

  /** The document as JSON. */
  public ObjectNode json() {
    ObjectNode document = Trees.empty();
    document.put("swagger", "2.0");
    document.putObject("info").put("title", TITLE).put("version", VERSION);
    ObjectNode paths = document.putObject("paths");
    paths().forEach((path, resource) -> paths.putObject(path).set("patch", patchOf(resource)));
    document.putObject("definitions");
    return document;
  }

  private static ObjectNode patchOf(ServedResource resource) {
    ObjectNode operation = Trees.empty();
    operation.put("operationId", "patch" + resource.kind());
    ArrayNode parameters = operation.putArray("parameters");
    for (String name : PARAMETERS) {
      ObjectNode parameter = parameters.addObject();
      parameter.put("name", name).put("in", "query");
      parameter.put("type", "string").put("uniqueItems", true);
    }
    operation.putObject("responses").putObject("200").put("description", "OK");
    operation.put("x-kubernetes-action", "patch");
    operation.set(OpenApi.GVK, OpenApi.coordinates(resource));
    return operation;
  }

  /** The same document as protobuf. */
  public byte[] protobuf() {
    Message paths = new Message();
    paths().forEach((path, resource) -> paths.add(2, pathItem(path, resource)));
    return new Message()
        .add(1, "2.0")
        .add(2, new Message().add(1, TITLE).add(2, VERSION))
        .add(8, paths)
        .add(9, new Message())
        .bytes()
        .toByteArray();
  }

  private static Message pathItem(String path, ServedResource resource) {
    Message operation = new Message().add(5, "patch" + resource.kind());
    for (String name : PARAMETERS) {
      Message query = new Message().add(2, "query").add(4, name).add(6, "string");
      Message nonBody = new Message().add(3, query);
      operation.add(8, new Message().add(1, new Message().add(2, nonBody)));
    }
    operation.add(13, extension("x-kubernetes-action", "patch\n"));
    // JSON is YAML, which the extensions are written in.
    operation.add(13, extension(OpenApi.GVK, OpenApi.coordinates(resource) + "\n"));
    return new Message().add(1, path).add(2, new Message().add(8, operation));
  }

  private static Message extension(String name, String yaml) {
    return new Message().add(1, name).add(2, new Message().add(2, yaml));
  }

  /** A protobuf message of texts and messages, by field number. */
  private static final class Message {
    private final UnknownFieldSet.Builder fields = UnknownFieldSet.newBuilder();

    Message add(int number, String text) {
      return add(number, ByteString.copyFromUtf8(text));
    }

    Message add(int number, Message message) {
      return add(number, message.bytes());
    }

    private Message add(int number, ByteString bytes) {
      fields.mergeField(
          number, UnknownFieldSet.Field.newBuilder().addLengthDelimited(bytes).build());
      return this;
    }

    ByteString bytes() {
      return fields.build().toByteString();
    }
  }
}
