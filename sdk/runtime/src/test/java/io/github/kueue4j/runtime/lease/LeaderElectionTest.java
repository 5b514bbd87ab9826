// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LeaderElectionTest {
  private static final UUID RANDOM = UUID.fromString("0a1b2c3d-0000-4000-8000-000000000000");

  @Test
  void aReplicaIsCalledAsItsPod() {
    assertThat(identity(Map.of("POD_NAME", "license-7f-x2", "HOSTNAME", "node-1")))
        .isEqualTo("license-7f-x2");
  }

  @Test
  void aHostsNameMayBeSharedAndGetsASuffix() {
    assertThat(identity(Map.of("HOSTNAME", "node-1"))).isEqualTo("node-1_0a1b2c3d");
    assertThat(identity(Map.of("POD_NAME", "", "HOSTNAME", "node-1"))).isEqualTo("node-1_0a1b2c3d");
  }

  @Test
  void withoutAnyNameTheLeasesOwnIsTaken() {
    assertThat(identity(Map.of())).isEqualTo("license_0a1b2c3d");
  }

  private static String identity(Map<String, String> environment) {
    return LeaderElection.identity(environment, "license", RANDOM);
  }
}
