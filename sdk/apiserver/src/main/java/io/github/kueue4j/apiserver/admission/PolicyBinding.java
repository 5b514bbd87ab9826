// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.selectors.LabelSelector;
import io.github.kueue4j.apiserver.selectors.Selector;
import io.github.kueue4j.apiserver.tree.Trees;
import java.util.HashSet;
import java.util.Set;

/**
 * A ValidatingAdmissionPolicyBinding: where a policy holds and what follows from a violation.
 *
 * @param wanted what it narrows the policy to; without rules everything
 * @param actions such as {@code Deny}
 */
record PolicyBinding(
    String name,
    String policy,
    Matching.Wanted wanted,
    Set<String> actions,
    Parameters parameters) {

  /**
   * The objects that are the policy's parameters.
   *
   * @param name of one object, empty if they are selected
   * @param namespace of the objects, empty for the write's own
   * @param mayBeMissing whether a write goes on without any
   */
  record Parameters(String name, String namespace, Selector selector, boolean mayBeMissing) {}

  static PolicyBinding read(ObjectNode binding) {
    ObjectNode spec = Trees.object(binding, "spec");
    Set<String> actions = new HashSet<>();
    spec.path("validationActions").forEach(action -> actions.add(action.asText()));
    JsonNode parameters = spec.path("paramRef");
    return new PolicyBinding(
        Trees.name(binding),
        Trees.text(spec, "policyName"),
        Matching.Wanted.read(spec.path("matchResources"), "resourceRules"),
        Set.copyOf(actions),
        new Parameters(
            Trees.text(parameters, "name"),
            Trees.text(parameters, "namespace"),
            LabelSelector.of(parameters.path("selector")),
            Trees.text(parameters, "parameterNotFoundAction").equals("Allow")));
  }
}
