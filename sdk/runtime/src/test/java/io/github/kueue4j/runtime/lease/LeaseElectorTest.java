// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.lease;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.LeaseServer;
import io.github.kueue4j.runtime.ScriptedServer;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.github.kueue4j.testdefaults.HeardLog;
import io.github.kueue4j.testdefaults.TestLog;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class LeaseElectorTest {
  private static final String LEASE =
      "/apis/coordination.k8s.io/v1/namespaces/default/leases/lease";

  @Test
  void releasesALeaseWhoseAcquisitionWasNotAnsweredYet() throws Exception {
    LeaseServer leases = new LeaseServer();
    CountDownLatch answers = new CountDownLatch(1);
    ScriptedServer.Script slow =
        (request, answer) -> {
          if (request.method().equals("POST")) {
            leases.steal(LEASE, "this replica", "2026-01-01T00:00:00.000000Z");
            awaitQuietly(answers);
          }
          leases.answer(request, answer);
        };
    try (var server = new ScriptedServer(slow);
        var connection = ClusterConnection.builder("test").url(server.uri()).open()) {
      LeaseElector elector =
          new LeaseElector(
              connection,
              LeaderElection.named("default", "lease").withIdentity("this replica"),
              new Unasked());
      elector.start();
      await().until(() -> !leases.holder(LEASE).isEmpty());

      elector.close();

      assertThat(leases.holder(LEASE)).isEmpty();
      answers.countDown();
    }
  }

  @Test
  @ExpectedLog(logger = "LeaseElector", message = "The lease could not be read or written")
  void aRefusedLeaseIsToldOnce() {
    LeaseServer leases = new LeaseServer();
    leases.forbid(true);
    AtomicInteger attempts = new AtomicInteger();
    ScriptedServer.Script counted =
        (request, answer) -> {
          attempts.incrementAndGet();
          leases.answer(request, answer);
        };
    try (var server = new ScriptedServer(counted);
        var connection = ClusterConnection.builder("test").url(server.uri()).open();
        var elector = new LeaseElector(connection, soon("this replica"), new Unasked())) {
      elector.start();
      await().until(() -> attempts.get() > 3);
    }
    assertThat(TestLog.of(LeaseElector.class)).hasSize(1);
  }

  @Test
  void aStandbyNamesTheHolderThatItWaitsForOnce() {
    LeaseServer leases = new LeaseServer();
    AtomicReference<String> holder = new AtomicReference<>("first");
    AtomicInteger looks = new AtomicInteger();
    ScriptedServer.Script renewed =
        (request, answer) -> {
          leases.steal(
              LEASE,
              requireNonNull(holder.get()),
              Instant.ofEpochSecond(looks.incrementAndGet()).toString());
          leases.answer(request, answer);
        };
    try (HeardLog log = HeardLog.listen();
        var server = new ScriptedServer(renewed);
        var connection = ClusterConnection.builder("test").url(server.uri()).open();
        var elector = new LeaseElector(connection, soon("this replica"), new Unasked())) {
      elector.start();
      await().until(() -> looks.get() > 3);
      holder.set("second");
      await().until(() -> waits(log).anyMatch(line -> line.contains("holder=\"second\"")));

      assertThat(waits(log))
          .satisfiesExactly(
              one -> assertThat(one).contains("INFO", "holder=\"first\""),
              two -> assertThat(two).contains("INFO", "holder=\"second\""));
    }
  }

  /** As after a standby stood still: the leader may have renewed while it asked. */
  @Test
  void aLeaseLastsFromTheMomentAtWhichItWasSeen() {
    LeaseServer leases = new LeaseServer();
    leases.steal(LEASE, "alive", "2026-01-01T00:00:00.000000Z"); // lasts 2 s
    AtomicInteger looks = new AtomicInteger();
    Told told = new Told(new CopyOnWriteArrayList<>());
    try (ManualTime time = ManualTime.create()) {
      ScriptedServer.Script slow =
          (request, answer) -> {
            if (looks.get() == 0) {
              time.advance(Duration.ofSeconds(2));
            }
            leases.answer(request, answer);
            looks.incrementAndGet();
          };
      try (var server = new ScriptedServer(slow);
          var connection =
              ClusterConnection.builder("test").url(server.uri()).wireTime(time).open();
          var elector = new LeaseElector(connection, soon("this replica"), told)) {
        elector.start();
        await()
            .until(
                () -> {
                  if (time.pendingTimers() == 1) { // It pauses.
                    time.advance(Duration.ofMillis(5));
                  }
                  return looks.get() > 2;
                });
        assertThat(leases.holder(LEASE)).isEqualTo("alive");
        assertThat(told.events()).isEmpty();
      }
    }
  }

  /** Its holder leads on until it looks. */
  @Test
  void aDeletedLeaseIsTakenWhenItWouldHaveExpired() {
    LeaseServer leases = new LeaseServer();
    leases.steal(LEASE, "alive", "2026-01-01T00:00:00.000000Z"); // lasts 2 s
    Told told = new Told(new CopyOnWriteArrayList<>());
    try (ManualTime time = ManualTime.create();
        var server = new ScriptedServer(leases);
        var connection = ClusterConnection.builder("test").url(server.uri()).wireTime(time).open();
        var elector = new LeaseElector(connection, soon("this replica"), told)) {
      Instant begin = time.instant();
      elector.start();
      await()
          .until(
              () -> {
                // It pauses, unless the timer is the deadline of the lease that it has just taken.
                if (time.pendingTimers() == 1 && !leases.holder(LEASE).equals("this replica")) {
                  leases.delete(LEASE);
                  time.advance(Duration.ofMillis(500));
                }
                return !told.events().isEmpty();
              });
      assertThat(leases.holder(LEASE)).isEqualTo("this replica");
      assertThat(Duration.between(begin, time.instant())).isEqualTo(Duration.ofSeconds(2));
    }
  }

  private static Stream<String> waits(HeardLog log) {
    return log.lines().stream()
        .filter(line -> line.contains("Waits for the lease") && line.contains("default/lease\""));
  }

  private static LeaderElection soon(String identity) {
    return LeaderElection.named("default", "lease")
        .withIdentity(identity)
        .withTimes(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofMillis(5));
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      assertThat(latch.await(2, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private record Told(List<String> events) implements LeaseElector.Listener {
    @Override
    public void acquired() {
      events.add("acquired");
    }

    @Override
    public void lost(String why, Duration left) {
      events.add("lost: " + why);
    }
  }

  private static final class Unasked implements LeaseElector.Listener {
    @Override
    public void acquired() {
      throw new AssertionError("acquired");
    }

    @Override
    public void lost(String why, Duration left) {
      throw new AssertionError("lost: " + why);
    }
  }
}
