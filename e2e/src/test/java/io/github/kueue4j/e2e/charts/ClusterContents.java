// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.testkit.client.JsonApi;
import io.github.kueue4j.testkit.client.PatchFormat;
import io.github.kueue4j.testkit.client.RefusedRequestException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.Yaml;

/** All objects of a cluster, of whatever kind, over the plain API. */
public final class ClusterContents implements AutoCloseable {
  /** What the server and its controllers make by themselves, and Helm's record of releases. */
  private static final Pattern OF_OTHERS =
      Pattern.compile(
          "(events|leases|endpoints|endpointslices|ipaddresses|apiservices) .*|.*sh\\.helm\\.release.*");

  private static final ObjectMapper JSON = new ObjectMapper();

  private final JsonApi api;

  private ClusterContents(JsonApi api) {
    this.api = api;
  }

  /** Of the cluster of a kubeconfig's current context. */
  public static ClusterContents of(Path kubeconfig) {
    return new ClusterContents(JsonApi.of(kubeconfig));
  }

  /** Such as {@code services kueue-system/kueue-webhook-service}. */
  public Set<String> objects() {
    Set<String> all = new TreeSet<>();
    addResources("/api/v1", all);
    for (JsonElement group : get("/apis").getAsJsonArray("groups")) {
      String version =
          group
              .getAsJsonObject()
              .getAsJsonObject("preferredVersion")
              .get("groupVersion")
              .getAsString();
      addResources("/apis/" + version, all);
    }
    all.removeIf(each -> OF_OTHERS.matcher(each).matches());
    return all;
  }

  private void addResources(String group, Set<String> all) {
    for (JsonElement each : get(group).getAsJsonArray("resources")) {
      String resource = each.getAsJsonObject().get("name").getAsString();
      if (!resource.contains("/")
          && each.getAsJsonObject().get("verbs").toString().contains("list")) {
        for (JsonElement item : get(group + "/" + resource).getAsJsonArray("items")) {
          JsonObject metadata = item.getAsJsonObject().getAsJsonObject("metadata");
          String namespace =
              metadata.has("namespace") ? metadata.get("namespace").getAsString() + "/" : "";
          all.add(resource + " " + namespace + metadata.get("name").getAsString());
        }
      }
    }
  }

  /** The object, or the list, at a path. */
  public JsonObject get(String path) {
    return JsonParser.parseString(
            served(() -> api.get(path).orElseThrow(() -> new AssertionError("no " + path)))
                .toString())
        .getAsJsonObject();
  }

  /** Creates an object, in YAML, in the collection at a path. */
  public void create(String path, String object) {
    served(() -> api.create(path, JSON.valueToTree(new Yaml().load(object))));
  }

  /** Sends a merge patch. */
  public void patch(String path, String patch) {
    served(() -> api.patch(path, PatchFormat.MERGE, JSON.readTree(patch)));
  }

  /** 429: the server starts to serve a kind whose definition has just changed. */
  private static ObjectNode served(Callable<ObjectNode> request) {
    return await()
        .ignoreExceptionsMatching(
            problem ->
                problem instanceof RefusedRequestException refused && refused.status() == 429)
        .until(request, answer -> true);
  }

  @Override
  public void close() {
    api.close();
  }
}
