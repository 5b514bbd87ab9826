// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.Cancellable;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.runtime.controller.ControllerHost;
import io.github.kueue4j.runtime.lease.LeaderElection;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** No write leaves a replica whose lease may have expired. */
class LeaseGuardTest {

  private static final Duration LEASE = Duration.ofSeconds(15);
  private static final Duration RENEW_DEADLINE = Duration.ofSeconds(10);
  private static final Duration RETRY = Duration.ofSeconds(2);

  /** The middle between the renew deadline and the end of the lease. */
  private static final Duration LAST_WRITE = Duration.ofMillis(12_500);

  private final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final ManualTime time = ManualTime.create();
  private final StoppableTime wireTime = new StoppableTime();
  private final ClusterConnection connection =
      ClusterConnection.builder("test").url(server.uri()).wireTime(wireTime).open();
  private final LeaseGuard guard = new LeaseGuard();
  private final KubernetesApi guarded = connection.guardedBy(guard).api();
  private @Nullable ControllerHost host;

  @AfterEach
  void close() {
    if (host != null) {
      host.close();
    }
    connection.close();
    server.close();
    time.close();
    wireTime.close();
  }

  private ControllerHost elected() {
    ControllerHost built =
        ControllerHost.builder(connection, time)
            .leaderElection(
                LeaderElection.named("default", "lease").withTimes(LEASE, RENEW_DEADLINE, RETRY))
            .leaseGuard(guard)
            .build();
    host = built;
    return built;
  }

  private void write(String name) {
    guarded.create(
        CoreTypes.CONFIG_MAP,
        new V1ConfigMap().metadata(new V1ObjectMeta().namespace("default").name(name)));
  }

  private boolean exists(String name) {
    return guarded.get(CoreTypes.CONFIG_MAP, new ObjectKey("default", name)).isPresent();
  }

  private void assertRefused(String name) {
    assertThatThrownBy(() -> write(name))
        .isInstanceOf(KubernetesApiException.LeaseInvalid.class)
        .hasMessageContaining("create configmaps")
        .hasMessageContaining("not sent, the lease of this replica may have expired");
    assertThat(exists(name)).isFalse();
  }

  @Test
  void withoutElectionAllWritesPass() {
    write("free");
    assertThat(exists("free")).isTrue();
  }

  @Test
  void aReplicaThatDoesNotLeadYetWritesNothing() {
    ControllerHost candidate = elected();
    assertThat(candidate.leading()).isFalse();

    assertRefused("early");
  }

  @Test
  void aLeaderThatWasStoppedWritesNothingAfterwards() throws InterruptedException {
    ControllerHost leader = elected();
    leader.start();
    // The host takes note of its lease after the guard does.
    await().until(() -> guard.permits() && leader.leading());
    write("leader");

    wireTime.passWhileStopped(LAST_WRITE.minusMillis(1));
    write("just-in-time");
    wireTime.passWhileStopped(Duration.ofMillis(1));

    // Neither a renewal nor the deadline's timer has run: the host hasn't noticed yet.
    assertThat(leader.leading()).isTrue();
    assertRefused("late");
  }

  @Test
  void aLeaderThatWasClosedWritesNothingAfterwards() throws InterruptedException {
    ControllerHost leader = elected();
    leader.start();
    await().until(guard::permits);

    leader.close();

    assertRefused("closed");
  }

  @Test
  void aWriteThatWaitedForTheRequestLimitIsCheckedAfterwards() throws InterruptedException {
    KubernetesApi slow = connection.limited(1, 1).guardedBy(guard).api();
    elected().start();
    await().until(guard::permits);
    slow.serverVersion();
    try (Actors writers = Actors.onPlatformThreads("writer")) {
      Act<V1ConfigMap> write =
          writers.ask(
              () ->
                  slow.create(
                      CoreTypes.CONFIG_MAP,
                      new V1ConfigMap()
                          .metadata(new V1ObjectMeta().namespace("default").name("waited"))));
      await().until(() -> write.thread().getState() == Thread.State.WAITING);

      wireTime.passWhileStopped(LEASE);
      wireTime.manual.advance(Duration.ofSeconds(1));

      assertThatThrownBy(write::get).isInstanceOf(KubernetesApiException.LeaseInvalid.class);
    }
    assertThat(exists("waited")).isFalse();
  }

  /** A monotonic clock that goes on while the process, and with it each timer, stands still. */
  private static final class StoppableTime implements TimeSource {
    private final ManualTime manual = ManualTime.create();
    private volatile Duration stopped = Duration.ZERO;

    void passWhileStopped(Duration duration) {
      stopped = stopped.plus(duration);
    }

    @Override
    public Instant instant() {
      return manual.instant().plus(stopped);
    }

    @Override
    public Cancellable at(Instant when, Runnable task) {
      return manual.at(when.minus(stopped), task);
    }

    @Override
    public void close() {
      manual.close();
    }
  }
}
