// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.access.Grant;
import io.github.kueue4j.apiserver.access.Identification;
import io.github.kueue4j.apiserver.access.PolicyRule;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.apiserver.kinds.ServedResource;
import io.github.kueue4j.apiserver.status.ApiErrors;
import io.github.kueue4j.apiserver.traffic.ApiRequest;
import io.github.kueue4j.apiserver.tree.Trees;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Answers reviews: objects that ask who a user is, or what a user may do. Nothing is stored.
 *
 * <p>Source: the API groups {@code authorization.k8s.io/v1} and {@code authentication.k8s.io/v1}.
 */
record Reviews(Authorizer authorizer, Identification identification) {

  void create(Exchange exchange, ServedResource resource) throws IOException {
    ObjectNode review = exchange.body().object(false);
    ObjectNode answer = Trees.empty();
    answer.put("kind", resource.kind()).put("apiVersion", resource.apiVersion());
    answer.set("metadata", Trees.metadata(review));
    ObjectNode spec = Trees.object(review, "spec");
    if (!resource.kind().equals("SelfSubjectReview")) {
      answer.set("spec", spec);
    }
    answer.set(
        "status",
        switch (resource.kind()) {
          case "SelfSubjectAccessReview" -> access(exchange.user(), spec);
          case "SubjectAccessReview" -> access(subject(spec), spec);
          case "LocalSubjectAccessReview" -> local(exchange.api().namespace(), spec);
          case "SelfSubjectRulesReview" -> rules(exchange.user(), Trees.text(spec, "namespace"));
          case "TokenReview" -> token(Trees.text(spec, "token"));
          case "SelfSubjectReview" -> {
            ObjectNode status = Trees.empty();
            status.set("userInfo", userInfo(exchange.user()));
            yield status;
          }
          default -> throw ApiErrors.methodNotAllowed(exchange.method());
        });
    exchange.answer(201, answer);
  }

  private static User subject(ObjectNode spec) {
    String name = Trees.text(spec, "user");
    Set<String> groups = new HashSet<>();
    spec.path("groups").forEach(group -> groups.add(group.asText()));
    if (name.isEmpty() && groups.isEmpty()) {
      throw ApiErrors.badRequest("at least one of user or group must be specified");
    }
    return new User(name, groups);
  }

  private ObjectNode local(String namespace, ObjectNode spec) {
    if (!Trees.text(spec.path("resourceAttributes"), "namespace").equals(namespace)) {
      throw ApiErrors.badRequest(
          "spec.resourceAttributes.namespace must match namespace: " + namespace);
    }
    return access(subject(spec), spec);
  }

  private ObjectNode access(User user, ObjectNode spec) {
    JsonNode resource = spec.path("resourceAttributes");
    JsonNode path = spec.path("nonResourceAttributes");
    if (resource.isObject() == path.isObject()) {
      throw ApiErrors.badRequest(
          "exactly one of nonResourceAttributes or resourceAttributes must be specified");
    }
    ApiRequest request =
        resource.isObject()
            ? new ApiRequest(
                Trees.text(resource, "verb"),
                "",
                new ApiRequest.ResourceAttributes(
                    Trees.text(resource, "group"),
                    Trees.text(resource, "version"),
                    Trees.text(resource, "resource"),
                    Trees.text(resource, "subresource"),
                    Trees.text(resource, "namespace"),
                    Trees.text(resource, "name")),
                "")
            : new ApiRequest(Trees.text(path, "verb"), Trees.text(path, "path"), null, "");
    ObjectNode status = Trees.empty();
    return status.put("allowed", authorizer.access().allows(user, request));
  }

  private ObjectNode rules(User user, String namespace) {
    ObjectNode status = Trees.empty();
    ArrayNode resources = status.putArray("resourceRules");
    ArrayNode urls = status.putArray("nonResourceRules");
    if (user.equals(User.ADMINISTRATOR)) {
      Set<String> all = Set.of("*");
      rule(resources, urls, new PolicyRule(all, all, all, Set.of(), Set.of()));
      rule(resources, urls, new PolicyRule(all, Set.of(), Set.of(), Set.of(), all));
    }
    for (Grant grant : authorizer.access().grants(user)) {
      if (grant.namespace().isEmpty() || grant.namespace().equals(namespace)) {
        rule(resources, urls, grant.rule());
      }
    }
    return status.put("incomplete", false);
  }

  private static void rule(ArrayNode resources, ArrayNode urls, PolicyRule rule) {
    if (!rule.resources().isEmpty()) {
      ObjectNode node = resources.addObject();
      texts(node, "verbs", rule.verbs());
      texts(node, "apiGroups", rule.groups());
      texts(node, "resources", rule.resources());
      texts(node, "resourceNames", rule.names());
    }
    if (!rule.urls().isEmpty()) {
      ObjectNode node = urls.addObject();
      texts(node, "verbs", rule.verbs());
      texts(node, "nonResourceURLs", rule.urls());
    }
  }

  private static void texts(ObjectNode node, String field, Set<String> texts) {
    if (!texts.isEmpty()) {
      new TreeSet<>(texts).forEach(node.putArray(field)::add);
    }
  }

  private ObjectNode token(String token) {
    Optional<User> user = token.isEmpty() ? Optional.empty() : identification.ofToken(token);
    ObjectNode status = Trees.empty();
    if (user.isPresent()) {
      status.put("authenticated", true);
      status.set("user", userInfo(user.get()));
    } else {
      status.put("error", "invalid bearer token");
    }
    return status;
  }

  private static ObjectNode userInfo(User user) {
    ObjectNode info = Trees.empty();
    info.put("username", user.name());
    texts(info, "groups", user.groups());
    return info;
  }
}
