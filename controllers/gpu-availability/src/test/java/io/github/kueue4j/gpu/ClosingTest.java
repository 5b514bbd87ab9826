// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.sdk.program.CheckStarter;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import io.github.kueue4j.testkit.script.RunningController;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What the check has opened is closed with its controller. */
@KueueTest
class ClosingTest {

  /** Less than the minute after which an idle connection is closed anyway. */
  private static final Duration SOON = Duration.ofSeconds(40);

  private final CountDownLatch answered = new CountDownLatch(1);

  @Test
  void connectionsToCapacitySourcesAreClosed(KueueCluster cluster) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        Actors threads = Actors.named("capacity-source")) {
      Act<String> next = threads.ask(() -> answer(server));
      GpuAvailabilityCheck.crds().forEach(cluster::apply);
      cluster.apply(
          """
          apiVersion: checks.kueue4j.io/v1alpha1
          kind: GpuAvailabilityPolicy
          metadata: {name: asking}
          spec:
            capacitySource:
              endpoint: {url: 'http://127.0.0.1:%d/', timeout: 5s}
              flavors: [a100]
          """
              .formatted(server.getLocalPort()));
      cluster.admissionCheck(
          "gpu",
          "kueue4j.io/gpu-availability",
          "checks.kueue4j.io",
          "GpuAvailabilityPolicy",
          "asking");
      RunningController controller =
          cluster.run(
              CheckStarter.of(
                  environment -> GpuAvailabilityCheck.controller(environment, GpuWorld.OPTIONS)));
      assertThat(answered.await(60, SECONDS)).isTrue();

      controller.stop();
      assertThat(next.get(SOON)).as("the end of the connection").isEmpty();
    }
  }

  /**
   * Answers one request, and keeps the connection.
   *
   * @return what comes next; empty for the end
   */
  private String answer(ServerSocket server) throws IOException {
    try (Socket connection = server.accept();
        BufferedReader requests =
            new BufferedReader(
                new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
      String line = requests.readLine();
      while (line != null && !line.isEmpty()) {
        line = requests.readLine();
      }
      connection
          .getOutputStream()
          .write(
              "HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n{\"nodes\": []}"
                  .getBytes(StandardCharsets.UTF_8));
      answered.countDown();
      String more = requests.readLine();
      return more == null ? "" : more;
    }
  }
}
