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
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.testkit.selectors.LabelSelector;
import io.github.kueue4j.testkit.selectors.Selector;
import io.github.kueue4j.testkit.tree.Trees;
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
   * Which objects are the policy's parameters.
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
