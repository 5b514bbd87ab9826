// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.controller.ControllerHost;
import io.github.kueue4j.runtime.http.HttpAddress;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The cluster that a check controller works on, its clock, its source of randomness, and what is
 * added to its host.
 *
 * @param connection the cluster; stays open when a controller closes
 * @param time the clock of delays and timers; stays open when a controller closes; absent: the
 *     machine's clock
 * @param random the source of jitter
 * @param hosting adds to the host: leader election, probes and metrics over HTTP
 * @param guards what operators change of the guards that the controller was built with
 * @param answers where {@link Check#dryEvaluate} is served over HTTPS, to users who may list the
 *     Workloads of the namespace and get the AdmissionCheck; absent: not served
 * @param onLoopback whether they are served to every program of this machine instead, over plain
 *     HTTP on 127.0.0.1: see {@link #withLoopbackAnswers}
 * @see io.github.kueue4j.sdk.program.CheckStarter
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CheckEnvironment(
    ClusterConnection connection,
    @Nullable TimeSource time,
    RandomGenerator random,
    UnaryOperator<ControllerHost.Builder> hosting,
    UnaryOperator<Guards> guards,
    @Nullable HttpAddress answers,
    boolean onLoopback) {
  private static final String LOOPBACK = "127.0.0.1";

  /** Checks that nothing is served without a token but beside a cluster that is as open. */
  public CheckEnvironment {
    if (onLoopback && (answers == null || !answers.host().equals(LOOPBACK))) {
      throw new IllegalArgumentException(
          "answers: without a token they are served at 127.0.0.1 only, but the address is "
              + answers
              + "; take withLoopbackAnswers(), or withAnswers(ADDRESS) for those with a token");
    }
    if (onLoopback && !connection.isPlainOnLoopback()) {
      throw new IllegalArgumentException(
          "onLoopback: answers without a token are for an API server at plain http on 127.0.0.1,"
              + " but this one is at "
              + connection.server()
              + "; take withAnswers(ADDRESS)");
    }
  }

  /** This cluster, the machine's clock, nothing added to the host. */
  public static CheckEnvironment of(ClusterConnection connection) {
    return new CheckEnvironment(
        connection,
        null,
        new Random(),
        UnaryOperator.identity(),
        UnaryOperator.identity(),
        null,
        false);
  }

  /** This cluster and this clock, nothing added to the host. */
  public static CheckEnvironment of(ClusterConnection connection, TimeSource time) {
    return of(connection).withTime(time);
  }

  /**
   * The namespace that the controller belongs to: its pod's, or that of the kubeconfig's context;
   * otherwise {@code default}. Secrets of a check are read there, unless its options name another
   * namespace.
   */
  public String namespace() {
    return connection.namespace();
  }

  /** The same environment with another clock, for example simulated time in a test. */
  public CheckEnvironment withTime(TimeSource other) {
    return new CheckEnvironment(connection, other, random, hosting, guards, answers, onLoopback);
  }

  /** The same environment with another source of randomness; a seeded one repeats a run. */
  public CheckEnvironment withRandom(RandomGenerator other) {
    return new CheckEnvironment(connection, time, other, hosting, guards, answers, onLoopback);
  }

  /** The same environment with these additions to the host. */
  public CheckEnvironment withHosting(UnaryOperator<ControllerHost.Builder> additions) {
    return new CheckEnvironment(connection, time, random, additions, guards, answers, onLoopback);
  }

  /**
   * The same environment with these changes of the guards by operators, for example {@code
   * settings::on}.
   */
  public CheckEnvironment withGuards(UnaryOperator<Guards> changes) {
    return new CheckEnvironment(connection, time, random, hosting, changes, answers, onLoopback);
  }

  /** The same environment with {@link Check#dryEvaluate} served at this address; port 0: any. */
  public CheckEnvironment withAnswers(HttpAddress address) {
    return new CheckEnvironment(connection, time, random, hosting, guards, address, false);
  }

  /**
   * The same environment with {@link Check#dryEvaluate} served over plain HTTP at any free port of
   * 127.0.0.1, to every program of this machine: for a cluster that is a single process there, and
   * is as open. Pages in a browser are refused.
   *
   * @throws IllegalArgumentException if the API server isn't at plain HTTP on loopback
   */
  public CheckEnvironment withLoopbackAnswers() {
    return new CheckEnvironment(
        connection, time, random, hosting, guards, new HttpAddress(LOOPBACK, 0), true);
  }
}
