// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.dryrun;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.jobs.FieldPath;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.JsonWords;
import io.github.kueue4j.jobs.Keys;
import io.kubernetes.client.common.KubernetesObject;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * An object that a user would create.
 *
 * @param tree the object as written, with its namespace
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Manifest(JsonObject tree) {
  /** What the API server puts after {@code metadata.generateName}. */
  private static final String GENERATED = "xxxxx";

  private static final FieldPath GROUP = FieldPath.of("metadata", "labels", Keys.POD_GROUP);

  /** What the API server sets itself: an object that was read has it, one that is made doesn't. */
  private static final List<String> SERVERS =
      List.of(
          "uid",
          "resourceVersion",
          "generation",
          "creationTimestamp",
          "deletionTimestamp",
          "deletionGracePeriodSeconds",
          "managedFields");

  /**
   * Reads YAML or JSON: one object, several documents, or Lists of objects.
   *
   * @param namespace of objects that name none
   * @throws IllegalArgumentException if it is neither, or holds no object; the message says what it
   *     is instead, after the name of the file
   */
  public static List<Manifest> read(String text, String namespace) {
    List<Manifest> manifests = new ArrayList<>();
    try {
      for (Object document : new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(text)) {
        if (document != null) {
          checkFinite(document, new ArrayList<>());
          add(KueueJson.toTree(document), namespace, manifests);
        }
      }
    } catch (YAMLException e) {
      throw new IllegalArgumentException(
          "is neither YAML nor JSON: "
              + String.valueOf(e.getMessage()).lines().findFirst().orElse(""),
          e);
    } catch (JsonParseException e) {
      throw new IllegalArgumentException("can't be read: " + JsonWords.of(e), e);
    }
    if (manifests.isEmpty()) {
      throw new IllegalArgumentException("holds no object");
    }
    return manifests;
  }

  /** An alias of YAML may stand inside of what it stands for. */
  private static void checkFinite(Object node, List<Object> around) {
    Collection<?> children =
        node instanceof Map<?, ?> map
            ? map.values()
            : node instanceof Collection<?> list ? list : List.of();
    if (!children.isEmpty()) {
      if (around.stream().anyMatch(each -> each == node)) {
        throw new IllegalArgumentException(
            "has an alias inside of what it stands for; write the value itself");
      }
      around.add(node);
      children.forEach(child -> checkFinite(child, around));
      around.removeLast();
    }
  }

  private static void add(JsonElement document, String namespace, List<Manifest> manifests) {
    if (!(document instanceof JsonObject tree)
        || text(tree, "apiVersion").isEmpty()
        || text(tree, "kind").isEmpty()) {
      throw new IllegalArgumentException(
          "holds a document without apiVersion and kind, which is no object");
    }
    if (text(tree, "kind").endsWith("List") && tree.get("items") instanceof JsonArray items) {
      items.forEach(item -> add(item, namespace, manifests));
    } else {
      manifests.add(new Manifest(named(tree, namespace, manifests.size())));
    }
  }

  /** As a user creates it. */
  private static JsonObject named(JsonObject tree, String namespace, int before) {
    JsonObject metadata =
        tree.get("metadata") instanceof JsonObject present ? present : new JsonObject();
    if (!isWorkload(tree)) {
      tree.remove("status");
    }
    SERVERS.forEach(metadata::remove);
    tree.add("metadata", metadata);
    if (text(metadata, "namespace").isEmpty()) {
      metadata.addProperty("namespace", namespace);
    }
    String prefix = text(metadata, "generateName");
    if (text(metadata, "name").isEmpty() && !prefix.isEmpty()) {
      // Each gets a name of its own.
      String suffix = before == 0 ? GENERATED : String.format(Locale.ROOT, "x%04d", before);
      metadata.addProperty("name", prefix + suffix);
    }
    return tree;
  }

  private static boolean isWorkload(JsonObject tree) {
    return text(tree, "kind").equals(KueueTypes.WORKLOAD.kind())
        && text(tree, "apiVersion").startsWith(KueueTypes.GROUP + "/");
  }

  /**
   * The object as one of a type.
   *
   * @throws IllegalArgumentException if a field has another type, or a number doesn't fit; the
   *     message begins with the object
   */
  public <T extends KubernetesObject> T as(ResourceType<T> type) {
    try {
      // A reader of text, unlike one of trees, doesn't cut numbers.
      return KueueJson.fromServer(new StringReader(KueueJson.toJson(tree)), type);
    } catch (JsonParseException e) {
      throw new IllegalArgumentException(title() + " can't be read: " + JsonWords.of(e), e);
    }
  }

  /** Kind and name, as messages begin. */
  String title() {
    return (kind() + " " + key().name()).strip();
  }

  /** The same with another label. */
  public Manifest withLabel(String key, String value) {
    JsonObject changed = tree.deepCopy();
    JsonObject metadata = changed.getAsJsonObject("metadata");
    JsonObject labels =
        metadata.get("labels") instanceof JsonObject present ? present : new JsonObject();
    labels.addProperty(key, value);
    metadata.add("labels", labels);
    return new Manifest(changed);
  }

  /**
   * The same if each of its pods requested another amount; as it is if it has none.
   *
   * @param resource such as {@code cpu} or {@code nvidia.com/gpu}
   * @param amount such as {@code 4} or {@code 64Gi}
   * @throws IllegalArgumentException if the amount is none
   */
  public Manifest withRequest(String resource, String amount) {
    JsonObject changed = tree.deepCopy();
    PodRequests.set(changed, resource, amount);
    return new Manifest(changed);
  }

  /** Whether it is a pod or has a template of pods. */
  public boolean hasPods() {
    return !PodRequests.pods(tree).isEmpty();
  }

  boolean isOf(JobKind<?> kind) {
    return isOf(kind.type());
  }

  boolean isOf(ResourceType<?> type) {
    return type.isNamed(apiVersion(), kind());
  }

  /** Namespace and name of the group that it belongs to; empty unless it is a pod of one. */
  Optional<ObjectKey> podGroup() {
    return isOf(CoreTypes.POD)
        ? GROUP
            .textIn(tree)
            .filter(name -> !name.isEmpty())
            .map(name -> new ObjectKey(key().namespace(), name))
        : Optional.empty();
  }

  String apiVersion() {
    return text(tree, "apiVersion");
  }

  String kind() {
    return text(tree, "kind");
  }

  ObjectKey key() {
    JsonObject metadata = tree.getAsJsonObject("metadata");
    return new ObjectKey(text(metadata, "namespace"), text(metadata, "name"));
  }

  private static String text(JsonObject object, String member) {
    return object.get(member) instanceof JsonPrimitive text ? text.getAsString() : "";
  }
}
