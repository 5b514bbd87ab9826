// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.faults;

import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.e2e.observer.Outage;
import io.github.kueue4j.e2e.torture.Storm;
import io.github.kueue4j.e2e.torture.SupervisedCore;
import io.github.kueue4j.testdefaults.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Two replicas of the core: one in a process that is stopped while it leads, one in this process,
 * which takes over. When the first one goes on, it still believes that it leads.
 */
final class TwoLeaders implements Storm.Part {
  private static final Duration PATIENCE = Patience.LIMIT;

  /** In which a leader that was stopped finds that its lease is lost. */
  private static final Duration TO_NOTICE = Duration.ofSeconds(60);

  private static final int ATTEMPTS = 5;
  private static final String SECOND = "second";
  private static final Configuration CONFIGURATION =
      Configuration.parse(CoreProcesses.CONFIGURATION);

  private final Target target;
  private final TimeSource time;
  private final OwnProcess first;
  private SupervisedCore second;

  private TwoLeaders(Path kubeconfig, Target world, TimeSource time) throws InterruptedException {
    this.target = Target.of(kubeconfig);
    this.time = time;
    this.first = CoreProcesses.startCore(kubeconfig, world);
    this.second = SupervisedCore.follow(SECOND, target, CONFIGURATION, time);
  }

  static Scene open(Path folder) throws InterruptedException {
    AtomicReference<@Nullable TwoLeaders> replicas = new AtomicReference<>();
    return Scene.realTime(
        folder,
        (world, victims, time) ->
            new Storm.Cast(
                world,
                () -> {
                  TwoLeaders started = new TwoLeaders(victims, world, time);
                  replicas.set(started);
                  return started;
                },
                Storm.Cast.here(world, time).careful()),
        scene -> Objects.requireNonNull(replicas.get()).strike(scene));
  }

  private Fault strike(Scene scene) throws InterruptedException {
    // On a busy machine the first one may have lost its lease just before it is stopped; then it
    // isn't a leader that goes on, and doesn't end.
    boolean deposed = false;
    for (int attempt = 1; !deposed && attempt <= ATTEMPTS; attempt++) {
      if (second.leading()) {
        giveBack(scene);
      }
      int ends = first.ends();
      Instant from = time.instant();
      first.signal("STOP");
      await().alias("the second leads").atMost(PATIENCE).until(second::leading);
      scene.storm().outage(from, time.instant());
      first.signal("CONT");
      deposed = first.endsWithin(TO_NOTICE, ends);
    }
    return new FaultRow.Done(deposed ? 1 : 0);
  }

  /** The first one, which was started anew, leads again. */
  private void giveBack(Scene scene) throws InterruptedException {
    Instant from = time.instant();
    String before = CoreProcesses.holder(scene.storm().api());
    second.kill();
    CoreProcesses.awaitOtherLeader(scene.storm().api(), before, first);
    scene.storm().outage(from, time.instant());
    second = SupervisedCore.follow(SECOND, target, CONFIGURATION, time);
  }

  @Override
  public List<Outage> outages() {
    List<Outage> all = new ArrayList<>(first.outages());
    all.addAll(second.outages());
    return all;
  }

  @Override
  public void kill() {
    first.kill();
    second.kill();
  }

  @Override
  public void close() {
    first.close();
    second.close();
  }
}
