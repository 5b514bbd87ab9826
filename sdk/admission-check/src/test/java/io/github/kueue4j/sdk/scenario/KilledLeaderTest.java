// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testdefaults.PossibleLog;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The leader, a process of its own, is killed while a Workload waits out a delay. */
@EnabledOnOs(OS.LINUX)
@PossibleLog(
    logger = "CachedInformer",
    message = "The watch is silent",
    because = "the test lets the time of the connection pass faster than the server's")
@Tag("landing")
class KilledLeaderTest {
  private static final String POD = "license-7f-x2";

  /** Real time for the leader, which renews it every two seconds; virtual for the next one. */
  private static final Duration LEASE = Duration.ofMinutes(2);

  @Test
  void theNextLeaderLeavesTheDelayAloneAndAnswersAfterIt(@TempDir Path folder) throws Exception {
    OwnProcess.assumeItCanBeInterrupted();
    ManualTime wireTime = ManualTime.create();
    List<ObjectKey> asked = new CopyOnWriteArrayList<>();
    try (KueueSide kueue = new KueueSide(ManualTime.create());
        ServerSocket backend = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        OwnProcess leader = start(folder, kueue, backend.getLocalPort());
        ClusterConnection cluster =
            ClusterConnection.builder("next").url(kueue.server().uri()).wireTime(wireTime).open();
        CheckController next =
            ReplicaProcess.controller(
                cluster,
                LEASE,
                evaluation -> {
                  asked.add(evaluation.key());
                  return Verdict.ready("Fine.");
                });
        Actors replicas = Actors.named("next-replica")) {
      backend.setSoTimeout((int) TimeUnit.MINUTES.toMillis(2));
      kueue.admissionCheck("license", "example.com/license");
      ObjectKey job = kueue.workload("job");
      kueue.reserve(job, "license");
      try (Socket evaluation = backend.accept()) {
        evaluation.getOutputStream().write(0);
      }
      await().until(() -> kueue.entry(job, "license").is(CheckState.RETRY));
      kueue.evict(job, "AdmissionCheck");
      kueue.release(job);
      AdmissionCheckState delayed = kueue.entry(job, "license");
      assertThat(delayed.requeueAfterSeconds()).isEqualTo(60);
      Act<Boolean> started = replicas.start(next::start);
      passUntil(wireTime, started::hasEnded);
      assertThat(started.get()).isTrue();

      leader.kill();
      assertThat(next.host().leading()).isFalse();
      // When the second look begins, the first has shown what the leader wrote last.
      long looks = looks(kueue);
      passUntil(wireTime, () -> looks(kueue) >= looks + 2);
      wireTime.advance(LEASE);
      passUntil(wireTime, next.host()::leading);

      ObjectKey witness = kueue.workload("witness");
      kueue.reserve(witness, "license");
      passUntil(wireTime, () -> kueue.entry(witness, "license").is(CheckState.READY));
      assertThat(kueue.entry(job, "license")).isEqualTo(delayed);
      assertThat(asked).containsExactly(witness);

      kueue.requeue(job);
      kueue.reserve(job, "license");
      passUntil(wireTime, () -> kueue.entry(job, "license").is(CheckState.READY));
      assertThat(kueue.entry(job, "license").retryCount()).isEqualTo(1);
    }
  }

  /** How often the next one has looked at the Lease. */
  private static long looks(KueueSide kueue) {
    return kueue.requests().stream()
        .filter(request -> request.verb().equals("get") && request.resource().equals("leases"))
        .filter(request -> request.userAgent().startsWith("next/"))
        .count();
  }

  /**
   * Lets so little time pass at each look that one that has to renew its Lease meanwhile may take
   * its time.
   */
  private static void passUntil(ManualTime time, BooleanSupplier reached) {
    await()
        .until(
            () -> {
              if (!reached.getAsBoolean()) {
                time.advance(Duration.ofMillis(20));
              }
              return reached.getAsBoolean();
            });
  }

  private static OwnProcess start(Path folder, KueueSide kueue, int backend) throws Exception {
    return OwnProcess.start(
        folder,
        POD,
        "<configuration/>",
        ReplicaProcess.class,
        List.of(kueue.server().uri().toString(), Integer.toString(backend), LEASE.toString()));
  }
}
