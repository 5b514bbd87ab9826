// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.access.RoleBasedAccess;
import io.github.kueue4j.apiserver.cel.JsonValues;
import io.github.kueue4j.apiserver.kinds.ResourceRegistry;
import io.github.kueue4j.apiserver.kinds.ServedResource;
import io.github.kueue4j.apiserver.objects.Admission;
import io.github.kueue4j.apiserver.status.ApiErrors;
import io.github.kueue4j.apiserver.store.Derived;
import io.github.kueue4j.apiserver.store.Key;
import io.github.kueue4j.apiserver.store.ObjectStore;
import io.github.kueue4j.apiserver.store.StoredObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Checks writes against the stored ValidatingAdmissionPolicies, where bindings put them in force.
 *
 * <p>Source: Kubernetes documentation, "Validating Admission Policy".
 */
@API(status = API.Status.INTERNAL)
public final class PolicyAdmission implements Admission {
  private static final String POLICIES = WebhookAdmission.GROUP + "/validatingadmissionpolicies";
  private static final String BINDINGS =
      WebhookAdmission.GROUP + "/validatingadmissionpolicybindings";

  /** A policy in force. */
  private record Bound(Policy policy, PolicyBinding binding) {}

  private final ObjectStore store;
  private final ResourceRegistry registry;
  private final Matching matching;
  private final Derived<List<Bound>> bound;

  /**
   * Finds policies and bindings in the store.
   *
   * @param access what users may do, for the {@code authorizer} of expressions
   */
  public PolicyAdmission(
      ObjectStore store, ResourceRegistry registry, Supplier<RoleBasedAccess> access) {
    this.store = store;
    this.registry = registry;
    this.matching = new Matching(store, registry, access);
    this.bound =
        new Derived<>(store, kind -> kind.equals(POLICIES) || kind.equals(BINDINGS), this::read);
  }

  private List<Bound> read() {
    Map<String, Policy> policies = new HashMap<>();
    for (StoredObject policy : store.kind(POLICIES).current("")) {
      policies.put(policy.key().name(), Policy.read(policy.tree()));
    }
    List<Bound> result = new ArrayList<>();
    for (StoredObject object : store.kind(BINDINGS).current("")) {
      PolicyBinding binding = PolicyBinding.read(object.tree());
      Policy policy = policies.get(binding.policy());
      if (policy != null) {
        result.add(new Bound(policy, binding));
      }
    }
    return result;
  }

  @Override
  public Optional<ObjectNode> mutate(Attempt attempt, @Nullable ObjectNode object) {
    return Optional.empty();
  }

  @Override
  public void validate(Attempt attempt, @Nullable ObjectNode object) {
    List<Bound> inForce = bound.get();
    if (inForce.isEmpty() || attempt.resource().group().equals(WebhookAdmission.GROUP)) {
      return;
    }
    for (Bound each : inForce) {
      Optional<Review> review = matching.review(each.policy().wanted(), attempt, object);
      if (review.isPresent() && isBound(each.binding(), attempt, object)) {
        check(each, review.get());
      }
    }
  }

  private boolean isBound(PolicyBinding binding, Attempt attempt, @Nullable ObjectNode object) {
    Matching.Wanted wanted = binding.wanted();
    return wanted.rules().isEmpty()
        ? matching.selects(wanted, attempt, object)
        : matching.review(wanted, attempt, object).isPresent();
  }

  private void check(Bound bound, Review review) {
    Map<String, Object> known = matching.variables(review);
    Policy policy = bound.policy();
    if (!policy.takesParameters()) {
      policy.violations(known).forEach(violation -> act(bound, review, violation));
      return;
    }
    List<ObjectNode> parameters = parameters(bound, review.attempt());
    if (parameters.isEmpty() && !bound.binding().parameters().mayBeMissing()) {
      act(
          bound,
          review,
          new Policy.Violation(
              "no params found for policy binding with `Deny` parameterNotFoundAction", ""));
    }
    for (JsonNode parameter : parameters) {
      known.put("params", JsonValues.toCel(parameter));
      policy.violations(known).forEach(violation -> act(bound, review, violation));
    }
  }

  private List<ObjectNode> parameters(Bound bound, Attempt attempt) {
    Optional<ServedResource> kind =
        registry.findKind(bound.policy().paramApiVersion(), bound.policy().paramKind());
    if (kind.isEmpty()) {
      return List.of();
    }
    ServedResource resource = kind.get();
    PolicyBinding.Parameters wanted = bound.binding().parameters();
    String namespace =
        !resource.namespaced()
            ? ""
            : wanted.namespace().isEmpty() ? attempt.key().namespace() : wanted.namespace();
    List<StoredObject> found =
        wanted.name().isEmpty()
            ? List.copyOf(store.kind(resource.storageName()).current(namespace))
            : store.kind(resource.storageName()).get(new Key(namespace, wanted.name())).stream()
                .toList();
    return found.stream()
        .map(object -> resource.conversion().toServed(object.tree()))
        .filter(wanted.selector()::selects)
        .toList();
  }

  private static void act(Bound bound, Review review, Policy.Violation violation) {
    String where =
        "ValidatingAdmissionPolicy '%s' with binding '%s'"
            .formatted(bound.policy().name(), bound.binding().name());
    if (bound.binding().actions().contains("Warn")) {
      review
          .attempt()
          .warnings()
          .accept("Validation failed for " + where + ": " + violation.message());
    }
    if (bound.binding().actions().contains("Deny")) {
      Attempt attempt = review.attempt();
      throw ApiErrors.deniedByPolicy(
          attempt.resource().group(),
          attempt.resource().plural(),
          attempt.key().name(),
          where + " denied request: " + violation.message(),
          violation.reason());
    }
  }
}
