// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.stories;

import static org.junit.jupiter.api.Assumptions.abort;

import io.github.kueue4j.testdefaults.Notices;
import java.nio.file.Path;
import java.util.Optional;

/** The stories on the cluster of a kubeconfig: {@code ./kueue4j e2e --kubeconfig FILE}. */
class StoriesOnClusterTest extends InstalledStories {
  @Override
  InstalledSite.Settings settings() {
    Optional<String> kubeconfig = property("kubeconfig");
    if (kubeconfig.isEmpty()) {
      String reason = "no cluster is named; ./kueue4j e2e --kubeconfig FILE does";
      Notices.once("skipped on a cluster: " + reason);
      abort(reason);
    }
    return new InstalledSite.Settings(
        Path.of(kubeconfig.orElseThrow()),
        property("image"),
        property("jobImage").orElse("busybox:1"),
        property("lostNode")
            .map(
                node ->
                    new InstalledSite.NodeCommands(
                        node,
                        property("loseNode").orElseThrow(),
                        property("bringNodeBack").orElseThrow())),
        property("keep").isPresent());
  }

  private static Optional<String> property(String name) {
    return Optional.ofNullable(System.getProperty("kueue4j." + name))
        .filter(value -> !value.isBlank());
  }
}
