// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where the checkout stands: the nearest folder upwards that holds {@code mvnw} and {@code charts}.
 */
public final class Repository {
  private Repository() {}

  public static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (folder != null) {
      if (Files.exists(folder.resolve("mvnw")) && Files.isDirectory(folder.resolve("charts"))) {
        return folder;
      }
      folder = folder.getParent();
    }
    throw new IllegalStateException(
        "no folder above " + Path.of("").toAbsolutePath() + " holds mvnw and charts");
  }
}
