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
package io.github.kueue4j.core.config;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * A label selector over namespaces ({@code managedJobsNamespaceSelector}): Jobs elsewhere are left
 * alone, with or without a queue name.
 *
 * @param selector what a namespace's labels must be
 */
@API(status = API.Status.EXPERIMENTAL)
public record ManagedNamespaces(LabelSelection selector) {
  private static final String NAME_LABEL = "kubernetes.io/metadata.name";

  /** Everything but kube-system and the namespace that the core itself runs in. */
  static ManagedNamespaces allBut(String ownNamespace) {
    return new ManagedNamespaces(
        new LabelSelection(
            Map.of(),
            List.of(
                new LabelSelection.Requirement(
                    NAME_LABEL,
                    LabelSelection.Operator.NOT_IN,
                    Set.of("kube-system", ownNamespace)))));
  }

  /**
   * Whether Jobs of a namespace are managed.
   *
   * @param name the namespace; stands in for the name label, which every API server sets
   * @param labels the labels of the namespace
   */
  public boolean matches(String name, Map<String, String> labels) {
    Map<String, String> all = new TreeMap<>(labels);
    all.put(NAME_LABEL, name);
    return selector.matches(all);
  }

  static ManagedNamespaces read(ConfigurationBlock parent, String ownNamespace) {
    String key = "managedJobsNamespaceSelector";
    if (!parent.has(key)) {
      return allBut(ownNamespace);
    }
    ManagedNamespaces namespaces = new ManagedNamespaces(LabelSelection.read(parent, key));
    for (String reserved : List.of("kube-system", ownNamespace)) {
      if (namespaces.matches(reserved, Map.of())) {
        throw parent.invalid(
            key,
            "must not match namespace \""
                + reserved
                + "\"; exclude it with "
                + NAME_LABEL
                + " NotIn");
      }
    }
    return namespaces;
  }
}
