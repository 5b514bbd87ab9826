// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.faults;

import static org.awaitility.Awaitility.await;

import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.e2e.torture.Storm;
import io.github.kueue4j.testdefaults.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The core is a process that can't write to any file, from its start on. */
final class FullDisk {
  private static final Duration PATIENCE = Patience.LIMIT;

  private FullDisk() {}

  static Scene open(Path folder) throws InterruptedException {
    AtomicReference<@Nullable OwnProcess> core = new AtomicReference<>();
    return Scene.realTime(
        folder,
        (world, victims, time) ->
            new Storm.Cast(
                world,
                () -> {
                  OwnProcess started = CoreProcesses.startCoreOnFullDisk(victims, world);
                  core.set(started);
                  return started;
                },
                Storm.Cast.here(world, time).careful()),
        scene -> strike(Objects.requireNonNull(core.get())));
  }

  /** The disk is full already; whether it is, the system says. */
  private static Fault strike(OwnProcess core) {
    // One that has just been started anew may not have got so far.
    await().atMost(PATIENCE).ignoreExceptionsInstanceOf(IOException.class).until(() -> full(core));
    return new FaultRow.Done(1);
  }

  private static boolean full(OwnProcess core) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + core.pid() + "/limits")).stream()
        .anyMatch(line -> line.matches("Max file size\\s+0\\s.*"));
  }
}
