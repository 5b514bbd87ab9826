// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.cli.Main;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.testdefaults.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./kueue4j check} in a process of its own. */
@Tag("landing")
class CheckCommandTest {
  private static final Duration PATIENCE = Patience.LIMIT;

  @TempDir Path folder;

  @Test
  @EnabledOnOs(OS.LINUX)
  void releasesItsLeaseOnSigterm() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().objects(Crds.kueue()).start();
        ClusterConnection connection =
            ClusterConnection.builder("check-command-test").url(server.uri()).connect()) {
      Path errors = folder.resolve("stderr");
      Process check =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Main.class.getName(),
                  "check",
                  "gpu",
                  "--leader-elect",
                  "--kubeconfig=" + server.kubeconfig(folder.resolve("kubeconfig")))
              .redirectError(errors.toFile())
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      try {
        await("it leads").atMost(PATIENCE).until(() -> !holder(connection).isEmpty());

        check.destroy();

        assertThat(check.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(check.exitValue()).isZero();
        assertThat(holder(connection)).isEmpty();
        assertThat(Files.readString(errors)).doesNotContain("\tat ", "Exception", "ERROR");
      } finally {
        check.destroyForcibly();
      }
    }
  }

  private static String holder(ClusterConnection connection) {
    return connection
        .api()
        .get(CoreTypes.LEASE, new ObjectKey("default", "kueue4j-check-gpu"))
        .map(lease -> lease.getSpec().getHolderIdentity())
        .orElse("");
  }
}
