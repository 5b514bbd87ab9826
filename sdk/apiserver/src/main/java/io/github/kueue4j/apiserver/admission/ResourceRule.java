// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.kueue4j.apiserver.kinds.ServedResource;
import io.github.kueue4j.apiserver.objects.Admission;
import io.github.kueue4j.apiserver.tree.Trees;
import java.util.HashSet;
import java.util.Set;

/**
 * The writes and resources that a webhook or policy asks for.
 *
 * @param names of objects, empty for all
 */
record ResourceRule(
    Set<String> operations,
    Set<String> groups,
    Set<String> versions,
    Set<String> resources,
    String scope,
    Set<String> names) {
  private static final String ANY = "*";

  static ResourceRule read(JsonNode rule) {
    return new ResourceRule(
        texts(rule.path("operations")),
        texts(rule.path("apiGroups")),
        texts(rule.path("apiVersions")),
        texts(rule.path("resources")),
        Trees.text(rule, "scope"),
        texts(rule.path("resourceNames")));
  }

  private static Set<String> texts(JsonNode list) {
    Set<String> texts = new HashSet<>();
    list.forEach(text -> texts.add(text.asText()));
    return Set.copyOf(texts);
  }

  /**
   * Whether such a write is one of them.
   *
   * @param resource the version in which it is looked at
   */
  boolean matches(Admission.Attempt attempt, ServedResource resource) {
    return has(operations, attempt.writeOperation().name())
        && has(groups, resource.group())
        && has(versions, resource.version())
        && scopeFits(resource)
        && (names.isEmpty() || names.contains(attempt.key().name()))
        && resources.stream().anyMatch(named -> names(named, resource, attempt.subresource()));
  }

  private static boolean has(Set<String> wanted, String value) {
    return wanted.contains(ANY) || wanted.contains(value);
  }

  private boolean scopeFits(ServedResource resource) {
    return switch (scope) {
      case "Namespaced" -> resource.namespaced();
      case "Cluster" -> !resource.namespaced();
      default -> true;
    };
  }

  private static boolean names(String named, ServedResource resource, String subresource) {
    int slash = named.indexOf('/');
    String plural = slash < 0 ? named : named.substring(0, slash);
    String part = slash < 0 ? "" : named.substring(slash + 1);
    return (plural.equals(ANY) || plural.equals(resource.plural()))
        && (part.equals(ANY) || part.equals(subresource));
  }
}
