// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.faults;

import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.apiserver.traffic.Faults;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.e2e.torture.NaiveCheck;
import io.github.kueue4j.e2e.torture.Storm;
import java.net.URI;
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

  /** Their requests. */
  static final RequestMatcher REQUESTS = VICTIMS.and(RequestMatcher.anyResource());

  private static final long SEED = Long.getLong("kueue4j.faults.seed", 42);
  private static final Instant START = Instant.parse("2026-03-02T10:00:00Z");

  /** Simulated seconds in a real one, where no process of its own takes part. */
  private static final double SPEED = 10;

  /** CPUs; a Workload takes one or two. */
  private static final int QUOTA = 4;

  private final double speed;
  private final TimeSource time;
  private final EmbeddedApiServer server;
  private final Storm storm;
  private final Striker striker;
  private final Random random = new Random(SEED);

  /** Chooses the clients of a server. */
  @FunctionalInterface
  interface Casting {
    /**
     * Chooses.
     *
     * @param world reaches the server on a port of its own, which no fault disturbs
     * @param victims the kubeconfig of the port whose connections faults may end
     */
    Storm.Cast cast(Target world, Path victims, TimeSource time);
  }

  /** Injects a fault. */
  @FunctionalInterface
  interface Striker {
    /**
     * Begins to disturb.
     *
     * @return ends it when closed; it counts what was disturbed
     */
    Fault strike(Scene scene) throws InterruptedException;
  }

  private Scene(Path folder, double speed, Duration longestDelay, Casting casting, Striker striker)
      throws InterruptedException {
    this.speed = speed;
    this.time = speed == 1 ? TimeSource.system() : TimeSource.scaled(START, speed);
    this.server = EmbeddedApiServer.builder().secure().clock(time).start();
    this.striker = striker;
    try {
      Target world =
          Target.of(server.kubeconfig(folder.resolve("world.kubeconfig"), User.ADMINISTRATOR));
      Path victims = server.kubeconfig(folder.resolve("victims.kubeconfig"));
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

  /** The core and the check run in this process, ten times as fast as the clock on the wall. */
  static Scene here(Path folder, Striker striker) throws InterruptedException {
    return accelerated(
        folder,
        (world, victims, time) -> {
          Storm.Cast here = Storm.Cast.here(Target.of(victims), time);
          return new Storm.Cast(world, here.core(), here.careful());
        },
        striker);
  }

  /** Ten times as fast as the clock on the wall. */
  static Scene accelerated(Path folder, Casting casting, Striker striker)
      throws InterruptedException {
    return new Scene(folder, SPEED, Duration.ofSeconds(5), casting, striker);
  }

  /** In real time, as processes of their own need it, with short delays. */
  static Scene realTime(Path folder, Casting casting, Striker striker) throws InterruptedException {
    return new Scene(folder, 1, Duration.ofSeconds(1), casting, striker);
  }

  /** Begins to disturb; the end of it is to close the fault. */
  Fault strike() throws InterruptedException {
    return striker.strike(this);
  }

  Faults faults() {
    return server.faults();
  }

  /**
   * Cuts the watches of the victims off, once there are any: they come back a while after they have
   * been cut off before.
   *
   * @return how many
   */
  int cutWatches() {
    return await()
        .atMost(Duration.ofMinutes(3))
        .until(() -> faults().dropWatches(VICTIMS), cut -> cut > 0);
  }

  /** The server's plain port. */
  URI address() {
    return server.uri();
  }

  Storm storm() {
    return storm;
  }

  Random random() {
    return random;
  }

  TimeSource time() {
    return time;
  }

  /** The real time in which so much passes here. */
  Duration real(Duration simulated) {
    return Duration.ofNanos((long) (simulated.toNanos() / speed));
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
