// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.migrate;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.github.kueue4j.api.ApiObject;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.cli.objects.StoredObject;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinitionVersion;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.apiguardian.api.API;

/**
 * Has the API server store all objects in the version that is read and written here: each is
 * patched without a change, which makes the server write it in the version it stores now, and then
 * the definition's {@code status.storedVersions} is shortened.
 *
 * <p>It can be ended and started again at any point.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class StorageMigration {
  private final KubernetesApi api;

  /** For one cluster. */
  public StorageMigration(KubernetesApi api) {
    this.api = api;
  }

  /** Whether this is the definition of a kind that is migrated: one of this core's. */
  static boolean concerns(V1CustomResourceDefinition definition) {
    return KueueTypes.ALL.stream()
        .anyMatch(type -> type.qualifiedName().equals(definition.getMetadata().getName()));
  }

  /** Whether objects of this kind may be stored in another version. */
  static boolean isNeeded(V1CustomResourceDefinition definition) {
    return !storedVersions(definition).equals(List.of(KueueTypes.VERSION));
  }

  /**
   * Migrates one kind.
   *
   * @param progress gets how many objects are done, and of how many
   * @return how many objects there are; empty if nothing was to do
   * @throws StorageVersionException if the definition stores another version
   * @throws KubernetesApiException if the server refuses a step, or no webhook converts the objects
   */
  public Optional<Integer> migrate(
      ResourceType<? extends ApiObject> type, BiConsumer<Integer, Integer> progress) {
    ObjectKey key = ObjectKey.cluster(type.qualifiedName());
    Optional<V1CustomResourceDefinition> definition =
        api.get(CoreTypes.CUSTOM_RESOURCE_DEFINITION, key).filter(StorageMigration::isNeeded);
    if (definition.isEmpty()) {
      return Optional.empty();
    }
    mustStoreThisVersion(definition.get(), type);
    ResourceType<StoredObject> stored = type.as(StoredObject.class);
    List<StoredObject> objects = api.list(stored, ListOptions.all()).items();
    int done = 0;
    for (StoredObject object : objects) {
      rewrite(stored, object.key());
      progress.accept(++done, objects.size());
    }
    api.patchStatus(
        CoreTypes.CUSTOM_RESOURCE_DEFINITION, key, new MergePatch(storedInThisVersionOnly()));
    return Optional.of(objects.size());
  }

  private void rewrite(ResourceType<StoredObject> type, ObjectKey key) {
    JsonObject same = new JsonObject();
    same.addProperty("kind", type.kind());
    try {
      api.patch(type, key, new MergePatch(same));
    } catch (KubernetesApiException.NotFound deletedMeanwhile) {
      // What is gone is stored in no version.
    }
  }

  private static void mustStoreThisVersion(
      V1CustomResourceDefinition definition, ResourceType<?> type) {
    String storage =
        definition.getSpec().getVersions().stream()
            .filter(version -> Boolean.TRUE.equals(version.getStorage()))
            .map(V1CustomResourceDefinitionVersion::getName)
            .findFirst()
            .orElse("none");
    if (!storage.equals(KueueTypes.VERSION)) {
      throw new StorageVersionException(type, storage);
    }
  }

  private static List<String> storedVersions(V1CustomResourceDefinition definition) {
    return Optional.ofNullable(definition.getStatus())
        .map(status -> status.getStoredVersions())
        .orElse(List.of());
  }

  private static JsonObject storedInThisVersionOnly() {
    JsonArray versions = new JsonArray();
    versions.add(KueueTypes.VERSION);
    JsonObject status = new JsonObject();
    status.add("storedVersions", versions);
    JsonObject patch = new JsonObject();
    patch.add("status", status);
    return patch;
  }

  /** The definition in the cluster stores another version than this core's. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
  public static final class StorageVersionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StorageVersionException(ResourceType<?> type, String storage) {
      super(
          "CustomResourceDefinition %s stores %s, not %s; update the present core to a release that stores %s first"
              .formatted(type.qualifiedName(), storage, KueueTypes.VERSION, KueueTypes.VERSION));
    }
  }
}
