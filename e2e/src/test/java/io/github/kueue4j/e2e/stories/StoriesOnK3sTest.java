// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.stories;

import static org.junit.jupiter.api.Assumptions.abort;

import io.github.kueue4j.e2e.cluster.K3sCluster;
import io.github.kueue4j.testdefaults.Notices;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;

/**
 * The stories on k3s, where there is a container engine and an image that has Java: {@code
 * -Dkueue4j.imageFile=FILE}.
 */
class StoriesOnK3sTest extends InstalledStories {
  private @Nullable K3sCluster cluster;

  @Override
  InstalledSite.Settings settings() {
    K3sCluster.whyUnavailable().ifPresent(StoriesOnK3sTest::skip);
    String file = System.getProperty("kueue4j.imageFile", "");
    if (!Files.isRegularFile(Path.of(file))) {
      skip("no image is named; CONTRIBUTING.md says how -Dkueue4j.imageFile is built");
    }
    K3sCluster started = K3sCluster.start();
    cluster = started;
    started.load(Path.of(file));
    return new InstalledSite.Settings(
        started.kubeconfig(), Optional.empty(), "busybox:1", Optional.empty(), false);
  }

  private static void skip(String reason) {
    Notices.once("skipped on K3S: " + reason);
    abort("K3S: " + reason);
  }

  @Override
  @AfterAll
  void closeTheSite() {
    try {
      super.closeTheSite();
    } finally {
      if (cluster != null) {
        cluster.close();
      }
    }
  }
}
