/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.e2e.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** A folder for files that nobody needs afterwards; closing removes it. */
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
