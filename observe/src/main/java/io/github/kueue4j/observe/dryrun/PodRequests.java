// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.dryrun;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The requests of an object's pods, as its user might change them. */
final class PodRequests {
  private static final String CONTAINERS = "containers";
  private static final String RESOURCES = "resources";
  private static final String REQUESTS = "requests";
  private static final String LIMITS = "limits";

  /**
   * The resources of which a container may request less than its limit; of all others as much as
   * its limit.
   */
  private static final Set<String> OVERCOMMITTED = Set.of("cpu", "memory", "ephemeral-storage");

  private PodRequests() {}

  /**
   * Has each pod request an amount: in its first container, and in no other; where the pod has
   * resources of its own for all of its containers, in those. A limit becomes the same amount,
   * since a request can't be larger, and one is set where the API server demands it. Init
   * containers stay as they are.
   *
   * @param object is changed, unless it has no template of pods
   * @throws IllegalArgumentException if the amount is none
   */
  static void set(JsonObject object, String resource, String amount) {
    String quantity = Amounts.parse("request of " + resource, amount).toString();
    for (JsonObject pod : pods(object)) {
      List<JsonObject> containers =
          pod.getAsJsonArray(CONTAINERS).asList().stream()
              .filter(JsonObject.class::isInstance)
              .map(JsonObject.class::cast)
              .toList();
      boolean limited = containers.stream().map(each -> remove(each, resource)).anyMatch(is -> is);
      JsonObject holder =
          pod.get(RESOURCES) instanceof JsonObject || containers.isEmpty()
              ? pod
              : containers.getFirst();
      JsonObject resources = child(holder, RESOURCES);
      child(resources, REQUESTS).addProperty(resource, quantity);
      if (limited || !OVERCOMMITTED.contains(resource)) {
        child(resources, LIMITS).addProperty(resource, quantity);
      }
    }
  }

  /** Every kind has its templates elsewhere, but all are known by their containers. */
  static List<JsonObject> pods(JsonObject object) {
    List<JsonObject> pods = new ArrayList<>();
    findPods(object, pods);
    return pods;
  }

  private static void findPods(JsonElement element, List<JsonObject> pods) {
    switch (element) {
      case JsonObject object when object.get(CONTAINERS) instanceof JsonArray -> pods.add(object);
      case JsonObject object -> object.asMap().values().forEach(each -> findPods(each, pods));
      case JsonArray array -> array.forEach(each -> findPods(each, pods));
      default -> {
        // A leaf.
      }
    }
  }

  /** Removes it, and says whether there was a limit. */
  private static boolean remove(JsonObject container, String resource) {
    if (!(container.get(RESOURCES) instanceof JsonObject resources)) {
      return false;
    }
    if (resources.get(REQUESTS) instanceof JsonObject requests) {
      requests.remove(resource);
    }
    return resources.get(LIMITS) instanceof JsonObject limits && limits.remove(resource) != null;
  }

  private static JsonObject child(JsonObject parent, String name) {
    if (!(parent.get(name) instanceof JsonObject)) {
      parent.add(name, new JsonObject());
    }
    return parent.getAsJsonObject(name);
  }
}
