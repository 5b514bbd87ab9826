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

import io.github.kueue4j.core.job.CopiedMetadata;
import io.github.kueue4j.core.job.JobKinds;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The kinds of Jobs that are managed (the block {@code integrations}).
 *
 * @param frameworks such as {@code batch/job}
 * @param external kinds whose Workloads somebody else makes
 * @param copied what a Workload takes over from its Job when it is created
 */
@API(status = API.Status.EXPERIMENTAL)
public record Integrations(
    List<String> frameworks, List<ExternalKind> external, CopiedMetadata copied) {
  private static final List<String> DEFAULT = List.of("batch/job");

  public Integrations {
    frameworks = List.copyOf(frameworks);
    external = List.copyOf(external);
  }

  /**
   * Reads the block.
   *
   * @param measured labels whose sources in Workloads are copied, too, as KEP-7066 says of those
   *     that are labels there; annotations serve the same purpose
   */
  static Integrations read(ConfigurationBlock root, List<CustomLabel> measured) {
    try (ConfigurationBlock block = root.block("integrations")) {
      List<String> frameworks = block.texts("frameworks", DEFAULT);
      List<ExternalKind> external =
          block.texts("externalFrameworks", List.of()).stream()
              .map(text -> ExternalKind.read(block, text))
              .toList();
      if (Set.copyOf(frameworks).size() < frameworks.size()) {
        throw block.invalid("frameworks", "names a framework twice; remove one of them");
      }
      for (String framework : frameworks) {
        if (!JobKinds.frameworks().contains(framework)) {
          throw block.invalid(
              "frameworks",
              "names \""
                  + framework
                  + "\"; available: "
                  + String.join(", ", JobKinds.frameworks()));
        }
      }
      Set<String> labels = new LinkedHashSet<>(block.texts("labelKeysToCopy", List.of()));
      Set<String> annotations = new LinkedHashSet<>();
      measured.stream()
          .filter(label -> label.kind() == CustomLabel.Kind.WORKLOAD)
          .forEach(label -> (label.annotation() ? annotations : labels).add(label.key()));
      return new Integrations(frameworks, external, new CopiedMetadata(labels, annotations));
    }
  }
}
