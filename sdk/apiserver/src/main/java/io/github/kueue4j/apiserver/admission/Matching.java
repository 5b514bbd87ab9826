// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.access.RoleBasedAccess;
import io.github.kueue4j.apiserver.cel.AuthorizerFunctions;
import io.github.kueue4j.apiserver.cel.RequestAuthorizer;
import io.github.kueue4j.apiserver.kinds.BuiltInKinds;
import io.github.kueue4j.apiserver.kinds.ResourceRegistry;
import io.github.kueue4j.apiserver.kinds.ServedResource;
import io.github.kueue4j.apiserver.objects.Admission;
import io.github.kueue4j.apiserver.selectors.LabelSelector;
import io.github.kueue4j.apiserver.selectors.Selector;
import io.github.kueue4j.apiserver.store.Key;
import io.github.kueue4j.apiserver.store.ObjectStore;
import io.github.kueue4j.apiserver.store.StoredObject;
import io.github.kueue4j.apiserver.tree.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a webhook or policy matches a write, and in which version it gets the objects.
 *
 * @param access what users may do, for the {@code authorizer} of expressions
 */
record Matching(ObjectStore store, ResourceRegistry registry, Supplier<RoleBasedAccess> access) {

  /**
   * The writes that a webhook or policy asks for.
   *
   * @param equivalent whether another version of a resource is converted for them
   */
  record Wanted(
      List<ResourceRule> rules,
      List<ResourceRule> except,
      boolean equivalent,
      Selector namespaces,
      Selector objects) {

    /**
     * Reads the match of a webhook or policy.
     *
     * @param rules the field that holds the rules
     */
    static Wanted read(JsonNode match, String rules) {
      return new Wanted(
          rules(match.path(rules)),
          rules(match.path("excludeResourceRules")),
          !Trees.text(match, "matchPolicy").equals("Exact"),
          LabelSelector.of(match.path("namespaceSelector")),
          LabelSelector.of(match.path("objectSelector")));
    }

    private static List<ResourceRule> rules(JsonNode list) {
      List<ResourceRule> rules = new ArrayList<>();
      list.forEach(rule -> rules.add(ResourceRule.read(rule)));
      return List.copyOf(rules);
    }
  }

  /** The write as they want to see it; empty if they don't. */
  Optional<Review> review(Wanted wanted, Admission.Attempt attempt, @Nullable ObjectNode object) {
    Optional<ServedResource> version = version(wanted, attempt);
    if (version.isEmpty() || !selects(wanted, attempt, object)) {
      return Optional.empty();
    }
    ServedResource seen = version.get();
    return Optional.of(
        new Review(
            attempt,
            seen,
            convert(object, attempt.resource(), seen),
            convert(attempt.old(), attempt.resource(), seen)));
  }

  /** The variables of expressions about a write; more may be put in. */
  Map<String, Object> variables(Review review) {
    Admission.Attempt attempt = review.attempt();
    Map<String, Object> variables = review.variables(namespaceOf(attempt));
    RequestAuthorizer authorizer = new RoleAuthorizer(access.get(), attempt.user());
    variables.put("authorizer", authorizer);
    variables.put(
        "authorizer.requestResource",
        new AuthorizerFunctions.ResourceCheck(
            authorizer,
            new RequestAuthorizer.Question(
                "",
                attempt.resource().group(),
                attempt.resource().plural(),
                attempt.subresource(),
                attempt.key().namespace(),
                attempt.key().name(),
                "")));
    return variables;
  }

  /** Whether the selectors take the write in, whatever the rules say. */
  boolean selects(Wanted wanted, Admission.Attempt attempt, @Nullable ObjectNode object) {
    return selectsNamespace(wanted.namespaces(), attempt, object)
        && selectsObject(wanted.objects(), attempt, object);
  }

  /** An object in another version of its resource. */
  static @Nullable ObjectNode convert(
      @Nullable ObjectNode object, ServedResource from, ServedResource to) {
    return object == null || from.version().equals(to.version())
        ? object
        : to.conversion().toServed(from.conversion().toStored(object));
  }

  private Optional<ServedResource> version(Wanted wanted, Admission.Attempt attempt) {
    ServedResource asked = attempt.resource();
    if (any(wanted.except(), attempt, asked)) {
      return Optional.empty();
    }
    if (any(wanted.rules(), attempt, asked)) {
      return Optional.of(asked);
    }
    if (!wanted.equivalent()) {
      return Optional.empty();
    }
    return registry.groups().getOrDefault(asked.group(), List.of()).stream()
        .flatMap(version -> registry.find(asked.group(), version, asked.plural()).stream())
        .filter(other -> any(wanted.rules(), attempt, other))
        .findFirst();
  }

  private static boolean any(
      List<ResourceRule> rules, Admission.Attempt attempt, ServedResource resource) {
    return rules.stream().anyMatch(rule -> rule.matches(attempt, resource));
  }

  private boolean selectsNamespace(
      Selector selector, Admission.Attempt attempt, @Nullable ObjectNode object) {
    if (selector == Selector.ALL) {
      return true;
    }
    if (attempt.resource().storageName().equals(BuiltInKinds.NAMESPACES)) {
      ObjectNode namespace = object == null ? attempt.old() : object;
      return namespace == null || selector.selects(namespace);
    }
    if (!attempt.resource().namespaced()) {
      return true;
    }
    ObjectNode namespace = namespaceOf(attempt);
    return namespace != null && selector.selects(namespace);
  }

  /** The namespace that the object is in; null for cluster scope. */
  @Nullable ObjectNode namespaceOf(Admission.Attempt attempt) {
    return store
        .kind(BuiltInKinds.NAMESPACES)
        .get(new Key("", attempt.key().namespace()))
        .map(StoredObject::tree)
        .orElse(null);
  }

  private static boolean selectsObject(
      Selector selector, Admission.Attempt attempt, @Nullable ObjectNode object) {
    ObjectNode old = attempt.old();
    return selector == Selector.ALL
        || (object != null && selector.selects(object))
        || (old != null && selector.selects(old));
  }
}
