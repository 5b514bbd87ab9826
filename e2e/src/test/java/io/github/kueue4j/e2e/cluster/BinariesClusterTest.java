// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BinariesClusterTest {
  @TempDir Path folder;

  @Test
  void saysWhichVariableToSet() {
    assertThat(BinariesCluster.whyUnavailable(Optional.empty()))
        .hasValueSatisfying(why -> assertThat(why).contains("KUBEBUILDER_ASSETS is not set"));
  }

  @Test
  void saysWhichProgramIsMissing() {
    assertThat(BinariesCluster.whyUnavailable(Optional.of(folder.toString())))
        .hasValueSatisfying(why -> assertThat(why).contains("no executable etcd"));
  }

  @Test
  void etcdStartsOnFreePortsAndEndsByItsHandle() {
    Optional<String> assets = Optional.ofNullable(System.getenv(BinariesCluster.ASSETS));
    Path program = Path.of(assets.orElse("/nowhere")).resolve("etcd");
    assumeTrue(Files.isExecutable(program), "no etcd in " + BinariesCluster.ASSETS);

    LocalProcess etcd = BinariesCluster.startEtcd(program, folder, LocalProcess.freePort());
    try (etcd) {
      assertThat(etcd.isAlive()).isTrue();
    }

    assertThat(etcd.isAlive()).isFalse();
  }

  @Test
  void anEarlyEndQuotesTheLog() {
    assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "no /bin/sh");
    try (LocalProcess process =
        LocalProcess.start("loser", folder, List.of("/bin/sh", "-c", "echo out of luck; exit 3"))) {
      assertThatThrownBy(() -> process.awaitReady(Duration.ofSeconds(10), () -> false))
          .isInstanceOf(ClusterUnavailable.class)
          .hasMessageContaining("status 3")
          .hasMessageContaining("out of luck");
    }
  }
}
