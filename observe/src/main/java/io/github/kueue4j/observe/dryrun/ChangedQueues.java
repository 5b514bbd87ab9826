// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.dryrun;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/** ClusterQueues as an administrator might change them, among objects that were read. */
@API(status = API.Status.INTERNAL)
public record ChangedQueues(ReadObjects objects) {
  /**
   * Changes a nominal quota.
   *
   * @param path {@code CLUSTERQUEUE/RESOURCE} or {@code CLUSTERQUEUE/FLAVOR/RESOURCE}
   * @throws IllegalArgumentException if there is no such quota, or several; says what there is
   */
  public void quota(String path, String amount) {
    int first = path.indexOf('/');
    if (first < 0) {
      throw new IllegalArgumentException(
          "the quota \"%s\" names no resource; write CLUSTERQUEUE/RESOURCE=AMOUNT".formatted(path));
    }
    // The name of a resource may have a slash itself, that of a flavor has none.
    JsonObject queue = queue(path.substring(0, first));
    String inQueue = path.substring(first + 1);
    List<String> known = new ArrayList<>();
    List<JsonObject> matching = new ArrayList<>();
    for (JsonElement group : array(queue, "spec", "resourceGroups")) {
      for (JsonElement flavor : array(group, "flavors")) {
        for (JsonElement resource : array(flavor, "resources")) {
          String name = text(resource, "name");
          String qualified = text(flavor, "name") + "/" + name;
          known.add(qualified);
          if (inQueue.equals(name) || inQueue.equals(qualified)) {
            matching.add(resource.getAsJsonObject());
          }
        }
      }
    }
    if (matching.size() != 1) {
      throw new IllegalArgumentException(
          "ClusterQueue %s has %s quota \"%s\"; it has %s"
              .formatted(
                  path.substring(0, first),
                  matching.isEmpty() ? "no" : "more than one",
                  inQueue,
                  known.isEmpty() ? "none" : String.join(", ", known)));
    }
    matching
        .getFirst()
        .addProperty("nominalQuota", Amounts.parse("quota of " + path, amount).toString());
    put(queue);
  }

  /**
   * Takes a check from all ClusterQueues that require it.
   *
   * @throws IllegalArgumentException if none does
   */
  public void withoutCheck(String name) {
    boolean found = false;
    for (ClusterQueue read : objects.all(KueueTypes.CLUSTER_QUEUE)) {
      JsonObject queue = KueueJson.toTree(read).getAsJsonObject();
      JsonArray rules = array(queue, "spec", "admissionChecksStrategy", "admissionChecks");
      JsonArray left = new JsonArray();
      rules.asList().stream().filter(rule -> !text(rule, "name").equals(name)).forEach(left::add);
      if (left.size() < rules.size()) {
        queue
            .getAsJsonObject("spec")
            .getAsJsonObject("admissionChecksStrategy")
            .add("admissionChecks", left);
        put(queue);
        found = true;
      }
    }
    if (!found) {
      throw new IllegalArgumentException("no ClusterQueue requires the check " + name);
    }
  }

  private JsonObject queue(String name) {
    return objects
        .find(KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster(name))
        .map(queue -> KueueJson.toTree(queue).getAsJsonObject())
        .orElseThrow(
            () -> new IllegalArgumentException("there is no ClusterQueue \"" + name + "\""));
  }

  private void put(JsonObject queue) {
    objects.put(KueueTypes.CLUSTER_QUEUE, KueueJson.fromTree(queue, KueueTypes.CLUSTER_QUEUE));
  }

  private static JsonArray array(JsonElement from, String... path) {
    JsonElement at = from;
    for (String step : path) {
      at = at instanceof JsonObject object ? object.get(step) : null;
    }
    return at instanceof JsonArray array ? array : new JsonArray();
  }

  private static String text(JsonElement object, String member) {
    return object instanceof JsonObject known && known.get(member) instanceof JsonPrimitive text
        ? text.getAsString()
        : "";
  }
}
