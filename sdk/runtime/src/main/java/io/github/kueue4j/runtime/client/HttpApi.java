// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PathSegmentException;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.github.kueue4j.runtime.patch.Patch;
import io.kubernetes.client.common.KubernetesObject;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import okhttp3.Request;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link KubernetesApi} over HTTP and JSON. */
final class HttpApi implements KubernetesApi {

  static final String JSON = "application/json";

  private static final Logger log = LoggerFactory.getLogger(HttpApi.class);

  private final ApiTransport transport;
  private final UnreadableObjects unreadable = new UnreadableObjects();

  /** By type, the version in use where it isn't the first of several. */
  private final Map<ResourceType<?>, String> versionsInUse = new ConcurrentHashMap<>();

  HttpApi(ApiTransport transport) {
    this.transport = transport;
  }

  /** The kind in the version that requests use. */
  <T extends KubernetesObject> ResourceType<T> inUse(ResourceType<T> type) {
    return type.otherVersions().isEmpty()
        ? type
        : type.inVersion(versionsInUse.getOrDefault(type, type.version()));
  }

  /** Asks in the version in use; if that isn't served any more, in the first that is. */
  private <T extends KubernetesObject, R> R ask(
      ResourceType<T> type, Function<ResourceType<T>, R> request) {
    ResourceType<T> used = inUse(type);
    try {
      return request.apply(used);
    } catch (KubernetesApiException.NotFound e) {
      if (type.otherVersions().isEmpty() || isMissingObject(e) || serves(used)) {
        throw e;
      }
      ResourceType<T> served =
          type.versions().stream()
              .map(type::inVersion)
              .filter(other -> !other.equals(used) && serves(other))
              .findFirst()
              .orElseThrow(() -> e);
      log.atInfo()
          .addKeyValue("resource", type.qualifiedName())
          .addKeyValue("version", served.version())
          .log("The server serves this resource in another version only; using that");
      versionsInUse.put(type, served.version());
      return request.apply(served);
    }
  }

  @Override
  public <T extends KubernetesObject> Optional<T> get(ResourceType<T> type, ObjectKey key) {
    return ask(type, each -> getIn(each, key));
  }

  private <T extends KubernetesObject> Optional<T> getIn(ResourceType<T> type, ObjectKey key) {
    try {
      String what = what("get", type, key);
      Request request = transport.request("GET", type.path(key), Map.of(), null, JSON);
      return Optional.of(object(type, request, what));
    } catch (PathSegmentException impossible) {
      // The name may come from an object, such as an owner reference: no object can have it.
      return Optional.empty();
    } catch (KubernetesApiException.NotFound absent) {
      if (isMissingObject(absent)) {
        return Optional.empty();
      }
      throw absent;
    }
  }

  @Override
  public <T extends KubernetesObject> ResourceList<T> list(
      ResourceType<T> type, ListOptions options) {
    return list(
        type,
        options,
        item ->
            switch (item) {
              case ItemReader.Read<T>(T object) -> Optional.of(object);
              case ItemReader.Unreadable<T>(UnreadableObject object) -> {
                unreadable.found(type, object);
                yield Optional.empty();
              }
            });
  }

  /**
   * As {@link #list(ResourceType, ListOptions)}.
   *
   * @param each what the list contains for each object, as soon as it arrives; called again for all
   *     objects if a continue token expires in between
   */
  <T extends KubernetesObject> ResourceList<T> list(
      ResourceType<T> type,
      ListOptions options,
      Function<ItemReader.Reading<T>, Optional<T>> each) {
    return ask(type, version -> listIn(version, options, each));
  }

  private <T extends KubernetesObject> ResourceList<T> listIn(
      ResourceType<T> type,
      ListOptions options,
      Function<ItemReader.Reading<T>, Optional<T>> each) {
    try {
      return listPages(type, options, each);
    } catch (KubernetesApiException.Gone expired) {
      // The continue token expired between two pages: list again from the start.
      return listPages(type, options, each);
    }
  }

  private <T extends KubernetesObject> ResourceList<T> listPages(
      ResourceType<T> type,
      ListOptions options,
      Function<ItemReader.Reading<T>, Optional<T>> each) {
    String what = "list " + type.qualifiedName();
    ItemReader<T> reader = new ItemReader<>(type);
    PageLimit limit = new PageLimit(options.pageSize());
    List<T> items = new ArrayList<>();
    ListPage page;
    @Nullable String next = null;
    do {
      Map<String, String> query = selection(options);
      query.put("limit", Integer.toString(limit.next()));
      if (next != null) {
        query.put("continue", next);
      }
      Request request = transport.request("GET", path(type, options), query, null, JSON);
      page =
          transport.send(
              request,
              what,
              body ->
                  ListPage.read(body, json -> each.apply(reader.item(json)).ifPresent(items::add)));
      limit.after(page);
      next = page.next();
    } while (!next.isEmpty());
    return new ResourceList<>(page.resourceVersion(), items);
  }

  static String path(ResourceType<?> type, ListOptions options) {
    return type.path(options.namespace() == null ? "" : options.namespace());
  }

  static Map<String, String> selection(ListOptions options) {
    Map<String, String> query = new LinkedHashMap<>();
    if (options.labelSelector() != null) {
      query.put("labelSelector", options.labelSelector());
    }
    if (options.fieldSelector() != null) {
      query.put("fieldSelector", options.fieldSelector());
    }
    return query;
  }

  @Override
  public <T extends KubernetesObject> T create(ResourceType<T> type, T object) {
    return create(type, object, Map.of());
  }

  @Override
  public <T extends KubernetesObject> T createDryRun(ResourceType<T> type, T object) {
    return create(type, object, Map.of("dryRun", "All"));
  }

  private <T extends KubernetesObject> T create(
      ResourceType<T> type, T object, Map<String, String> options) {
    return ask(type, version -> createIn(version, object, options));
  }

  private <T extends KubernetesObject> T createIn(
      ResourceType<T> type, T object, Map<String, String> options) {
    ObjectKey key = ObjectKey.of(object);
    JsonObject body = KueueJson.toTree(object).getAsJsonObject();
    body.addProperty("apiVersion", type.apiVersion());
    body.addProperty("kind", type.kind());
    String what = what("create", type, key);
    Request request = transport.request("POST", type.path(key.namespace()), options, body, JSON);
    return object(type, request, what);
  }

  @Override
  public <T extends KubernetesObject> T patch(ResourceType<T> type, ObjectKey key, Patch patch) {
    return sendPatch(type, key, patch, "");
  }

  @Override
  public <T extends KubernetesObject> T patchStatus(
      ResourceType<T> type, ObjectKey key, Patch patch) {
    return sendPatch(type, key, patch, "/status");
  }

  @Override
  public <T extends KubernetesObject> T patch(ResourceType<T> type, GuardedPatch<T> patch) {
    return sendGuarded(type, patch, GuardedPatch.Scope.MAIN, "");
  }

  @Override
  public <T extends KubernetesObject> T patchStatus(ResourceType<T> type, GuardedPatch<T> patch) {
    return sendGuarded(type, patch, GuardedPatch.Scope.STATUS, "/status");
  }

  private <T extends KubernetesObject> T sendGuarded(
      ResourceType<T> type, GuardedPatch<T> patch, GuardedPatch.Scope allowed, String subresource) {
    if (patch.isEmpty()) {
      return patch.before();
    }
    if (patch.scope() != allowed) {
      throw new IllegalArgumentException(
          "the change of "
              + type.qualifiedName()
              + ' '
              + patch.key()
              + " changes the "
              + patch.scope()
              + " but this request writes the "
              + allowed
              + " only, and the server would ignore the rest: write them one after the other");
    }
    try {
      return sendPatch(type, patch.key(), patch.patch(), subresource);
    } catch (KubernetesApiException.Invalid e) {
      throw changedSince(type, patch) ? conflict(e) : e;
    }
  }

  /**
   * Converts a refusal as invalid to a conflict if the object was changed after it was read. The
   * server applies a JSON patch before it compares versions, so a patch that no longer fits (such
   * as one that removes a missing member) is refused as invalid although the cause is a conflict.
   */
  private <T extends KubernetesObject> boolean changedSince(
      ResourceType<T> type, GuardedPatch<T> patch) {
    @Nullable String read = patch.before().getMetadata().getResourceVersion();
    return get(type, patch.key())
        .filter(now -> !Objects.equals(now.getMetadata().getResourceVersion(), read))
        .isPresent();
  }

  private static KubernetesApiException.Conflict conflict(KubernetesApiException.Invalid refused) {
    var conflict =
        new KubernetesApiException.Conflict(
            refused.getMessage() + " (the object has changed since it was read)", refused.status());
    conflict.addSuppressed(refused);
    return conflict;
  }

  private <T extends KubernetesObject> T sendPatch(
      ResourceType<T> type, ObjectKey key, Patch patch, String subresource) {
    return ask(type, version -> patchIn(version, key, patch, subresource));
  }

  private <T extends KubernetesObject> T patchIn(
      ResourceType<T> type, ObjectKey key, Patch patch, String subresource) {
    if (patch.isEmpty()) {
      throw new IllegalArgumentException(
          "an empty patch of " + type.qualifiedName() + ' ' + key + ": check isEmpty() first");
    }
    String what = what(subresource.isEmpty() ? "patch" : "patch status of", type, key);
    try {
      String path = type.path(key) + subresource;
      Request request =
          transport.request("PATCH", path, Map.of(), patch.body(), patch.contentType());
      return object(type, request, what);
    } catch (PathSegmentException impossible) {
      throw new KubernetesApiException.NotFound(what + ": " + impossible.getMessage(), null);
    }
  }

  @Override
  public boolean delete(ResourceType<?> type, ObjectKey key, DeleteOptions options) {
    return ask(type, version -> deleteIn(version, key, options));
  }

  private boolean deleteIn(ResourceType<?> type, ObjectKey key, DeleteOptions options) {
    var body = new JsonObject();
    body.addProperty("apiVersion", "v1");
    body.addProperty("kind", "DeleteOptions");
    body.addProperty("propagationPolicy", options.propagation().wireName());
    if (options.gracePeriodSeconds() != null) {
      body.addProperty("gracePeriodSeconds", options.gracePeriodSeconds());
    }
    var preconditions = new JsonObject();
    if (options.uid() != null) {
      preconditions.addProperty("uid", options.uid());
    }
    if (options.resourceVersion() != null) {
      preconditions.addProperty("resourceVersion", options.resourceVersion());
    }
    if (!preconditions.isEmpty()) {
      body.add("preconditions", preconditions);
    }
    try {
      Request request = transport.request("DELETE", type.path(key), Map.of(), body, JSON);
      // The response is the object or a Status; neither is needed, so that it can be anything.
      transport.send(
          request,
          what("delete", type, key),
          response -> response.transferTo(OutputStream.nullOutputStream()));
      return true;
    } catch (PathSegmentException impossible) {
      return false;
    } catch (KubernetesApiException.NotFound absent) {
      if (isMissingObject(absent)) {
        return false;
      }
      throw absent;
    }
  }

  /** The answer of discovery. */
  JsonObject discover(String path, String kind) {
    String what = "discover " + path;
    Request request = transport.request("GET", path, Map.of(), null, JSON);
    JsonObject answer = object(what, transport.send(request, what));
    if (string(answer, "kind").equals(kind)) {
      return answer;
    }
    throw new KubernetesApiException.Malformed(what + ": the response is no " + kind, 200, null);
  }

  @Override
  public boolean serves(ResourceType<?> type) {
    return type.versions().stream().anyMatch(version -> servesIn(type.inVersion(version)));
  }

  private boolean servesIn(ResourceType<?> type) {
    String root = type.group().isEmpty() ? "/api/" + type.version() : "/apis/" + type.apiVersion();
    String what = "discover " + type.apiVersion();
    try {
      Request request = transport.request("GET", root, Map.of(), null, JSON);
      JsonObject resources = object(what, transport.send(request, what));
      return resources.get("resources") instanceof JsonArray array
          && array.asList().stream()
              .anyMatch(
                  resource ->
                      resource instanceof JsonObject object
                          && string(object, "name").equals(type.plural()));
    } catch (KubernetesApiException.NotFound notServed) {
      return false;
    }
  }

  @Override
  public String serverVersion() {
    String what = "ask for the server's version";
    Request request = transport.request("GET", "/version", Map.of(), null, JSON);
    return string(object(what, transport.send(request, what)), "gitVersion");
  }

  /** Sends a request whose response is one object, and reads it. */
  private <T extends KubernetesObject> T object(
      ResourceType<T> type, Request request, String what) {
    byte[] json = transport.send(request, what, InputStream::readAllBytes);
    try {
      return new ItemReader<>(type).object(json);
    } catch (JsonParseException | IllegalArgumentException e) {
      throw new KubernetesApiException.Malformed(
          what + ": the object can't be read: " + UnreadableObjects.brief(e), 200, e);
    }
  }

  private static JsonObject object(String what, JsonElement json) {
    if (json instanceof JsonObject object) {
      return object;
    }
    throw new KubernetesApiException.Malformed(
        what + ": the response is not a JSON object", 200, null);
  }

  /**
   * Distinguishes a missing object, whose Status has details that name it, from a missing resource
   * type (no CRD).
   */
  private static boolean isMissingObject(KubernetesApiException.NotFound e) {
    return e.status() != null
        && e.status().getDetails() != null
        && e.status().getDetails().getName() != null;
  }

  static String string(JsonObject object, String member) {
    return object.get(member) instanceof JsonPrimitive value ? value.getAsString() : "";
  }

  private static String what(String verb, ResourceType<?> type, ObjectKey key) {
    return verb + ' ' + type.qualifiedName() + ' ' + key;
  }
}
