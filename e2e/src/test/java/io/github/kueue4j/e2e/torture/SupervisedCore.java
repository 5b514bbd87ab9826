// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.torture;

import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.e2e.observer.Outage;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testdefaults.Patience;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A core in this process that is started anew when it has ended because its lease was lost, as the
 * kubelet does: on a machine that has too much to do that may happen at any time. Thread-safe.
 */
public final class SupervisedCore implements Storm.Part {
  private static final Duration PATIENCE = Patience.LIMIT;

  /** How long it may have done nothing before it knew that its lease was lost. */
  private static final Duration UNNOTICED = Duration.ofSeconds(15);

  /** How long its own lease may keep its successor waiting. */
  private static final Duration UNTIL_IT_LEADS = Duration.ofSeconds(20);

  private final String identity;
  private final Target target;
  private final Configuration configuration;
  private final TimeSource time;
  private final Actors kubelet;

  // All guarded by this object's monitor.
  private ClusterConnection connection;
  private KueueCore core;
  private boolean closed;
  private final List<Outage> outages = new ArrayList<>();

  private SupervisedCore(
      String identity, Target target, Configuration configuration, TimeSource time)
      throws InterruptedException {
    this.identity = identity;
    this.target = target;
    this.configuration = configuration;
    this.time = time;
    this.kubelet = Actors.named("kubelet-of-" + identity);
    this.connection = target.connect("kueue-core");
    this.core = build();
    core.start();
  }

  /**
   * Starts one, and waits until it leads.
   *
   * @param identity in the leader election, also of its successors
   */
  static SupervisedCore start(
      String identity, Target target, Configuration configuration, TimeSource time)
      throws InterruptedException {
    SupervisedCore started = follow(identity, target, configuration, time);
    await().alias(identity + " leads").atMost(PATIENCE).until(started::leading);
    return started;
  }

  /**
   * Starts one that need not lead.
   *
   * @param identity in the leader election, also of its successors
   */
  public static SupervisedCore follow(
      String identity, Target target, Configuration configuration, TimeSource time)
      throws InterruptedException {
    return new SupervisedCore(identity, target, configuration, time);
  }

  private KueueCore build() {
    return KueueCore.builder(connection, configuration, time)
        .identity(identity)
        .onLeadershipLost(() -> kubelet.start(this::startAnew))
        .build();
  }

  private void startAnew() {
    Instant lost = time.instant();
    synchronized (this) {
      if (closed) {
        return;
      }
      core.close();
      connection.close();
    }
    // Not under the monitor: while the server is away, this takes some tries.
    await()
        .alias(identity + " is started again after it has lost its lease")
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(this::started);
    synchronized (this) {
      outages.add(new Outage(lost.minus(UNNOTICED), time.instant().plus(UNTIL_IT_LEADS)));
    }
  }

  private synchronized boolean started() throws InterruptedException {
    if (!closed) {
      connection.close();
      connection = target.connect("kueue-core");
      core = build();
      core.start();
    }
    return true;
  }

  @Override
  public synchronized List<Outage> outages() {
    return List.copyOf(outages);
  }

  /** Whether it does the work. */
  public synchronized boolean leading() {
    return core.leading();
  }

  @Override
  public void kill() {
    end(KueueCore::crash);
  }

  @Override
  public void close() {
    end(KueueCore::close);
  }

  /** Nothing starts it again then. */
  private void end(Consumer<KueueCore> how) {
    synchronized (this) {
      closed = true;
      how.accept(core);
      connection.close();
    }
    // Not under the monitor, which the kubelet may wait for.
    kubelet.close();
  }
}
