// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.faults;

import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.e2e.torture.Storm;
import io.github.kueue4j.testdefaults.Nightly;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The core and the check are processes, and one of them is killed in turn. A build kills the core
 * only, and has the check in this process, since a JVM is most of what this costs: {@code
 * KilledLeaderTest} and {@code LedgerLoadTest} kill checks.
 */
final class KilledProcesses {
  private KilledProcesses() {}

  static Scene open(Path folder) throws InterruptedException {
    AtomicInteger turn = new AtomicInteger();
    return Scene.realTime(
        folder,
        (world, victims, time) ->
            new Storm.Cast(
                world,
                () -> CoreProcesses.startCore(victims, world),
                Nightly.isOn()
                    ? () -> CoreProcesses.startCheck(victims)
                    : Storm.Cast.here(Target.of(victims), time).careful()),
        scene -> strike(scene, turn.getAndIncrement()));
  }

  private static Fault strike(Scene scene, int turn) throws InterruptedException {
    if (turn % 2 == 0) {
      scene.storm().kill();
    } else {
      scene.storm().killCareful();
    }
    return new FaultRow.Done(1);
  }
}
