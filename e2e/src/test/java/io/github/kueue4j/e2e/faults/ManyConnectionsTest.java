// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.Main;
import io.github.kueue4j.e2e.cluster.EmbeddedCluster;
import io.github.kueue4j.testdefaults.FreePort;
import io.github.kueue4j.testdefaults.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A neighbour in the network opens more connections to the webhooks of a core than it takes. */
@Tag("landing")
class ManyConnectionsTest {
  private static final Duration PATIENCE = Patience.LIMIT;

  /** Per server, as the launcher sets it. */
  private static final int LIMIT = 256;

  private static final int TOO_MANY = 20;

  @Test
  void thoseBeyondTheLimitAreClosedAndTheCoreGoesOn(@TempDir Path folder) throws Exception {
    List<String> objects = new ArrayList<>(Crds.kueue());
    objects.add("{apiVersion: v1, kind: Namespace, metadata: {name: kueue-system}}");
    List<Socket> sockets = new ArrayList<>();
    int port = FreePort.take();
    try (EmbeddedCluster cluster = EmbeddedCluster.start(0, TimeSource.wallClock(), objects)) {
      OwnProcess core = start(cluster, port, folder);
      try {
        await().atMost(PATIENCE).until(() -> connects(port));

        for (int i = 0; i < LIMIT + TOO_MANY; i++) {
          sockets.add(new Socket(InetAddress.getLoopbackAddress(), port));
        }

        await()
            .atMost(PATIENCE)
            .untilAsserted(
                () ->
                    assertThat(closed(sockets))
                        .as(core::lastLines)
                        .isBetween(TOO_MANY, TOO_MANY + 1));
        for (Socket each : sockets) {
          each.close();
        }
        await().atMost(PATIENCE).until(() -> staysOpen(port));
        assertThat(core.ends()).as(core::lastLines).isZero();
      } finally {
        core.close();
        for (Socket each : sockets) {
          each.close();
        }
      }
    }
  }

  private static OwnProcess start(EmbeddedCluster cluster, int port, Path folder)
      throws IOException {
    Path configuration =
        Files.writeString(
            folder.resolve("core.yaml"),
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            leaderElection: {leaderElect: false}
            health: {healthProbeBindAddress: "0"}
            metrics: {bindAddress: "0"}
            webhook: {port: %d, host: 127.0.0.1}
            """
                .formatted(port));
    return OwnProcess.start(
        Main.class.getName(),
        "core",
        "--kubeconfig",
        cluster.kubeconfig().toString(),
        "--config",
        configuration.toString());
  }

  private static boolean connects(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  /** Whether a connection is accepted, and not closed at once. */
  private static boolean staysOpen(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(500);
      return !isClosed(socket);
    }
  }

  private static int closed(List<Socket> sockets) throws IOException {
    int closed = 0;
    for (Socket each : sockets) {
      each.setSoTimeout(1);
      closed += isClosed(each) ? 1 : 0;
    }
    return closed;
  }

  /** The server sends nothing on a connection on which nothing was asked, but for its end. */
  private static boolean isClosed(Socket socket) {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException open) {
      return false;
    } catch (IOException reset) {
      return true;
    }
  }
}
