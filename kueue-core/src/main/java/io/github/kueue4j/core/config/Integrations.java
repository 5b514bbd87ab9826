// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
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
 * @param external kinds whose Workloads an external controller creates
 * @param copied the metadata that a new Workload copies from its Job
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
   * @param measured custom labels of metrics, whose sources in Workloads are copied, too: labels as
   *     in KEP-7066, and likewise annotations
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
          .filter(label -> label.labelSource() == CustomLabel.LabelSource.WORKLOAD)
          .forEach(label -> (label.annotation() ? annotations : labels).add(label.key()));
      return new Integrations(frameworks, external, new CopiedMetadata(labels, annotations));
    }
  }
}
