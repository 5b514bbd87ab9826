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
package io.github.kueue4j.testkit.admission;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.kueue4j.testkit.kinds.ServedResource;
import io.github.kueue4j.testkit.objects.Admission;
import io.github.kueue4j.testkit.tree.Trees;
import java.util.HashSet;
import java.util.Set;

/**
 * Which writes of which resources somebody wants to see.
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
    return has(operations, attempt.operation().name())
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
