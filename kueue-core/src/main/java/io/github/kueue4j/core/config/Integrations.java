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
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The kinds of Jobs that are managed (the block {@code integrations}).
 *
 * @param frameworks such as {@code batch/job}
 * @param labelKeysToCopy labels that a Workload takes over from its Job when it is created
 */
@API(status = API.Status.EXPERIMENTAL)
public record Integrations(List<String> frameworks, List<String> labelKeysToCopy) {
  /** Jobs of batch/v1. */
  public static final String BATCH_JOB = "batch/job";

  /** JobSets of jobset.x-k8s.io/v1alpha2. */
  public static final String JOB_SET = "jobset.x-k8s.io/jobset";

  private static final List<String> KNOWN = List.of(BATCH_JOB, JOB_SET);

  public Integrations {
    frameworks = List.copyOf(frameworks);
    labelKeysToCopy = List.copyOf(labelKeysToCopy);
  }

  static Integrations read(ConfigurationBlock root) {
    try (ConfigurationBlock block = root.block("integrations")) {
      List<String> frameworks = block.texts("frameworks", List.of(BATCH_JOB));
      block.acceptUnused("externalFrameworks");
      if (Set.copyOf(frameworks).size() < frameworks.size()) {
        throw block.invalid("frameworks", "names a framework twice; remove one of them");
      }
      for (String framework : frameworks) {
        if (!KNOWN.contains(framework)) {
          throw block.invalid(
              "frameworks", "names \"" + framework + "\"; available: " + String.join(", ", KNOWN));
        }
      }
      return new Integrations(frameworks, block.texts("labelKeysToCopy", List.of()));
    }
  }
}
