// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.lease.LeaderElection;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;

/** The main class of a process: one replica of a check whose backend answers when it likes. */
final class ReplicaProcess {

  /** So long that no test waits until the Lease expires. */
  private static final Duration LEASE = Duration.ofMinutes(30);

  private static final Delay IN_A_MINUTE = Delay.exactly(Duration.ofMinutes(1));

  private ReplicaProcess() {}

  /**
   * Runs until a signal.
   *
   * @param arguments the URL of an API server, the port of the backend on the loopback interface,
   *     and how long its Lease lasts, where that matters
   */
  public static void main(String[] arguments) throws InterruptedException {
    int backend = Integer.parseInt(arguments[1]);
    Duration lease = arguments.length > 2 ? Duration.parse(arguments[2]) : LEASE;
    try (ClusterConnection cluster =
            ClusterConnection.builder("license-check").url(URI.create(arguments[0])).connect();
        CheckController controller =
            controller(
                cluster,
                lease,
                evaluation -> {
                  try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), backend)) {
                    int free = socket.getInputStream().read();
                    return free > 0
                        ? Verdict.ready("There are " + free + ".")
                        : Verdict.retry(Reason.of("NoLicense"), "None.", IN_A_MINUTE);
                  }
                })) {
      controller.runUntilTerminated();
    }
  }

  /** A replica with leader election, to which an expired Lease is of no use. */
  static CheckController controller(ClusterConnection cluster, Check<NoParameters> check) {
    return controller(cluster, LEASE, check);
  }

  /** A replica with leader election. */
  static CheckController controller(
      ClusterConnection cluster, Duration lease, Check<NoParameters> check) {
    LeaderElection election =
        LeaderElection.named(KueueSide.NAMESPACE, "license")
            .withTimes(lease, lease.dividedBy(2), Duration.ofSeconds(2));
    return CheckController.builder(
            "example.com/license",
            CheckEnvironment.of(cluster).withHosting(host -> host.leaderElection(election)))
        .check(check)
        .build();
  }
}
