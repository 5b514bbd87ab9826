// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.faults;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.apiserver.traffic.Faults;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.e2e.torture.NaiveCheck;
import io.github.kueue4j.e2e.torture.Storm;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A cluster in which one fault is injected: a server, users with their Workloads and Jobs, two
 * naive checks, and as victims the core and a check of the SDK.
 */
final class Scene implements AutoCloseable {
  /** The clients that faults are meant for. The observer and the users see everything. */
  static final RequestMatcher VICTIMS =
      request ->
          request.userAgent().contains("kueue-core") || request.userAgent().contains(Storm.CAREFUL);

  private static final long SEED = Long.getLong("kueue4j.faults.seed", 42);
  private static final Instant START = Instant.parse("2026-03-02T10:00:00Z");

  /** Simulated seconds in a real one. */
  private static final double SPEED = 10;

  /** CPUs; a Workload takes one or two. */
  private static final int QUOTA = 4;

  private final TimeSource time;
  private final EmbeddedApiServer server;
  private final Storm storm;
  private final Random random = new Random(SEED);

  /** Chooses the clients of a server. */
  @FunctionalInterface
  interface Casting {
    /**
     * Chooses.
     *
     * @param world reaches the server on a port of its own, which no fault disturbs
     * @param victims reaches the port whose connections faults may end
     */
    Storm.Cast cast(Target world, Target victims, TimeSource time);
  }

  private Scene(Path folder, double speed, Duration longestDelay, Casting casting)
      throws InterruptedException {
    this.time = TimeSource.scaled(speed == 1 ? Instant.now() : START, speed);
    this.server = EmbeddedApiServer.builder().secure().clock(time).start();
    try {
      Target world =
          Target.of(server.kubeconfig(folder.resolve("world.kubeconfig"), User.ADMINISTRATOR));
      Target victims = Target.of(server.kubeconfig(folder.resolve("victims.kubeconfig")));
      NaiveCheck.Style style =
          new NaiveCheck.Style(2, 2, longestDelay.multipliedBy(3), longestDelay, 0.1);
      this.storm =
          Storm.start(
              casting.cast(world, victims, time), time, new Storm.Setup(QUOTA, style, true, SEED));
    } catch (RuntimeException | InterruptedException e) {
      server.close();
      time.close();
      throw e;
    }
  }

  /** Core and checks in this process, ten times as fast as the clock on the wall. */
  static Scene here(Path folder) throws InterruptedException {
    return new Scene(
        folder,
        SPEED,
        Duration.ofSeconds(5),
        (world, victims, time) -> {
          Storm.Cast here = Storm.Cast.here(victims, time);
          return new Storm.Cast(world, here.core(), here.careful());
        });
  }

  Faults faults() {
    return server.faults();
  }

  Storm storm() {
    return storm;
  }

  Random random() {
    return random;
  }

  /** Lets real time pass. */
  static void pass(Duration duration) throws InterruptedException {
    new CountDownLatch(1).await(duration.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    server.faults().clear();
    storm.close();
    server.close();
    time.close();
  }
}
