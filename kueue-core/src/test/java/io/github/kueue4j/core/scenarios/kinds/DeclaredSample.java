// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.kinds;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.jobs.FieldPath;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.declared.DeclaredJob;
import io.github.kueue4j.jobs.declared.DeclaredKind;
import io.github.kueue4j.jobs.testing.FromYaml;
import io.github.kueue4j.runtime.patch.JsonPatch;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * An object of a declared kind as its users write it, and the statuses that its controller writes.
 */
record DeclaredSample(JobKind<DeclaredJob> kind, JsonObject facts) {
  static final ObjectKey KEY = TestCluster.key("train");

  static DeclaredSample read(String name) {
    JsonObject tree = resource(name + ".yaml").orElseThrow();
    return new DeclaredSample(kindOf(tree.getAsJsonObject("object")), tree);
  }

  private static Optional<JsonObject> resource(String name) {
    try (InputStream file = DeclaredSample.class.getResourceAsStream(name)) {
      return file == null
          ? Optional.empty()
          : Optional.of(
              JsonParser.parseString(
                      FromYaml.json(new String(file.readAllBytes(), StandardCharsets.UTF_8)))
                  .getAsJsonObject());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + name, e);
    }
  }

  /**
   * A sample of a kind of a user's.
   *
   * @param facts as JSON, with the object at least
   */
  static DeclaredSample of(DeclaredKind kind, String facts) {
    return new DeclaredSample(kind, JsonParser.parseString(facts).getAsJsonObject());
  }

  private static DeclaredKind kindOf(JsonObject object) {
    return Configuration.defaults().integrations().kinds().all().stream()
        .filter(kind -> kind.type().kind().equals(object.get("kind").getAsString()))
        .map(DeclaredKind.class::cast)
        .findFirst()
        .orElseThrow();
  }

  ResourceType<DeclaredJob> type() {
    return kind.type();
  }

  /** The configuration of a core that manages another kind, too. */
  String configurationWith(DeclaredSample other) {
    return configuration()
        .replace(kind.framework(), kind.framework() + ", " + other.kind.framework());
  }

  String configuration() {
    return """
        waitForPodsReady: {timeout: 1h}
        resources: {excludeResourcePrefixes: [memory]}
        integrations: {frameworks: [%s]}
        """
        .formatted(kind.framework());
  }

  /** A cluster that serves the kind, with a queue. */
  TestCluster cluster(String quota) {
    TestCluster cluster = new TestCluster();
    install(cluster);
    cluster.queue("", quota);
    return cluster;
  }

  void install(TestCluster cluster) {
    cluster.server.applyCrds(List.of(definition()));
  }

  /** With the schema that the kind is installed with, if it is built in. */
  private String definition() {
    return resource("schemas/" + type().kind().toLowerCase(Locale.ROOT) + ".yaml")
        .map(schema -> definition(schema.toString()))
        .orElseGet(this::definitionOfAnything);
  }

  /** A definition by which the API server refuses nothing, and drops nothing. */
  String definitionOfAnything() {
    return definition("{type: object, x-kubernetes-preserve-unknown-fields: true}");
  }

  private String definition(String schema) {
    return """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: %1$s.%2$s}
        spec:
          group: %2$s
          names: {kind: %3$s, listKind: %3$sList, plural: %1$s, singular: %4$s}
          scope: Namespaced
          versions:
            - name: %5$s
              served: true
              storage: true
              subresources: {status: {}}
              schema:
                openAPIV3Schema: %6$s
        """
        .formatted(
            type().plural(),
            type().group(),
            type().kind(),
            type().kind().toLowerCase(Locale.ROOT),
            type().version(),
            schema);
  }

  /** As that of an older version of the kind, of which nothing is known but its spec's others. */
  String definitionWithoutSuspension() {
    return definition(
        """
        {type: object, properties: {
          status: {type: object, x-kubernetes-preserve-unknown-fields: true},
          spec: {type: object, properties: {
            upgradeStrategy: {type: object, x-kubernetes-preserve-unknown-fields: true},
            rayClusterConfig: {type: object, x-kubernetes-preserve-unknown-fields: true}}}}}
        """
            .strip()
            .replaceAll("\\s+", " "));
  }

  String object() {
    return facts.get("object").toString();
  }

  /**
   * The object by another name.
   *
   * @param changes as YAML; an object is merged, anything else replaced
   * @param replicas of its first group of workers
   */
  String object(String name, String changes, int replicas) {
    JsonObject object = facts.getAsJsonObject("object").deepCopy();
    merge(object, JsonParser.parseString(FromYaml.json(changes)).getAsJsonObject());
    FieldPath.parse("metadata.name").set(object, new JsonPrimitive(name));
    FieldPath.of("spec", "workerGroupSpecs", "0", "replicas")
        .set(object, new JsonPrimitive(replicas));
    return object.toString();
  }

  private static void merge(JsonObject into, JsonObject changes) {
    changes
        .asMap()
        .forEach(
            (name, value) -> {
              if (value instanceof JsonObject inner && into.get(name) instanceof JsonObject known) {
                merge(known, inner);
              } else {
                into.add(name, value);
              }
            });
  }

  String unsuspended() {
    JsonObject object = facts.getAsJsonObject("object").deepCopy();
    kind.suspendField().orElseThrow().set(object, new JsonPrimitive(false));
    return object.toString();
  }

  Map<String, Integer> podSets() {
    Map<String, Integer> counts = new TreeMap<>();
    facts
        .getAsJsonObject("podSets")
        .asMap()
        .forEach((name, count) -> counts.put(name, count.getAsInt()));
    return counts;
  }

  boolean ends() {
    return facts.get("finished") instanceof JsonObject;
  }

  /** The object as a server has it, with this status if there is one. */
  DeclaredJob stored(String status) {
    JsonObject object = facts.getAsJsonObject("object").deepCopy();
    FieldPath.parse("metadata.uid").set(object, new JsonPrimitive("u"));
    FieldPath.parse("metadata.resourceVersion").set(object, new JsonPrimitive("1"));
    if (facts.get(status) instanceof JsonObject known) {
      object.add("status", known);
    }
    return KueueJson.fromTree(object, type());
  }

  DeclaredJob read(TestCluster cluster) {
    return cluster.api.get(type(), KEY).orElseThrow();
  }

  JsonElement spec(TestCluster cluster) {
    return KueueJson.toTree(read(cluster)).getAsJsonObject().get("spec");
  }

  boolean suspended(TestCluster cluster) {
    return suspended(cluster, KEY.name());
  }

  boolean suspended(TestCluster cluster, String name) {
    return kind.suspended(cluster.api.get(type(), TestCluster.key(name)).orElseThrow());
  }

  /** All pod templates of the object, wherever they are, as its controller gives them to pods. */
  List<JsonObject> templates(TestCluster cluster) {
    List<JsonObject> found = new ArrayList<>();
    if (spec(cluster).getAsJsonObject().get("components") instanceof JsonArray components) {
      components.forEach(
          component -> found.addAll(PlayedAppWrapper.templates(component.getAsJsonObject())));
    } else {
      collect(spec(cluster), found);
    }
    return found;
  }

  static void collect(JsonElement element, List<JsonObject> found) {
    if (element instanceof JsonObject object) {
      if (object.get("spec") instanceof JsonObject spec && spec.has("containers")) {
        found.add(object);
        return;
      }
      object.asMap().values().forEach(value -> collect(value, found));
    } else if (element.isJsonArray()) {
      element.getAsJsonArray().forEach(item -> collect(item, found));
    }
  }

  /** Its controller writes this status in place of the one before. */
  void patchStatus(TestCluster cluster, String name) {
    cluster.api.patchStatus(
        type(),
        KEY,
        new JsonPatch(
            List.of(new JsonPatch.Operation(JsonPatch.Kind.ADD, "/status", facts.get(name)))));
  }
}
