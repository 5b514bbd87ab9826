// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.hazards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.LeaseServer;
import io.github.kueue4j.runtime.RawClient;
import io.github.kueue4j.runtime.ScriptedServer;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.controller.ControllerHost;
import io.github.kueue4j.runtime.lease.LeaderElection;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.kubernetes.client.extended.leaderelection.LeaderElector;
import io.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A lease that expired long ago, and one that may not be read. */
@ExpectedLog(logger = "LeaseElector", message = "The lease could not be read or written")
class ExpiredLeaseTest {

  private static final String LEASE = "/apis/coordination.k8s.io/v1/namespaces/default/leases/test";
  private static final String LONG_AGO = "2020-01-01T00:00:00.000000Z";
  private static final LeaderElection SPEC =
      LeaderElection.named("default", "test")
          .withIdentity("me")
          .withTimes(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

  @Test
  void theLibraryReadsAnExpiredLeaseRepeatedlyBeforeItTakesIt() {
    var leases = new LeaseServer();
    leases.steal(LEASE, "gone", LONG_AGO);
    try (var server = new ScriptedServer(leases);
        var raw = new RawClient(server.uri());
        var elector = new LeaderElector(config(raw, Duration.ofMinutes(5)));
        var candidates = Actors.onPlatformThreads("candidate")) {
      candidates.start(() -> elector.run(() -> {}, () -> {}));

      await().until(() -> server.count(request -> request.method().equals("GET")) > 3);
      assertThat(server.count(request -> request.method().equals("PUT"))).isZero();
    }
  }

  private static LeaderElectionConfig config(RawClient raw, Duration leaseDuration) {
    return new LeaderElectionConfig(
        new LeaseLock("default", "test", "me", raw.client()),
        leaseDuration,
        Duration.ofMillis(200),
        Duration.ofMillis(50));
  }

  @Test
  void theLibraryRetriesAForbiddenLeaseForEverWithoutReportingIt() {
    var leases = new LeaseServer();
    leases.forbid(true);
    var ended = new AtomicBoolean();
    try (var server = new ScriptedServer(leases);
        var raw = new RawClient(server.uri());
        var elector =
            new LeaderElector(
                config(raw, Duration.ofMillis(300)),
                // On a busy machine a response may be late; the library reports only that.
                failure -> ended.compareAndSet(false, !(failure instanceof TimeoutException)));
        var candidates = Actors.onPlatformThreads("candidate")) {
      candidates.start(() -> elector.run(() -> ended.set(true), () -> ended.set(true)));

      // Refusals for many lease durations: no callback, no exception, no state to query.
      await().until(() -> server.count(request -> true) > 10);
      assertThat(ended).isFalse();
    }
  }

  @Test
  void oursTakesAnExpiredLeaseAfterItSawItUnchangedForOneDuration() throws InterruptedException {
    var leases = new LeaseServer();
    leases.steal(LEASE, "gone", LONG_AGO); // lasts 2 s
    try (var server = new ScriptedServer(leases);
        var wireTime = ManualTime.create();
        var connection =
            ClusterConnection.builder("test").url(server.uri()).wireTime(wireTime).open();
        var host = ControllerHost.builder(connection, wireTime).leaderElection(SPEC).build()) {
      host.start();
      await().until(() -> host.readinessProblems().isEmpty());
      await().until(() -> wireTime.pendingTimers() == 1);
      // Not at first sight: the holder may be running with a wrong clock.
      assertThat(host.leading()).isFalse();

      await().until(() -> leadsSoon(host, wireTime, leases));
      assertThat(leases.holder(LEASE)).isEqualTo("me");
    }
    assertThat(leases.holder(LEASE)).as("released at the end").isEmpty();
  }

  @Test
  void oursLetsALivingHolderKeepItsLease() throws InterruptedException {
    var leases = new LeaseServer();
    leases.steal(LEASE, "alive", LONG_AGO);
    try (var server = new ScriptedServer(leases);
        var wireTime = ManualTime.create();
        var connection =
            ClusterConnection.builder("test").url(server.uri()).wireTime(wireTime).open();
        var host = ControllerHost.builder(connection, wireTime).leaderElection(SPEC).build()) {
      host.start();
      // The timer that an advance ends may be one of a request: the holder renews before each.
      AtomicInteger renewals = new AtomicInteger();
      await()
          .until(
              () -> {
                leases.steal(
                    LEASE,
                    "alive",
                    Instant.parse("2020-01-01T00:00:00Z")
                        .plusSeconds(renewals.incrementAndGet())
                        .toString());
                wireTime.advance(Duration.ofSeconds(2));
                return server.received().size() > 5;
              });
      assertThat(host.leading()).isFalse();
      assertThat(leases.holder(LEASE)).isEqualTo("alive");
    }
    assertThat(leases.holder(LEASE)).as("not released by the other replica").isEqualTo("alive");
  }

  @Test
  void oursReportsAForbiddenLeaseInReadiness() throws InterruptedException {
    var leases = new LeaseServer();
    leases.forbid(true);
    try (var server = new ScriptedServer(leases);
        var wireTime = ManualTime.create();
        var connection =
            ClusterConnection.builder("test").url(server.uri()).wireTime(wireTime).open();
        var host = ControllerHost.builder(connection, wireTime).leaderElection(SPEC).build()) {
      host.start();
      await()
          .untilAsserted(
              () ->
                  assertThat(host.readinessProblems())
                      .singleElement()
                      .asString()
                      .startsWith("lease default/test can't be read or written: ")
                      .contains("403 leases is forbidden"));

      leases.forbid(false);
      await().until(() -> leadsSoon(host, wireTime, leases));
      assertThat(host.readinessProblems()).isEmpty();
    }
  }

  /**
   * Lets time pass only while the candidate pauses: what it acquires would expire during requests,
   * which take real time.
   */
  private static boolean leadsSoon(ControllerHost host, ManualTime wireTime, LeaseServer leases) {
    // The only timer may be the deadline of the lease that it has just acquired.
    if (wireTime.pendingTimers() == 1 && !leases.holder(LEASE).equals("me")) {
      wireTime.advance(Duration.ofMillis(100));
    }
    return host.leading();
  }
}
