// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.client.ListOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A leader in a process of its own is stopped in the middle of its work, and goes on later. */
@Tag("landing")
class StoppedLeaderTest {
  private static final String OLD = "stopped-leader";
  private static final int JOBS = 300;

  /** So many Workloads are there when it is stopped: it is at work on the others. */
  private static final int BEGUN = 40;

  /**
   * A thread that was stopped while it was sending goes on with that one request, as if the network
   * had held it up: nothing on this side can call it back. Without the guard it is about 27 writes.
   */
  private static final long MOST_UNDER_WAY = 3;

  private static final RequestMatcher WRITES_OF_THE_OLD_LEADER =
      RequestMatcher.verbs("create", "update", "patch", "delete")
          .and(request -> request.userAgent().startsWith(OLD + "/"));

  @Test
  @EnabledOnOs(OS.LINUX)
  void writesNothingOnceAnotherReplicaLeads(@TempDir Path folder) throws Exception {
    try (TestCluster cluster = new TestCluster()) {
      cluster.apply("{apiVersion: v1, kind: Namespace, metadata: {name: kueue-system}}");
      cluster.queue("", "default=" + JOBS);
      Process leader = start(cluster, folder);
      try {
        await().until(() -> !holder(cluster).isEmpty());
        String old = holder(cluster);
        KueueCore other = cluster.startElectedCore();
        for (int number = 0; number < JOBS; number++) {
          cluster.job("job-" + number, 1);
        }
        await().until(() -> workloads(cluster) >= BEGUN);

        signal("STOP", leader);
        await().until(other::leading);
        assertThat(holder(cluster)).isNotEqualTo(old).isNotEmpty();
        // What it had sent before has arrived long ago: the lease has expired since.
        var late = cluster.server.faults().failNext(10_000, WRITES_OF_THE_OLD_LEADER, 500);
        signal("CONT", leader);

        assertThat(leader.waitFor(5, TimeUnit.MINUTES)).as("it ends").isTrue();
        assertThat(late.hits())
            .as("writes after it was stopped")
            .isLessThanOrEqualTo(MOST_UNDER_WAY);
        assertThat(leader.exitValue()).isEqualTo(1);
        await().until(() -> workloads(cluster) == JOBS);
      } finally {
        leader.destroyForcibly();
      }
    }
  }

  private static int workloads(TestCluster cluster) {
    return cluster.api.list(KueueTypes.WORKLOAD, ListOptions.inNamespace("team")).items().size();
  }

  /** The holder of the core's lease; empty if there is none. */
  private static String holder(TestCluster cluster) {
    return cluster
        .api
        .list(CoreTypes.LEASE, ListOptions.inNamespace("kueue-system"))
        .items()
        .stream()
        .map(lease -> lease.getSpec().getHolderIdentity())
        .findFirst()
        .orElse("");
  }

  private static Process start(TestCluster cluster, Path folder) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            ReplicaProcess.class.getName(),
            cluster.server.uri().toString(),
            OLD)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("output").toFile())
        .start();
  }

  private static void signal(String name, Process process) throws Exception {
    Process kill =
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).inheritIO().start();
    assertThat(kill.waitFor()).isZero();
  }
}
