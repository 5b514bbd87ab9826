// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.faults;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.apiserver.traffic.Faults;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.e2e.torture.AcceleratedServer;
import io.github.kueue4j.e2e.torture.NaiveCheck;
import io.github.kueue4j.e2e.torture.Storm;
import io.github.kueue4j.simulation.Seeds;
import io.github.kueue4j.simulation.Simulation;
import io.github.kueue4j.testdefaults.Nightly;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

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

  private static final String SEED_PROPERTY = "kueue4j.faults.seed";

  /** Of the dice, where neither the property nor a simulation gives another. */
  private static final long SEED = 42;

  private static final Duration LOOK_EVERY = Duration.ofMillis(500);

  /** CPUs; a Workload takes one or two. */
  private static final int QUOTA = 4;

  private static final Pace ACCELERATED =
      new Pace(
          Duration.ofSeconds(5), Duration.ofSeconds(3), Duration.ofMinutes(Nightly.bound(30, 200)));

  private static final Pace REAL_TIME =
      new Pace(
          Duration.ofSeconds(1), Duration.ofMillis(300), Duration.ofMinutes(Nightly.bound(3, 20)));

  private final AcceleratedServer server;
  private final Pace pace;
  private final Storm storm;
  private final Striker striker;
  private final Random random;

  /**
   * How long something takes, by the cluster's time.
   *
   * @param longestDelay of the naive checks' Retries
   * @param calm between two strikes
   * @param patience the longest wait
   */
  private record Pace(Duration longestDelay, Duration calm, Duration patience) {}

  /** Chooses the clients of a server that is reached by ports. */
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

  private Scene(
      AcceleratedServer server,
      Pace pace,
      Function<AcceleratedServer, Storm.Cast> cast,
      Striker striker)
      throws InterruptedException {
    this.server = server;
    this.pace = pace;
    this.striker = striker;
    try {
      long seed = seed();
      this.random = new Random(seed);
      NaiveCheck.Style style =
          new NaiveCheck.Style(2, 2, pace.longestDelay().multipliedBy(3), pace.longestDelay(), 0.1);
      this.storm =
          Storm.start(cast.apply(server), server.time(), new Storm.Setup(QUOTA, style, true, seed));
    } catch (RuntimeException | InterruptedException | AssertionError e) {
      server.close();
      throw e;
    }
  }

  private static long seed() {
    return Seeds.given(SEED_PROPERTY)
        .orElseGet(() -> Simulation.current().map(Simulation::seed).orElse(SEED));
  }

  /** In the simulation of the current thread, or ten times as fast as the clock on the wall. */
  static Scene accelerated(Striker striker) throws InterruptedException {
    return accelerated(Storm.Cast::here, striker);
  }

  /** The same with these clients. */
  static Scene accelerated(BiFunction<Target, TimeSource, Storm.Cast> casting, Striker striker)
      throws InterruptedException {
    return new Scene(
        AcceleratedServer.start(),
        ACCELERATED,
        server -> casting.apply(server.target(), server.time()),
        striker);
  }

  /**
   * By ports, ten times as fast as the clock on the wall, with the core and the check in this
   * process.
   */
  static Scene overPorts(Path folder, Striker striker) throws InterruptedException {
    return new Scene(
        AcceleratedServer.withPorts(),
        ACCELERATED,
        server ->
            cast(
                server,
                folder,
                (world, victims, time) -> {
                  Storm.Cast here = Storm.Cast.here(Target.of(victims), time);
                  return new Storm.Cast(world, here.core(), here.careful());
                }),
        striker);
  }

  /** In real time, as processes of their own need it, with short delays. */
  static Scene realTime(Path folder, Casting casting, Striker striker) throws InterruptedException {
    return new Scene(
        AcceleratedServer.withPortsInRealTime(),
        REAL_TIME,
        server -> cast(server, folder, casting),
        striker);
  }

  private static Storm.Cast cast(AcceleratedServer server, Path folder, Casting casting) {
    Path world = folder.resolve("world.kubeconfig");
    return casting.cast(
        Target.of(server.server().kubeconfig(world, User.ADMINISTRATOR)),
        server.server().kubeconfig(folder.resolve("victims.kubeconfig")),
        server.time());
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
    return await().until(() -> faults().dropWatches(VICTIMS), cut -> cut > 0);
  }

  /** The server's plain port. */
  URI address() {
    return server.server().uri();
  }

  Storm storm() {
    return storm;
  }

  Random random() {
    return random;
  }

  /** How long a thread waits while so much time passes here. */
  Duration waiting(Duration here) {
    return server.waiting(here);
  }

  /** Lets so much time pass here. */
  void pass(Duration here) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(waiting(here).toNanos());
  }

  /** Lets time pass between two strikes. */
  void calmDown() throws InterruptedException {
    pass(pace.calm());
  }

  /** Waits by the time of the simulation that the current thread is in, if any. */
  ConditionFactory await() {
    return Awaitility.await().pollInterval(waiting(LOOK_EVERY)).atMost(waiting(pace.patience()));
  }

  @Override
  public void close() {
    server.faults().clear();
    storm.close();
    server.close();
  }
}
