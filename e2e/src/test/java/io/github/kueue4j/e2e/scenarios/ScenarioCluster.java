// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.scenarios;

import static org.junit.jupiter.api.Assumptions.abort;

import io.github.kueue4j.e2e.cluster.BinariesCluster;
import io.github.kueue4j.e2e.cluster.Cluster;
import io.github.kueue4j.e2e.cluster.EmbeddedCluster;
import io.github.kueue4j.e2e.cluster.K3sCluster;
import io.github.kueue4j.testdefaults.Notices;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** The clusters that every scenario runs on; those that aren't there skip with a reason. */
public enum ScenarioCluster {
  EMBEDDED {
    @Override
    Optional<String> whyUnavailable() {
      return Optional.empty();
    }

    @Override
    Cluster launch(InstantSource clock) {
      return EmbeddedCluster.start(0, clock);
    }
  },
  BINARIES {
    @Override
    Optional<String> whyUnavailable() {
      return BinariesCluster.whyUnavailable(assets());
    }

    @Override
    Cluster launch(InstantSource clock) {
      return BinariesCluster.start(Path.of(assets().orElseThrow()));
    }
  },
  K3S {
    @Override
    Optional<String> whyUnavailable() {
      return K3sCluster.whyUnavailable();
    }

    @Override
    Cluster launch(InstantSource clock) {
      return K3sCluster.start();
    }
  };

  abstract Optional<String> whyUnavailable();

  abstract Cluster launch(InstantSource clock);

  /**
   * Starts one, or skips the test with the reason, printed.
   *
   * @param clock the simulated clock, for clusters that take one
   */
  public Cluster start(InstantSource clock) {
    skip(whyUnavailable());
    return launch(clock);
  }

  /** Skips the test with the reason, printed, if nothing here removes what has lost its owner. */
  public void requireGarbageCollection() {
    if (this == BINARIES && whyUnavailable().isEmpty()) {
      skip(BinariesCluster.whyWithoutControllers(Path.of(assets().orElseThrow())));
    }
  }

  /** A real API server that runs Jobs itself, or skips the test with the reason, printed. */
  public static Cluster binariesWithJobs() {
    return binariesWith("job");
  }

  /**
   * A real API server with these controllers, or skips the test with the reason, printed.
   *
   * @param controllers names of the controller manager's, such as {@code statefulset}
   */
  static Cluster binariesWith(String... controllers) {
    BINARIES.skip(BINARIES.whyUnavailable());
    BINARIES.requireGarbageCollection();
    return BinariesCluster.startWith(Path.of(assets().orElseThrow()), List.of(controllers));
  }

  private void skip(Optional<String> reason) {
    if (reason.isPresent()) {
      Notices.once("skipped on " + name() + ": " + reason.get());
      abort(name() + ": " + reason.get());
    }
  }

  private static Optional<String> assets() {
    return Optional.ofNullable(System.getenv(BinariesCluster.ASSETS));
  }
}
