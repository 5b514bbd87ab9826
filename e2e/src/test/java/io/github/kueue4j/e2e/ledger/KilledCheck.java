// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.ledger;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.cli.components.CheckName;
import io.github.kueue4j.cli.components.RunningCheck;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.simulation.SimulatedCluster;
import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The budget check, which can be killed in the middle of whatever it does. */
final class KilledCheck implements AutoCloseable {
  private static final RequestMatcher OWN = RequestMatcher.userAgent(CheckName.BUDGET.word());
  private static final RequestMatcher LEDGER_WRITES =
      OWN.and(RequestMatcher.verbs("patch")).and(RequestMatcher.resource("budgetledgers"));

  /** Until it is killed, no answer to such a write arrives. */
  private static final Duration LOOK_EVERY = Duration.ofMillis(10);

  private final EmbeddedApiServer server;
  private final TimeSource time;
  private final Random random;
  private @Nullable ClusterConnection connection;
  private @Nullable RunningCheck running;
  private int kills;
  private int unanswered;

  KilledCheck(EmbeddedApiServer server, TimeSource time, Random random) {
    this.server = server;
    this.time = time;
    this.random = random;
  }

  /** Starts it if it doesn't run. */
  void start() throws InterruptedException {
    if (running == null) {
      running = RunningCheck.start(CheckName.BUDGET, this::connect, time);
    }
  }

  private ClusterConnection connect(String component) {
    ClusterConnection opened = SimulatedCluster.connection(component, server).connect();
    connection = opened;
    return opened;
  }

  /** Nothing of what it sends from now on arrives, nor any answer to what it has sent. */
  void kill() {
    RunningCheck victim = running;
    running = null;
    if (victim == null || connection == null) {
      return;
    }
    kills++;
    Fault dead = server.faults().failRate(1, OWN, 503, random);
    connection.close();
    victim.close();
    dead.close();
  }

  /** Kills it between its next write of a ledger and the answer, if there is one in this time. */
  void killAtItsNextWrite(Duration within) throws InterruptedException {
    Fault cut = server.faults().cutAnswers(1, LEDGER_WRITES, random);
    for (long left = within.dividedBy(LOOK_EVERY); left > 0 && cut.hits() == 0; left--) {
      LedgerWorld.pass(time, LOOK_EVERY);
    }
    unanswered += cut.hits() > 0 ? 1 : 0;
    kill();
    cut.close();
  }

  int kills() {
    return kills;
  }

  /** How many kills came between a write of a ledger and its answer. */
  int unanswered() {
    return unanswered;
  }

  /** How often a ledger was written. */
  long writes() {
    return server.requests().count(LEDGER_WRITES, 200);
  }

  @Override
  public void close() {
    RunningCheck last = running;
    running = null;
    if (last != null) {
      last.close();
    }
  }
}
