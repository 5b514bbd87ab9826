// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.discovery;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.kinds.ResourceRegistry;
import io.github.kueue4j.apiserver.kinds.ServedResource;
import io.github.kueue4j.apiserver.tree.Trees;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.apiguardian.api.API;

/** The discovery documents: which groups, versions and resources are served. */
@API(status = API.Status.INTERNAL)
public final class Discovery {
  private static final List<String> VERBS =
      List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");
  private static final List<String> SUBRESOURCE_VERBS = List.of("get", "patch", "update");

  private final ResourceRegistry registry;

  public Discovery(ResourceRegistry registry) {
    this.registry = registry;
  }

  /** What {@code GET /} lists. */
  public ObjectNode paths() {
    ObjectNode answer = Trees.empty();
    ArrayNode paths = answer.putArray("paths");
    for (String path : List.of("/api", "/api/v1", "/apis")) {
      paths.add(path);
    }
    registry
        .groups()
        .forEach(
            (group, versions) -> {
              if (!group.isEmpty()) {
                paths.add("/apis/" + group);
                versions.forEach(version -> paths.add("/apis/" + group + "/" + version));
              }
            });
    for (String path :
        List.of(
            "/healthz",
            "/livez",
            "/metrics",
            "/openapi/v2",
            "/openapi/v3",
            "/readyz",
            "/version")) {
      paths.add(path);
    }
    return answer;
  }

  /** What {@code GET /api} answers. */
  public ObjectNode coreVersions() {
    ObjectNode versions = Trees.empty();
    versions.put("kind", "APIVersions");
    versions.putArray("versions").add("v1");
    ObjectNode address = versions.putArray("serverAddressByClientCIDRs").addObject();
    address.put("clientCIDR", "0.0.0.0/0").put("serverAddress", "127.0.0.1");
    return versions;
  }

  /** What {@code GET /apis} answers. */
  public ObjectNode groups() {
    ObjectNode list = Trees.empty();
    list.put("kind", "APIGroupList").put("apiVersion", "v1");
    ArrayNode groups = list.putArray("groups");
    registry
        .groups()
        .forEach(
            (group, versions) -> {
              if (!group.isEmpty()) {
                groups.add(group(group, versions));
              }
            });
    return list;
  }

  /** The answer to {@code GET /apis/GROUP}; empty if the group isn't served. */
  public Optional<ObjectNode> group(String name) {
    List<String> versions = registry.groups().get(name);
    if (name.isEmpty() || versions == null) {
      return Optional.empty();
    }
    ObjectNode group = Trees.empty();
    group.put("kind", "APIGroup").put("apiVersion", "v1");
    group.setAll(group(name, versions));
    return Optional.of(group);
  }

  private static ObjectNode group(String name, List<String> versions) {
    ObjectNode group = Trees.empty();
    group.put("name", name);
    ArrayNode list = group.putArray("versions");
    for (String version : versions) {
      list.addObject().put("groupVersion", name + "/" + version).put("version", version);
    }
    group
        .putObject("preferredVersion")
        .put("groupVersion", name + "/" + versions.get(0))
        .put("version", versions.get(0));
    return group;
  }

  /** The answer to {@code GET /apis/GROUP/VERSION}; empty if that isn't served. */
  public Optional<ObjectNode> resources(String group, String version) {
    Collection<ServedResource> resources = registry.resources(group, version);
    if (resources.isEmpty()) {
      return Optional.empty();
    }
    ObjectNode list = Trees.empty();
    list.put("kind", "APIResourceList");
    list.put("apiVersion", "v1");
    list.put("groupVersion", group.isEmpty() ? version : group + "/" + version);
    ArrayNode entries = list.putArray("resources");
    for (ServedResource resource : resources) {
      ObjectNode entry = entries.addObject();
      entry.put("name", resource.plural());
      entry.put("singularName", resource.names().singular());
      entry.put("namespaced", resource.namespaced());
      entry.put("kind", resource.kind());
      verbs(resource).forEach(entry.putArray("verbs")::add);
      texts(entry, "shortNames", resource.names().shortNames());
      texts(entry, "categories", resource.names().categories());
      for (String subresource : new TreeSet<>(resource.subresources())) {
        ObjectNode part = entries.addObject();
        part.put("name", resource.plural() + "/" + subresource);
        part.put("singularName", "");
        part.put("namespaced", resource.namespaced());
        part.put("kind", subresourceKind(resource, subresource));
        subresourceVerbs(subresource).forEach(part.putArray("verbs")::add);
      }
    }
    return Optional.of(list);
  }

  /** The aggregated form of {@code /api} (core) or {@code /apis}. */
  public ObjectNode aggregated(boolean core) {
    ObjectNode list = Trees.empty();
    list.put("kind", "APIGroupDiscoveryList").put("apiVersion", "apidiscovery.k8s.io/v2");
    list.putObject("metadata");
    ArrayNode items = list.putArray("items");
    for (Map.Entry<String, List<String>> group : registry.groups().entrySet()) {
      if (group.getKey().isEmpty() != core) {
        continue;
      }
      ObjectNode item = items.addObject();
      ObjectNode metadata = item.putObject("metadata");
      if (!core) {
        metadata.put("name", group.getKey());
      }
      metadata.putNull("creationTimestamp");
      ArrayNode versions = item.putArray("versions");
      for (String version : group.getValue()) {
        ObjectNode entry = versions.addObject();
        entry.put("version", version);
        ArrayNode resources = entry.putArray("resources");
        registry
            .resources(group.getKey(), version)
            .forEach(resource -> resources.add(aggregated(resource)));
        entry.put("freshness", "Current");
      }
    }
    return list;
  }

  private static ObjectNode aggregated(ServedResource resource) {
    ObjectNode entry = Trees.empty();
    entry.put("resource", resource.plural());
    entry.set("responseKind", kind(resource, resource.kind()));
    entry.put("scope", resource.namespaced() ? "Namespaced" : "Cluster");
    entry.put("singularResource", resource.names().singular());
    verbs(resource).forEach(entry.putArray("verbs")::add);
    texts(entry, "shortNames", resource.names().shortNames());
    texts(entry, "categories", resource.names().categories());
    if (!resource.subresources().isEmpty()) {
      ArrayNode parts = entry.putArray("subresources");
      for (String subresource : new TreeSet<>(resource.subresources())) {
        ObjectNode part = parts.addObject();
        part.put("subresource", subresource);
        part.set("responseKind", kind(resource, subresourceKind(resource, subresource)));
        subresourceVerbs(subresource).forEach(part.putArray("verbs")::add);
      }
    }
    return entry;
  }

  private static List<String> verbs(ServedResource resource) {
    return resource.isReview() ? List.of("create") : VERBS;
  }

  private static ObjectNode kind(ServedResource resource, String kind) {
    ObjectNode coordinates = Trees.empty();
    coordinates.put("group", resource.group());
    coordinates.put("version", resource.version());
    coordinates.put("kind", kind);
    return coordinates;
  }

  private static String subresourceKind(ServedResource resource, String subresource) {
    return switch (subresource) {
      case "binding" -> "Binding";
      case "eviction" -> "Eviction";
      default -> resource.kind();
    };
  }

  private static List<String> subresourceVerbs(String subresource) {
    return switch (subresource) {
      case "binding", "eviction" -> List.of("create");
      case "finalize" -> List.of("update");
      default -> SUBRESOURCE_VERBS;
    };
  }

  private static void texts(ObjectNode entry, String field, List<String> values) {
    if (!values.isEmpty()) {
      values.forEach(entry.putArray(field)::add);
    }
  }
}
