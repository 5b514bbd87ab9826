// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.patch;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The difference between an object as it was read and as it should be, guarded by the
 * resourceVersion that was read.
 *
 * <p>Only what differs between the two views is touched. Lists whose elements have a key (their
 * {@code name}, {@code type}, {@code uid} or {@code key}) are compared by it: an entry that both
 * views contain keeps its position and all fields that this program doesn't know. The order of
 * {@code conditions} and {@code admissionChecks} is insignificant and never changed.
 *
 * <p>The resourceVersion goes in as a {@code replace} of {@code /metadata/resourceVersion}: the
 * server answers a mismatch with 409, whereas a {@code test} would end in a 422.
 *
 * <p>Where a parent object may be missing on the server (its view is empty), the same difference is
 * written as a JSON merge patch, which creates parents without replacing them; that is possible
 * because then no list element changes. If a difference needs both kinds of patch, a member that is
 * absent from the view is set as a whole.
 *
 * @param <T> the object's type
 * @param before the object as it was read; must have a resourceVersion
 * @param after the object as it should be
 * @param patch to send; empty if nothing differs
 * @param scope which parts of the object the patch touches
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record GuardedPatch<T extends KubernetesObject>(
    T before, T after, Patch patch, Scope scope) {

  /** Parts of an object, by the endpoint that writes them. */
  public enum Scope {
    /** Nothing differs. */
    NOTHING,
    /** Only the status. */
    STATUS,
    /** Anything but the status. */
    MAIN,
    /** Both, which needs two requests. */
    BOTH
  }

  /** Metadata that the server owns; never part of a difference. */
  private static final List<String> SERVER_OWNED =
      List.of(
          "resourceVersion",
          "managedFields",
          "generation",
          "uid",
          "creationTimestamp",
          "deletionTimestamp",
          "selfLink");

  /**
   * The guarded difference.
   *
   * @throws IllegalArgumentException if {@code before} has no resourceVersion: it was not read from
   *     the server
   */
  public static <T extends KubernetesObject> GuardedPatch<T> between(T before, T after) {
    String version = resourceVersion(before);
    JsonObject from = comparable(before);
    JsonObject to = comparable(after);
    ObjectDiff diff = ObjectDiff.between(from, to);
    Scope scope = scope(from, to);
    return new GuardedPatch<>(before, after, guarded(diff, version), scope);
  }

  /** The guarded difference of the status alone; other differences are left out. */
  public static <T extends KubernetesObject> GuardedPatch<T> ofStatus(T before, T after) {
    String version = resourceVersion(before);
    ObjectDiff diff =
        ObjectDiff.between(onlyStatus(comparable(before)), onlyStatus(comparable(after)));
    return new GuardedPatch<>(
        before, after, guarded(diff, version), diff.isEmpty() ? Scope.NOTHING : Scope.STATUS);
  }

  /** The object's key. */
  public ObjectKey key() {
    return ObjectKey.of(before);
  }

  /** Whether nothing differs, so that nothing is sent. */
  public boolean isEmpty() {
    return patch.isEmpty();
  }

  /**
   * This patch with a {@code test} in front: the server refuses all of it (422) unless the value at
   * {@code path} is {@code expected}. A caller treats that like a conflict: read and decide again.
   *
   * @throws IllegalStateException if the difference had to be a merge patch, which can't test
   */
  public GuardedPatch<T> testing(JsonPointer path, JsonElement expected) {
    if (isEmpty()) {
      return this;
    }
    return switch (patch) {
      case JsonPatch json ->
          new GuardedPatch<>(
              before,
              after,
              json.preceded(new JsonPatch.Operation(JsonPatch.Kind.TEST, path.text(), expected)),
              scope);
      case MergePatch merge ->
          throw new IllegalStateException(
              "the patch of "
                  + key()
                  + " fills an empty object and is a merge patch, which can't test "
                  + path
                  + "; leave the test out, nothing is there to test");
    };
  }

  private static String resourceVersion(KubernetesObject before) {
    @Nullable V1ObjectMeta metadata = before.getMetadata();
    @Nullable String version = metadata == null ? null : metadata.getResourceVersion();
    if (version == null || version.isEmpty()) {
      throw new IllegalArgumentException(
          "no resourceVersion in "
              + ObjectKey.of(before)
              + ": build the patch from an object that was read from the server");
    }
    return version;
  }

  private static JsonObject comparable(KubernetesObject object) {
    JsonObject tree = KueueJson.toTree(object).getAsJsonObject();
    if (tree.get("metadata") instanceof JsonObject metadata) {
      SERVER_OWNED.forEach(metadata::remove);
    }
    // Kind and version are the request's, not the object's.
    tree.remove("kind");
    tree.remove("apiVersion");
    return tree;
  }

  private static JsonObject onlyStatus(JsonObject tree) {
    var status = new JsonObject();
    if (tree.has("status")) {
      status.add("status", tree.get("status"));
    }
    return status;
  }

  private static Scope scope(JsonObject from, JsonObject to) {
    boolean status = !ObjectDiff.between(onlyStatus(from), onlyStatus(to)).isEmpty();
    from.remove("status");
    to.remove("status");
    boolean main = !ObjectDiff.between(from, to).isEmpty();
    if (main) {
      return status ? Scope.BOTH : Scope.MAIN;
    }
    return status ? Scope.STATUS : Scope.NOTHING;
  }

  private static Patch guarded(ObjectDiff diff, String version) {
    if (diff.isEmpty()) {
      return JsonPatch.of();
    }
    if (diff.needsMerge()) {
      JsonObject document = diff.mergeDocument();
      if (!(document.get("metadata") instanceof JsonObject)) {
        document.add("metadata", new JsonObject());
      }
      document.getAsJsonObject("metadata").addProperty("resourceVersion", version);
      return new MergePatch(document);
    }
    return new JsonPatch(diff.operations())
        .preceded(
            new JsonPatch.Operation(
                JsonPatch.Kind.REPLACE,
                JsonPointer.of("metadata", "resourceVersion").text(),
                new JsonPrimitive(version)));
  }
}
