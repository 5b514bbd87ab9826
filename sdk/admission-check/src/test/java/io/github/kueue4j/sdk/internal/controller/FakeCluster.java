// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.client.Refusals;
import io.github.kueue4j.runtime.client.ResourceList;
import io.github.kueue4j.runtime.informer.Change;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.informer.InformerHealth;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.github.kueue4j.runtime.patch.JsonPatch;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.runtime.patch.Patch;
import io.kubernetes.client.common.KubernetesObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A cluster in memory whose informers show changes only on {@link StaleInformer#sync}: stale reads
 * on purpose. Objects are kept as raw JSON, so a test can tell that foreign bytes stayed as they
 * were.
 */
final class FakeCluster implements KubernetesApi {

  private final Map<String, JsonObject> objects = new TreeMap<>();
  private int version = 100;
  private final AtomicInteger patches = new AtomicInteger();
  private final AtomicInteger reads = new AtomicInteger();
  private @Nullable RuntimeException nextPatchFails;
  private Runnable duringNextPatch = () -> {};

  /** Stores an object as it is, with a new resourceVersion. */
  synchronized void put(ResourceType<?> type, String json) {
    JsonObject object = JsonParser.parseString(json).getAsJsonObject();
    store(type, object);
  }

  /** Changes the raw JSON of an object, as another client would. */
  synchronized void change(ResourceType<?> type, ObjectKey key, Consumer<JsonObject> change) {
    JsonObject object = raw(type, key).deepCopy();
    change.accept(object);
    store(type, object);
  }

  synchronized void remove(ResourceType<?> type, ObjectKey key) {
    objects.remove(id(type, key));
  }

  private void store(ResourceType<?> type, JsonObject object) {
    JsonObject metadata = object.getAsJsonObject("metadata");
    metadata.addProperty("resourceVersion", Integer.toString(++version));
    String namespace = metadata.has("namespace") ? metadata.get("namespace").getAsString() : "";
    objects.put(id(type, new ObjectKey(namespace, metadata.get("name").getAsString())), object);
  }

  /** The object as the server has it. */
  synchronized JsonObject raw(ResourceType<?> type, ObjectKey key) {
    JsonObject object = objects.get(id(type, key));
    if (object == null) {
      throw Refusals.notFound(key.toString());
    }
    return object;
  }

  /** How many patches were asked for, carried out or not. */
  int patches() {
    return patches.get();
  }

  /** How many live reads there were. */
  int reads() {
    return reads.get();
  }

  /** The next patch fails like this instead of being carried out. */
  synchronized void failNextPatch(RuntimeException failure) {
    nextPatchFails = failure;
  }

  /** This happens while the next patch is on its way. */
  synchronized void duringNextPatch(Runnable happens) {
    duringNextPatch = happens;
  }

  private static String id(ResourceType<?> type, ObjectKey key) {
    return type.qualifiedName() + " " + key;
  }

  @Override
  public synchronized <T extends KubernetesObject> Optional<T> get(
      ResourceType<T> type, ObjectKey key) {
    reads.incrementAndGet();
    return read(type, key);
  }

  private synchronized <T extends KubernetesObject> Optional<T> read(
      ResourceType<T> type, ObjectKey key) {
    return Optional.ofNullable(objects.get(id(type, key)))
        .map(json -> KueueJson.fromTree(json.deepCopy(), type));
  }

  private synchronized <T extends KubernetesObject> List<T> readAll(ResourceType<T> type) {
    List<T> all = new ArrayList<>();
    objects.forEach(
        (id, json) -> {
          if (id.startsWith(type.qualifiedName() + " ")) {
            all.add(KueueJson.fromTree(json.deepCopy(), type));
          }
        });
    return all;
  }

  @Override
  public synchronized <T extends KubernetesObject> T patchStatus(
      ResourceType<T> type, ObjectKey key, Patch patch) {
    patches.incrementAndGet();
    if (nextPatchFails != null) {
      RuntimeException failure = nextPatchFails;
      nextPatchFails = null;
      throw failure;
    }
    duringNextPatch.run();
    duringNextPatch = () -> {};
    JsonObject object = raw(type, key).deepCopy();
    String before = object.getAsJsonObject("metadata").get("resourceVersion").getAsString();
    switch (patch) {
      case JsonPatch json -> json.operations().forEach(operation -> apply(object, operation));
      case MergePatch merge -> merge(object, merge.document());
    }
    String after = object.getAsJsonObject("metadata").get("resourceVersion").getAsString();
    if (!before.equals(after)) {
      throw Refusals.conflict(key + " is at " + before + ", not " + after);
    }
    store(type, object);
    return read(type, key).orElseThrow();
  }

  @Override
  public <T extends KubernetesObject> T patchStatus(ResourceType<T> type, GuardedPatch<T> patch) {
    return patch.isEmpty() ? patch.before() : patchStatus(type, patch.key(), patch.patch());
  }

  private static void merge(JsonObject target, JsonObject patch) {
    patch
        .entrySet()
        .forEach(
            field -> {
              if (field.getValue() instanceof JsonObject nested
                  && target.get(field.getKey()) instanceof JsonObject there) {
                merge(there, nested);
              } else {
                target.add(field.getKey(), field.getValue());
              }
            });
  }

  private static void apply(JsonObject object, JsonPatch.Operation operation) {
    List<String> path = List.of(operation.path().substring(1).split("/", -1));
    JsonElement parent = object;
    for (String step : path.subList(0, path.size() - 1)) {
      parent = step(parent, step, operation);
    }
    String last = path.get(path.size() - 1);
    switch (operation.kind()) {
      case TEST -> {
        if (!step(parent, last, operation).equals(operation.value())) {
          throw Refusals.invalid("the test of " + operation.path() + " failed");
        }
      }
      case ADD, REPLACE -> parent.getAsJsonObject().add(last, operation.value());
      case REMOVE -> {
        if (parent.getAsJsonObject().remove(last) == null) {
          throw Refusals.invalid("nothing to remove at " + operation.path());
        }
      }
    }
  }

  private static JsonElement step(JsonElement parent, String step, JsonPatch.Operation operation) {
    @Nullable JsonElement child = null;
    if (parent instanceof JsonArray array) {
      int index = Integer.parseInt(step);
      child = index < array.size() ? array.get(index) : null;
    } else if (parent instanceof JsonObject object) {
      child = object.get(step);
    }
    if (child == null) {
      throw Refusals.invalid("nothing at " + operation.path());
    }
    return child;
  }

  @Override
  public <T extends KubernetesObject> ResourceList<T> list(
      ResourceType<T> type, ListOptions options) {
    throw new UnsupportedOperationException("list");
  }

  @Override
  public <T extends KubernetesObject> T create(ResourceType<T> type, T object) {
    put(type, KueueJson.toJson(object));
    return read(type, ObjectKey.of(object)).orElseThrow();
  }

  @Override
  public <T extends KubernetesObject> T createDryRun(ResourceType<T> type, T object) {
    throw new UnsupportedOperationException("createDryRun");
  }

  @Override
  public <T extends KubernetesObject> T patch(ResourceType<T> type, ObjectKey key, Patch patch) {
    throw new UnsupportedOperationException("a check patches statuses only");
  }

  @Override
  public <T extends KubernetesObject> T patch(ResourceType<T> type, GuardedPatch<T> patch) {
    throw new UnsupportedOperationException("a check patches statuses only");
  }

  @Override
  public boolean delete(ResourceType<?> type, ObjectKey key, DeleteOptions options) {
    throw new UnsupportedOperationException("delete");
  }

  @Override
  public boolean serves(ResourceType<?> type) {
    return true;
  }

  @Override
  public String serverVersion() {
    return "v0.0.0";
  }

  /** An informer that shows what the cluster had at the last {@link StaleInformer#sync}. */
  <T extends KubernetesObject> StaleInformer<T> informer(ResourceType<T> type) {
    return new StaleInformer<>(type);
  }

  final class StaleInformer<T extends KubernetesObject> implements Informer<T> {
    private final ResourceType<T> type;
    private volatile List<T> shown = List.of();
    private volatile boolean synced = true;

    private StaleInformer(ResourceType<T> type) {
      this.type = type;
    }

    /** Shows nothing until the next {@link #sync}. */
    StaleInformer<T> reading() {
      synced = false;
      return this;
    }

    void sync() {
      synced = true;
      shown = readAll(type);
    }

    @Override
    public Optional<T> get(ObjectKey key) {
      return shown.stream().filter(object -> ObjectKey.of(object).equals(key)).findFirst();
    }

    @Override
    public List<T> list() {
      return shown;
    }

    @Override
    public List<T> byIndex(String index, String value) {
      return shown;
    }

    @Override
    public Registration onChange(Consumer<Change<T>> handler) {
      throw new UnsupportedOperationException("these tests register no handlers");
    }

    @Override
    public boolean synced() {
      return synced;
    }

    @Override
    public InformerHealth health() {
      return new InformerHealth(
          type.qualifiedName(), true, true, true, Duration.ZERO, Duration.ZERO, 0, 0, null, 0);
    }
  }
}
