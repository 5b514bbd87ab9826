// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.controller.ControllerHost;
import io.github.kueue4j.runtime.informer.Informers;
import io.github.kueue4j.runtime.lease.LeaderElection;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.github.kueue4j.testdefaults.Patience;
import io.kubernetes.client.openapi.models.V1Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The machine's clock is set while a replica runs: what it does on the wire doesn't notice. */
@ExpectedLog(logger = "CachedInformer", message = "The watch is silent")
@ExpectedLog(logger = "CachedInformer", message = "Listing or watching failed; retrying")
class ClockStepTest {

  private static final ObjectKey LEASE = new ObjectKey("default", "test");

  private final SteppedClock clock = new SteppedClock();

  private ClusterConnection connect(ScriptedServer server) {
    return ClusterConnection.builder("test").url(server.uri()).wallClock(clock).open();
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT1H", "PT-1H", "PT10M", "PT-10M"})
  void theLeaseIsRenewedAndShowsTheNewTime(Duration step) throws InterruptedException {
    var lost = new CountDownLatch(1);
    try (var server = new ScriptedServer(new LeaseServer());
        var time = TimeSource.system();
        var connection = connect(server);
        var host =
            ControllerHost.builder(connection, time)
                .leaderElection(
                    LeaderElection.named("default", "test")
                        .withTimes(
                            Duration.ofMinutes(2), Duration.ofMinutes(1), Duration.ofMillis(20)))
                .onLeadershipLost(lost::countDown)
                .build()) {
      host.start();
      await().until(host::leading);

      clock.step(step);
      long before = renewals(server);
      await().until(() -> renewals(server) >= before + 3);

      assertThat(host.leading()).isTrue();
      assertThat(lost.getCount()).isEqualTo(1);
      assertThat(host.readinessProblems()).isEmpty();
      assertThat(host.livenessProblems()).isEmpty();
      V1Lease lease = connection.api().get(CoreTypes.LEASE, LEASE).orElseThrow();
      Instant shown = lease.getSpec().getRenewTime().toInstant();
      assertThat(Duration.between(shown, clock.instant()).abs()).isLessThan(Duration.ofMinutes(1));
    }
  }

  private static long renewals(ScriptedServer server) {
    return server.count(request -> request.method().equals("PATCH"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT1H", "PT-1H", "PT10M", "PT-10M"})
  void theRequestLimitNeitherWaitsNorOpens(Duration step) {
    try (var server = new ScriptedServer((request, answer) -> answer.json(200, "{}"));
        var connection = connect(server);
        var limited = connection.limited(20, 1)) {
      limited.api().serverVersion();
      long start = System.nanoTime();
      clock.step(step);
      for (int i = 0; i < 4; i++) {
        limited.api().serverVersion();
      }
      Duration took = Duration.ofNanos(System.nanoTime() - start);

      // Four requests at intervals of 50 ms, the first of which may have passed already.
      assertThat(took).isBetween(Duration.ofMillis(140), Duration.ofMinutes(1));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT1H", "PT-1H", "PT10M", "PT-10M"})
  void theWatchdogStillCutsASilentWatch(Duration step) throws InterruptedException {
    ScriptedServer.Script silent =
        (request, answer) -> {
          if (request.isWatch()) {
            answer.open();
          } else {
            answer.json(200, ScriptedServer.listJson("1"));
          }
        };
    try (var server = new ScriptedServer(silent);
        var connection = connect(server);
        var informers = Informers.on(connection, Duration.ofMillis(400))) {
      var informer = informers.of(CoreTypes.CONFIG_MAP).register();
      informers.start();
      informers.awaitSynced(Patience.LIMIT);

      clock.step(step);

      long before = informer.health().relists();
      await().until(() -> informer.health().relists() >= before + 2);
      assertThat(informer.health().lastActivityAge()).isLessThan(Duration.ofMinutes(5));
    }
  }
}
