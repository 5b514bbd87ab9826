// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.apiserver.contract.Contract;
import io.github.kueue4j.apiserver.contract.ContractRun;
import io.github.kueue4j.apiserver.contract.ContractStep;
import io.github.kueue4j.e2e.cluster.Cluster;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same requests get the same answers on every kind of cluster. */
class ContractScenarioTest {

  @ParameterizedTest
  @EnumSource
  void answersAsTheContractSays(ScenarioCluster kind)
      throws IOException, GeneralSecurityException, InterruptedException {
    try (Cluster cluster = kind.start(Clock.systemUTC())) {
      assertContract(cluster.kubeconfig());
    }
  }

  @Test
  void answersAsTheContractSaysOnTheSecurePort(@TempDir Path folder)
      throws IOException, GeneralSecurityException, InterruptedException {
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().secure().start()) {
      assertContract(
          server.kubeconfig(folder.resolve("kubeconfig"), User.named("admin", "system:masters")));
    }
  }

  private static void assertContract(Path kubeconfig)
      throws IOException, GeneralSecurityException, InterruptedException {
    Map<String, String> differences = new TreeMap<>();
    int steps = 0;
    try (AdministratorAccess access = AdministratorAccess.of(kubeconfig)) {
      ContractRun run =
          new ContractRun(access.client(), access.server(), access.headers(), "contract");
      for (ContractStep step : Contract.steps()) {
        Optional<String> difference = run.run(step);
        difference.ifPresent(what -> differences.put(step.name(), what));
        steps++;
      }
    }
    assertThat(steps).isGreaterThan(100);
    assertThat(differences).isEmpty();
  }
}
