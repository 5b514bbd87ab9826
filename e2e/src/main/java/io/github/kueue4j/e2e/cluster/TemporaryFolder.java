// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** A temporary folder; closing removes it and its files. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class TemporaryFolder implements AutoCloseable {
  private final Path path;

  private TemporaryFolder(Path path) {
    this.path = path;
  }

  /**
   * A new folder.
   *
   * @param purpose a word of its name
   * @throws ClusterUnavailable if there is no room for temporary files
   */
  public static TemporaryFolder create(String purpose) {
    try {
      return new TemporaryFolder(Files.createTempDirectory("kueue4j-" + purpose + "-"));
    } catch (IOException e) {
      throw new ClusterUnavailable(
          "cannot create a temporary folder for " + purpose + ": " + e.getMessage(), e);
    }
  }

  public Path path() {
    return path;
  }

  @Override
  public void close() {
    if (!Files.exists(path)) {
      return;
    }
    try (Stream<Path> tree = Files.walk(path)) {
      List<Path> deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + path, e);
    }
  }
}
