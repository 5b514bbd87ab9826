// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.kinds.ServedResource;
import io.github.kueue4j.apiserver.objects.DeleteOptions;
import io.github.kueue4j.apiserver.objects.Deletion;
import io.github.kueue4j.apiserver.objects.ObjectOperations;
import io.github.kueue4j.apiserver.objects.WriteOptions;
import io.github.kueue4j.apiserver.objects.WriteResult;
import io.github.kueue4j.apiserver.patch.PatchException;
import io.github.kueue4j.apiserver.patch.Patches;
import io.github.kueue4j.apiserver.selectors.Selector;
import io.github.kueue4j.apiserver.status.ApiErrors;
import io.github.kueue4j.apiserver.status.ApiException;
import io.github.kueue4j.apiserver.status.StatusObject;
import io.github.kueue4j.apiserver.store.Key;
import io.github.kueue4j.apiserver.store.KindStore;
import io.github.kueue4j.apiserver.store.StoredObject;
import io.github.kueue4j.apiserver.tree.Trees;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Answers create, update, patch, delete and deletecollection. */
final class WriteHandler {
  private static final Set<String> ANSWERED_WITH_OBJECT =
      Set.of(
          "pods",
          "podtemplates",
          "services",
          "serviceaccounts",
          "persistentvolumes",
          "persistentvolumeclaims",
          "resourcequotas");

  private static final String APPLY = "application/apply-patch+yaml";

  /** The longest name of a field manager, in characters. */
  private static final int MAX_MANAGER = 128;

  private final ReadHandler reads;
  private final ObjectOperations objects;
  private final Deletion deletion;
  private final PodSubresources pods;

  WriteHandler(
      ReadHandler reads, ObjectOperations objects, Deletion deletion, PodSubresources pods) {
    this.reads = reads;
    this.objects = objects;
    this.deletion = deletion;
    this.pods = pods;
  }

  void create(Exchange exchange, ServedResource resource) throws IOException {
    WriteOptions options = options(exchange);
    MediaType mediaType = exchange.form();
    ObjectNode body = exchange.body().object(strict(options));
    String namespace = exchange.api().namespace();
    if (resource.namespaced() && namespace.isEmpty()) {
      throw ApiErrors.methodNotAllowed(exchange.method());
    }
    WriteResult writeResult = objects.create(resource, namespace, body, options);
    exchange.warn(writeResult.warnings());
    answer(exchange, resource, mediaType, 201, writeResult.object());
  }

  void createSubresource(Exchange exchange, ServedResource resource, Key key) throws IOException {
    ObjectNode body = exchange.body().object(false);
    switch (exchange.api().subresource()) {
      case "binding" -> pods.bind(resource, key, body);
      case "eviction" -> pods.evict(resource, key, body);
      default -> throw ApiErrors.methodNotAllowed(exchange.method());
    }
    exchange.answer(201, StatusObject.success());
  }

  void update(Exchange exchange, ServedResource resource, Key key) throws IOException {
    WriteOptions options = options(exchange);
    MediaType mediaType = exchange.form();
    ObjectNode body = exchange.body().object(strict(options));
    WriteResult writeResult =
        objects.update(resource, key, exchange.api().subresource(), body, options);
    exchange.warn(writeResult.warnings());
    answer(exchange, resource, mediaType, 200, writeResult.object());
  }

  void patch(Exchange exchange, ServedResource resource, Key key) throws IOException {
    WriteOptions options = options(exchange);
    MediaType mediaType = exchange.form();
    Body body = exchange.body();
    String subresource = exchange.api().subresource();
    Query query = exchange.query();
    WriteResult writeResult;
    if (body.mediaType().equals(APPLY)) {
      checkNamesManager(query);
      writeResult =
          objects.apply(
              resource,
              key,
              subresource,
              body.object(strict(options)),
              query.flag("force"),
              options);
    } else {
      if (query.has("force")) {
        throw ApiErrors.invalidPatchOptions(
            "force: Forbidden: may not be specified for non-apply patch");
      }
      UnaryOperator<ObjectNode> patch = patch(resource, body);
      writeResult = objects.patch(resource, key, subresource, patch, body.text(), options);
    }
    exchange.warn(writeResult.warnings());
    int code = writeResult.effect() == WriteResult.Effect.CREATED ? 201 : 200;
    answer(exchange, resource, mediaType, code, writeResult.object());
  }

  private static UnaryOperator<ObjectNode> patch(ServedResource resource, Body body) {
    String supported =
        "application/json-patch+json, application/merge-patch+json"
            + (resource.custom() ? "" : ", application/strategic-merge-patch+json")
            + ", "
            + APPLY;
    switch (body.mediaType()) {
      case "application/json-patch+json", "application/merge-patch+json" -> {}
      case "application/strategic-merge-patch+json" -> {
        if (resource.custom()) {
          throw unsupportedPatch(supported);
        }
      }
      default -> throw unsupportedPatch(supported);
    }
    JsonNode patch = body.json();
    return current -> {
      try {
        return switch (body.mediaType()) {
          case "application/json-patch+json" -> Patches.jsonPatch(current, patch);
          case "application/merge-patch+json" -> Patches.mergePatch(current, patch);
          default ->
              Patches.strategicMergePatch(resource.apiVersion(), resource.kind(), current, patch);
        };
      } catch (PatchException e) {
        throw refusal(e);
      }
    };
  }

  private static ApiException refusal(PatchException e) {
    String message = String.valueOf(e.getMessage());
    return switch (e.kind()) {
      case MALFORMED -> ApiErrors.badRequest(message);
      case NOT_APPLICABLE, TEST_FAILED -> ApiErrors.patchDoesNotFit(message);
    };
  }

  private static ApiException unsupportedPatch(String supported) {
    return ApiErrors.unsupportedMediaType(
        "the body of the request was in an unknown format - accepted media types include: "
            + supported);
  }

  void delete(Exchange exchange, ServedResource resource, Key key) throws IOException {
    DeleteOptions options = deleteOptions(exchange);
    MediaType mediaType = exchange.form();
    WriteResult writeResult = deletion.delete(resource, key, options);
    exchange.warn(writeResult.warnings());
    if (writeResult.gone() && !ANSWERED_WITH_OBJECT.contains(resource.storageName())) {
      exchange.answer(
          200,
          StatusObject.deleted(
              resource.group(), resource.plural(), key.name(), writeResult.object().uid()));
      return;
    }
    answer(exchange, resource, mediaType, 200, writeResult.object());
  }

  void deleteCollection(Exchange exchange, ServedResource resource) throws IOException {
    if (resource.namespaced() && exchange.api().namespace().isEmpty()) {
      throw ApiErrors.methodNotAllowed(exchange.method());
    }
    DeleteOptions options = deleteOptions(exchange);
    Rendering rendering = reads.rendering(exchange, resource, MediaType.OBJECT);
    Selector selector = ReadHandler.selector(exchange, resource);
    KindStore.Snapshot snapshot = objects.storeOf(resource).snapshot(exchange.api().namespace());
    List<StoredObject> deleted = new ArrayList<>();
    for (StoredObject object : snapshot.objects()) {
      if (selector.selects(rendering.served(object))) {
        try {
          deleted.add(deletion.delete(resource, object.key(), options).object());
        } catch (ApiException e) {
          // Another request deleted the object in the meantime, so there is nothing left to do.
          if (e.code() != 404) {
            throw e;
          }
        }
      }
    }
    ObjectNode list = Trees.empty();
    list.put("kind", resource.names().listKind()).put("apiVersion", resource.apiVersion());
    list.putObject("metadata").put("resourceVersion", Long.toString(snapshot.revision()));
    var items = list.putArray("items");
    deleted.forEach(object -> items.add(rendering.served(object)));
    exchange.answer(200, list);
  }

  private void answer(
      Exchange exchange,
      ServedResource resource,
      MediaType mediaType,
      int code,
      StoredObject object)
      throws IOException {
    exchange.answer(
        code, mediaType.contentType(), reads.rendering(exchange, resource, mediaType).one(object));
  }

  private static boolean strict(WriteOptions options) {
    return options.fieldValidation() == WriteOptions.FieldValidation.STRICT;
  }

  private static void checkNamesManager(Query query) {
    if (query.text("fieldManager").isEmpty()) {
      throw ApiErrors.invalidPatchOptions(
          "fieldManager: Required value: is required for apply patch");
    }
  }

  /** The manager that the client names, else the program that it says it is. */
  private static String fieldManager(Exchange exchange) {
    String named = exchange.query().text("fieldManager");
    if (named.length() > MAX_MANAGER) {
      throw ApiErrors.invalidPatchOptions(
          "fieldManager: Too long: may not be more than " + MAX_MANAGER + " bytes");
    }
    if (!named.isEmpty()) {
      return named;
    }
    String program = exchange.api().userAgent().split("/", 2)[0];
    return program.isEmpty()
        ? "unknown"
        : program.substring(0, Math.min(program.length(), MAX_MANAGER));
  }

  private static WriteOptions options(Exchange exchange) {
    Query query = exchange.query();
    WriteOptions.FieldValidation validation =
        switch (query.text("fieldValidation")) {
          case "", "Warn" -> WriteOptions.FieldValidation.WARN;
          case "Strict" -> WriteOptions.FieldValidation.STRICT;
          case "Ignore" -> WriteOptions.FieldValidation.IGNORE;
          default ->
              throw ApiErrors.invalidOptions(
                  "fieldValidation: Unsupported value: \""
                      + query.text("fieldValidation")
                      + "\": supported values: \"Ignore\", \"Strict\", \"Warn\"");
        };
    return new WriteOptions(
        dryRun(query.all("dryRun")), validation, fieldManager(exchange), exchange.user());
  }

  private static boolean dryRun(List<String> values) {
    for (String value : values) {
      if (!value.equals("All")) {
        throw ApiErrors.invalidOptions(
            "dryRun: Unsupported value: \"" + value + "\": supported values: \"All\"");
      }
    }
    return !values.isEmpty();
  }

  private static DeleteOptions deleteOptions(Exchange exchange) throws IOException {
    Body body = exchange.body();
    Query query = exchange.query();
    ObjectNode given = body.isEmpty() ? Trees.empty() : body.object(false);
    String propagation = Trees.text(given, "propagationPolicy");
    if (propagation.isEmpty()) {
      propagation = query.text("propagationPolicy");
    }
    JsonNode orphan = given.get("orphanDependents");
    if (propagation.isEmpty() && orphan != null && !orphan.isNull()) {
      propagation = orphan.asBoolean() ? "Orphan" : "Background";
    } else if (propagation.isEmpty() && query.has("orphanDependents")) {
      propagation = query.flag("orphanDependents") ? "Orphan" : "Background";
    }
    List<String> dryRun = new ArrayList<>(query.all("dryRun"));
    given.path("dryRun").forEach(value -> dryRun.add(value.asText()));
    ObjectNode preconditions = Trees.object(given, "preconditions");
    return new DeleteOptions(
        switch (propagation) {
          case "" -> DeleteOptions.Propagation.DEFAULT;
          case "Background" -> DeleteOptions.Propagation.BACKGROUND;
          case "Foreground" -> DeleteOptions.Propagation.FOREGROUND;
          case "Orphan" -> DeleteOptions.Propagation.ORPHAN;
          default ->
              throw ApiErrors.invalidOptions(
                  "propagationPolicy: Unsupported value: \""
                      + propagation
                      + "\": supported values: \"Background\", \"Foreground\", \"Orphan\"");
        },
        Trees.text(preconditions, "uid"),
        Trees.text(preconditions, "resourceVersion"),
        dryRun(dryRun),
        gracePeriod(given, query),
        exchange.user());
  }

  private static @Nullable Integer gracePeriod(ObjectNode given, Query query) {
    JsonNode seconds = given.path("gracePeriodSeconds");
    if (seconds.isIntegralNumber()) {
      return seconds.asInt();
    }
    String asked = query.text("gracePeriodSeconds");
    try {
      return asked.isEmpty() ? null : Integer.valueOf(asked);
    } catch (NumberFormatException e) {
      throw ApiErrors.badRequest("gracePeriodSeconds is not a whole number: " + asked);
    }
  }
}
