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
package io.github.kueue4j.sdk.rights;

import java.util.List;

/**
 * One rule of a role.
 *
 * @param names the only objects that it is about; empty: all
 */
record Rule(String group, List<String> resources, List<String> verbs, List<String> names) {

  /** What reading through an informer takes. */
  static final List<String> READ = List.of("list", "watch");

  static Rule of(String group, List<String> resources, List<String> verbs) {
    return new Rule(group, resources, verbs, List.of());
  }

  /** As kubectl writes resources: the plural, and the group behind a dot unless it is the core. */
  static Rule on(String resource, List<String> verbs) {
    int dot = resource.indexOf('.');
    return dot < 0
        ? of("", List.of(resource), verbs)
        : of(resource.substring(dot + 1), List.of(resource.substring(0, dot)), verbs);
  }

  Rule named(List<String> only) {
    return new Rule(group, resources, verbs, only);
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
