// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.faults;

import static io.github.kueue4j.e2e.faults.Scene.VICTIMS;

import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import java.nio.file.Path;
import java.time.Duration;

/** A row of the fault matrix in {@code docs/RELIABILITY.md}. */
enum FaultRow {
  CONFLICTS("Bursts of 409", "every second write is refused") {
    @Override
    Fault strike(Scene scene) {
      return scene
          .faults()
          .failRate(0.5, VICTIMS.and(RequestMatcher.writes()), 409, scene.random());
    }
  },
  UNAVAILABLE("Bursts of 503", "every request is refused") {
    @Override
    Fault strike(Scene scene) {
      return scene
          .faults()
          .failRate(1, VICTIMS.and(RequestMatcher.anyResource()), 503, scene.random());
    }
  },
  CUT_WATCHES("Watches cut", "all watches break at once") {
    @Override
    Fault strike(Scene scene) {
      return new Done(scene.faults().dropWatches(VICTIMS));
    }
  };

  private final String title;
  private final String injected;

  FaultRow(String title, String injected) {
    this.title = title;
    this.injected = injected;
  }

  /** The fault, as the page names it. */
  String title() {
    return title;
  }

  /** What was injected, in words. */
  String injected() {
    return injected;
  }

  /**
   * Begins to disturb.
   *
   * @return ends it when closed; it counts what was disturbed
   */
  abstract Fault strike(Scene scene) throws InterruptedException;

  /** How long a strike lasts at least, in real time. */
  Duration lasts() {
    return Duration.ofMillis(700);
  }

  /** A cluster for this row. */
  Scene open(Path folder) throws InterruptedException {
    return Scene.here(folder);
  }

  /** A fault that is over as soon as it has been injected. */
  private record Done(long hits) implements Fault {
    @Override
    public void close() {}
  }
}
