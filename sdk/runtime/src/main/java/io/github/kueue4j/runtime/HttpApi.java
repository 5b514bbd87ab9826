/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.runtime;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.kubernetes.client.common.KubernetesObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import okhttp3.Request;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link KubernetesApi} over HTTP and JSON. */
final class HttpApi implements KubernetesApi {

  private static final Logger log = LoggerFactory.getLogger(HttpApi.class);
  static final String JSON = "application/json";

  private final ApiTransport transport;

  HttpApi(ApiTransport transport) {
    this.transport = transport;
  }

  @Override
  public <T extends KubernetesObject> Optional<T> get(ResourceType<T> type, ObjectKey key) {
    try {
      return Optional.of(parse(type, key, send("get", "GET", type, key, null)));
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
    return list(type, options, unreadable -> Optional.empty());
  }

  /**
   * As {@link #list(ResourceType, ListOptions)}.
   *
   * @param instead what to take for an object that is there and can't be read
   */
  <T extends KubernetesObject> ResourceList<T> list(
      ResourceType<T> type, ListOptions options, Function<ObjectKey, Optional<T>> instead) {
    try {
      return listPages(type, options, instead);
    } catch (KubernetesApiException.Gone expired) {
      // The continue token ran out between two pages; a consistent list needs a new start.
      return listPages(type, options, instead);
    }
  }

  private <T extends KubernetesObject> ResourceList<T> listPages(
      ResourceType<T> type, ListOptions options, Function<ObjectKey, Optional<T>> instead) {
    String what = "list " + type.qualifiedName();
    List<T> items = new ArrayList<>();
    @Nullable String next = null;
    String version = "";
    do {
      Map<String, String> query = selection(options);
      query.put("limit", Integer.toString(options.pageSize()));
      if (next != null) {
        query.put("continue", next);
      }
      Request request = transport.request("GET", path(type, options), query, null, JSON);
      JsonObject page = object(what, transport.send(request, what));
      addItems(type, page, items, instead);
      JsonObject metadata =
          page.get("metadata") instanceof JsonObject object ? object : new JsonObject();
      version = string(metadata, "resourceVersion");
      next = string(metadata, "continue");
    } while (!next.isEmpty());
    return new ResourceList<>(version, items);
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

  /** One odd object must not hide a whole list: it is left out and reported. */
  private static <T extends KubernetesObject> void addItems(
      ResourceType<T> type,
      JsonObject page,
      List<T> items,
      Function<ObjectKey, Optional<T>> instead) {
    if (page.get("items") instanceof JsonArray array) {
      for (JsonElement item : array) {
        parseItem(type, item).or(() -> instead.apply(identity(item))).ifPresent(items::add);
      }
    }
  }

  /** Reads an object out of a list or a watch; one that can't be read is reported and left out. */
  static <T extends KubernetesObject> Optional<T> parseItem(
      ResourceType<T> type, JsonElement item) {
    try {
      return Optional.of(KueueJson.fromTree(withKind(type, item), type.type()));
    } catch (JsonParseException | IllegalArgumentException e) {
      log.atError()
          .addKeyValue("resource", type.qualifiedName())
          .addKeyValue("object", identity(item))
          .setCause(e)
          .log("Left out an object that can't be read; correct its fields or update this program");
      return Optional.empty();
    }
  }

  /** Items of a list come without kind and version; whoever refers to them needs both. */
  private static JsonElement withKind(ResourceType<?> type, JsonElement item) {
    if (item instanceof JsonObject object && !object.has("kind")) {
      object.addProperty("kind", type.kind());
      object.addProperty("apiVersion", type.apiVersion());
    }
    return item;
  }

  private static ObjectKey identity(JsonElement item) {
    return item instanceof JsonObject object && object.get("metadata") instanceof JsonObject meta
        ? new ObjectKey(string(meta, "namespace"), string(meta, "name"))
        : ObjectKey.cluster("unknown");
  }

  @Override
  public <T extends KubernetesObject> T create(ResourceType<T> type, T object) {
    ObjectKey key = ObjectKey.of(object);
    JsonObject body = KueueJson.toTree(object).getAsJsonObject();
    body.addProperty("apiVersion", type.apiVersion());
    body.addProperty("kind", type.kind());
    String what = what("create", type, key);
    Request request = transport.request("POST", type.path(key.namespace()), Map.of(), body, JSON);
    return parse(type, key, transport.send(request, what));
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
              + " touches "
              + patch.scope()
              + " but this request writes "
              + allowed
              + " only, the server would drop the rest silently: write them one after the other");
    }
    try {
      return sendPatch(type, patch.key(), patch.patch(), subresource);
    } catch (KubernetesApiException.Invalid e) {
      throw changedSince(type, patch) ? conflict(e) : e;
    }
  }

  /**
   * Whether somebody else wrote the object after it was read. The server applies a JSON patch
   * before it compares versions, so one that no longer fits (a member to remove is gone) is refused
   * as invalid although the cause is a conflict.
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
    if (patch.isEmpty()) {
      throw new IllegalArgumentException(
          "an empty patch of " + type.qualifiedName() + ' ' + key + ": check isEmpty() first");
    }
    String verb = subresource.isEmpty() ? "patch" : "patch status of";
    Request request =
        transport.request(
            "PATCH", type.path(key) + subresource, Map.of(), patch.body(), patch.contentType());
    return parse(type, key, transport.send(request, what(verb, type, key)));
  }

  @Override
  public boolean delete(ResourceType<?> type, ObjectKey key, DeleteOptions options) {
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
      send("delete", "DELETE", type, key, body);
      return true;
    } catch (KubernetesApiException.NotFound absent) {
      if (isMissingObject(absent)) {
        return false;
      }
      throw absent;
    }
  }

  @Override
  public boolean serves(ResourceType<?> type) {
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

  private JsonElement send(
      String verb, String method, ResourceType<?> type, ObjectKey key, @Nullable JsonObject body) {
    Request request = transport.request(method, type.path(key), Map.of(), body, JSON);
    return transport.send(request, what(verb, type, key));
  }

  private static <T extends KubernetesObject> T parse(
      ResourceType<T> type, ObjectKey key, JsonElement json) {
    try {
      return KueueJson.fromTree(withKind(type, json), type.type());
    } catch (JsonParseException | IllegalArgumentException e) {
      throw new KubernetesApiException.Malformed(
          what("read", type, key) + ": the object can't be parsed: " + e.getMessage(), 200, e);
    }
  }

  private static JsonObject object(String what, JsonElement json) {
    if (json instanceof JsonObject object) {
      return object;
    }
    throw new KubernetesApiException.Malformed(what + ": the answer is no JSON object", 200, null);
  }

  /**
   * A missing object has details that name it; a missing resource type (no CRD) has not, and must
   * not be mistaken for it.
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

  /** The innermost words about a failure. */
  static String cause(Throwable failure) {
    return failure.getCause() == null ? describe(failure) : describe(failure.getCause());
  }

  /** How long the server asked to wait, zero unless it did. */
  static Duration patience(Throwable failure) {
    for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof KubernetesApiException refusal && refusal.retryAfter() != null) {
        return refusal.retryAfter();
      }
    }
    return Duration.ZERO;
  }

  static String describe(Throwable failure) {
    @Nullable String message = failure.getMessage();
    return message == null || message.isEmpty() ? failure.getClass().getSimpleName() : message;
  }
}
