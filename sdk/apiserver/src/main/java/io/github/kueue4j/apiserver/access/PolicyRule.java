// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.access;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.kueue4j.apiserver.traffic.ApiRequest;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * One rule of a Role or ClusterRole: every verb on every resource of every group in it. An asterisk
 * stands for all of them.
 *
 * @param verbs such as {@code get}, or HTTP methods in lower case for URLs
 * @param groups API groups, the core group is empty
 * @param resources plural names, with {@code /SUBRESOURCE} for a subresource
 * @param names object names that the rule is limited to; empty for all
 * @param urls paths that are no resources, such as {@code /healthz} or {@code /apis/*}
 */
@API(status = API.Status.EXPERIMENTAL)
public record PolicyRule(
    Set<String> verbs,
    Set<String> groups,
    Set<String> resources,
    Set<String> names,
    Set<String> urls) {
  private static final String ALL = "*";

  public PolicyRule {
    verbs = Set.copyOf(verbs);
    groups = Set.copyOf(groups);
    resources = Set.copyOf(resources);
    names = Set.copyOf(names);
    urls = Set.copyOf(urls);
  }

  /** Reads one of a role's rules. */
  public static PolicyRule of(JsonNode rule) {
    return new PolicyRule(
        texts(rule, "verbs"),
        texts(rule, "apiGroups"),
        texts(rule, "resources"),
        texts(rule, "resourceNames"),
        texts(rule, "nonResourceURLs"));
  }

  private static Set<String> texts(JsonNode rule, String field) {
    Set<String> texts = new LinkedHashSet<>();
    rule.path(field).forEach(text -> texts.add(text.asText()));
    return texts;
  }

  /** Whether the rule allows a request; the namespace in which it is in force isn't considered. */
  public boolean allows(ApiRequest request) {
    if (!has(verbs, request.verb())) {
      return false;
    }
    return request.resourceRequest()
        ? has(groups, request.group())
            && hasResource(request)
            && (names.isEmpty() || names.contains(request.name()))
        : urls.stream().anyMatch(url -> covers(url, request.path()));
  }

  private boolean hasResource(ApiRequest request) {
    if (request.subresource().isEmpty()) {
      return has(resources, request.resource());
    }
    return has(resources, request.resource() + "/" + request.subresource())
        || resources.contains("*/" + request.subresource());
  }

  private static boolean has(Set<String> set, String element) {
    return set.contains(ALL) || set.contains(element);
  }

  private static boolean covers(String url, String path) {
    return url.endsWith(ALL)
        ? path.startsWith(url.substring(0, url.length() - 1))
        : url.equals(path);
  }
}
