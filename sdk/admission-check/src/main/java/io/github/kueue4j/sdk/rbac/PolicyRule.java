// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.rbac;

import java.util.List;

/**
 * One rule of a Role or ClusterRole.
 *
 * @param names the only objects that the rule covers; empty: all
 */
record PolicyRule(String group, List<String> resources, List<String> verbs, List<String> names) {

  /** What reading through an informer takes. */
  static final List<String> READ = List.of("list", "watch");

  static PolicyRule of(String group, List<String> resources, List<String> verbs) {
    return new PolicyRule(group, resources, verbs, List.of());
  }

  /** As kubectl writes resources: the plural, and the group behind a dot unless it is the core. */
  static PolicyRule on(String resource, List<String> verbs) {
    int dot = resource.indexOf('.');
    return dot < 0
        ? of("", List.of(resource), verbs)
        : of(resource.substring(dot + 1), List.of(resource.substring(0, dot)), verbs);
  }

  PolicyRule named(List<String> only) {
    return new PolicyRule(group, resources, verbs, only);
  }

  /** The same verbs on the status subresource. */
  PolicyRule onStatus() {
    return onPart("/status");
  }

  /** The same verbs on the finalizers. */
  PolicyRule onFinalizers() {
    return onPart("/finalizers");
  }

  private PolicyRule onPart(String part) {
    return new PolicyRule(group, resources.stream().map(one -> one + part).toList(), verbs, names);
  }

  String yaml() {
    String names = this.names.isEmpty() ? "" : "\n    resourceNames: " + list(this.names);
    return "  - apiGroups: [\"%s\"]\n    resources: %s%s\n    verbs: %s\n"
        .formatted(group, list(resources), names, list(verbs));
  }

  private static String list(List<String> words) {
    return "[" + String.join(", ", words) + "]";
  }
}
