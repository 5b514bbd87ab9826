// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.core.testing.FromYaml;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HealthTest {
  private static final ResourceFlavor FLAVOR =
      FromYaml.read(ResourceFlavor.class, "metadata: {name: here}");

  @Test
  void whatIsMissingIsNamedInTheOrderOfTheSpec() {
    ClusterQueue queue =
        FromYaml.read(
            ClusterQueue.class,
            """
            metadata: {name: cq}
            spec:
              resourceGroups:
              - coveredResources: [cpu]
                flavors:
                - {name: spot, resources: [{name: cpu, nominalQuota: 1}]}
                - {name: here, resources: [{name: cpu, nominalQuota: 1}]}
                - {name: on-demand, resources: [{name: cpu, nominalQuota: 1}]}
              admissionChecksStrategy: {admissionChecks: [{name: quick}, {name: careful}]}
            """);

    Health health =
        Health.of(
            queue,
            name -> Optional.of(name).filter("here"::equals).map(here -> FLAVOR),
            check -> Optional.empty(),
            cohort -> null);

    assertThat(health.message())
        .isEqualTo(
            "Can't admit new workloads: references missing ResourceFlavor(s): spot,on-demand,"
                + " references missing AdmissionCheck(s): quick,careful.");
  }
}
