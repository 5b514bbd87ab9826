// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.hazards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.LeaseServer;
import io.github.kueue4j.runtime.RawController;
import io.github.kueue4j.runtime.ScriptedServer;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.controller.Controller;
import io.github.kueue4j.runtime.controller.ControllerHost;
import io.github.kueue4j.runtime.controller.Requeue;
import io.github.kueue4j.runtime.lease.LeaderElection;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.github.kueue4j.testdefaults.PossibleLog;
import io.kubernetes.client.extended.controller.reconciler.Request;
import io.kubernetes.client.extended.controller.reconciler.Result;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/**
 * The library's controller can't be restarted after a lost lease, so regaining it makes an idle
 * leader.
 */
@ExpectedLog(level = Level.ERROR, logger = "HostRun", message = "Lost the lease; stopping the host")
@ExpectedLog(logger = "LeaseElector", message = "The lease could not be read or written")
@PossibleLog(
    logger = "RunningController",
    message = "Reconciles are still running",
    because = "a host that loses its lease grants its idle workers no time to end")
class LostLeaseTest {

  private static final String LEASE = "/apis/coordination.k8s.io/v1/namespaces/default/leases/test";

  @Test
  void theLibrarysControllerCanNotRunAgainAfterALostLease() {
    var reconciled = new CountDownLatch(1);
    try (var library =
        RawController.start(
            request -> {
              reconciled.countDown();
              return new Result(false);
            })) {
      library.queue().add(new Request("x"));
      // Its workers run: until then, it is the first run that a shutdown makes fail.
      await().until(() -> reconciled.getCount() == 0);
      // What LeaderElectingController does when it loses and regains the lease; there, the
      // exception ends in a Future that is never read.
      library.controller().shutdown();

      assertThatThrownBy(library.controller()::run).isInstanceOf(RejectedExecutionException.class);
    }
  }

  @Test
  void oursStopsAllOfItAndTheOtherReplicaTakesOver() throws InterruptedException {
    var leases = new LeaseServer();
    try (var server = new ScriptedServer(leases);
        var time = TimeSource.system()) {
      try (var first = new Replica(server, time, "first");
          var second = new Replica(server, time, "second")) {
        first.host.start();
        await().until(first.host::leading);
        second.host.start();
        assertThat(leases.holder(LEASE)).isEqualTo("first");

        leases.steal(LEASE, "second", "2026-01-01T00:00:00.000000Z");

        await().untilAsserted(() -> assertThat(first.lost.getCount()).isZero());
        first.host.awaitTermination();
        assertThat(first.host.leading()).isFalse();
        await().until(second.host::leading);

        second.controller.queue().add(ObjectKey.cluster("x"));
        await().until(() -> second.reconciled.get() == 1);
        first.controller.queue().add(ObjectKey.cluster("x"));
        assertThat(first.controller.queue().length()).as("closed for good").isZero();
        assertThatThrownBy(first.host::start)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("build a new one");

        // A process that doesn't exit builds a new host, which waits and can lead again.
        try (var rebuilt = new Replica(server, time, "rebuilt")) {
          rebuilt.host.start();
          assertThat(rebuilt.host.leading()).isFalse();
          second.host.close();
          await().until(rebuilt.host::leading);
          assertThat(second.lost.getCount())
              .as("an orderly shutdown doesn't count as a lost lease")
              .isEqualTo(1);
        }
      }
    }
  }

  @Test
  void oursStopsLeadingWhenItCanNotRenewInTime() throws InterruptedException {
    var leases = new LeaseServer();
    try (var server = new ScriptedServer(leases);
        var time = ManualTime.create();
        var replica = new Replica(server, time, "only")) {
      replica.host.start();
      await().until(replica.host::leading);
      await().until(() -> time.pendingTimers() == 2); // of the deadline and of the pause

      leases.forbid(true);
      time.advance(Replica.RETRY_PERIOD);
      // The next pause: the refusal has been logged.
      await().until(() -> time.pendingTimers() == 2);
      time.advance(Replica.RENEW_DEADLINE);

      await().until(() -> replica.lost.getCount() == 0);
      assertThat(replica.host.leading()).isFalse();
    }
  }

  @Test
  void anAbandonedLeaseStaysHeldAndCanBeRenewedByTheSameIdentity() throws InterruptedException {
    var leases = new LeaseServer();
    try (var server = new ScriptedServer(leases);
        var time = TimeSource.system();
        var killed = new Replica(server, time, "first")) {
      killed.host.start();
      await().until(killed.host::leading);

      killed.host.abandon();

      assertThat(leases.holder(LEASE)).isEqualTo("first");
      try (var again = new Replica(server, time, "first")) {
        again.host.start();
        await().until(again.host::leading);
        assertThat(leases.holder(LEASE)).isEqualTo("first");
      }
      assertThat(leases.holder(LEASE)).as("an orderly shutdown releases it").isEmpty();
    }
  }

  private static final class Replica implements AutoCloseable {
    static final Duration RETRY_PERIOD = Duration.ofMillis(100);

    /** Of a lease that doesn't expire even on a slow machine. */
    static final Duration RENEW_DEADLINE = Duration.ofMinutes(2);

    final AtomicInteger reconciled = new AtomicInteger();
    final CountDownLatch lost = new CountDownLatch(1);
    final ClusterConnection connection;
    final Controller controller;
    final ControllerHost host;

    Replica(ScriptedServer server, TimeSource time, String identity) {
      connection = ClusterConnection.builder(identity).url(server.uri()).wireTime(time).open();
      controller =
          Controller.builder(
                  "test",
                  key -> {
                    reconciled.incrementAndGet();
                    return Requeue.never();
                  })
              .build();
      host =
          ControllerHost.builder(connection, time)
              .controller(controller)
              .leaderElection(
                  LeaderElection.named("default", "test")
                      .withIdentity(identity)
                      .withTimes(RENEW_DEADLINE.plusSeconds(1), RENEW_DEADLINE, RETRY_PERIOD))
              .onLeadershipLost(lost::countDown)
              .build();
    }

    @Override
    public void close() {
      host.close();
      connection.close();
    }
  }
}
