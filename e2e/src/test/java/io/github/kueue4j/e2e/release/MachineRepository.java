// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** The Maven repository of this machine: the libraries of others, without a download. */
public final class MachineRepository {
  private static final Path OURS = Path.of("io", "github", "kueue4j");

  private MachineRepository() {}

  /** Makes the folder a repository with links to all of it but the artifacts of this project. */
  public static void linkInto(Path folder) throws IOException {
    linkTheOthers(usual(), folder, OURS);
  }

  /** The one that this build uses. */
  private static Path usual() {
    return Optional.ofNullable(System.getProperty("localRepository"))
        .map(Path::of)
        .filter(Files::isDirectory)
        .orElse(Path.of(System.getProperty("user.home"), ".m2", "repository"));
  }

  /** Links all that lies beside the path, on each of its levels. */
  private static void linkTheOthers(Path from, Path to, Path without) throws IOException {
    Files.createDirectories(to);
    Path name = without.getName(0);
    if (Files.isDirectory(from)) {
      try (Stream<Path> children = Files.list(from)) {
        for (Path child : children.toList()) {
          Path same = Objects.requireNonNull(child.getFileName());
          if (!same.equals(name)) {
            Files.createSymbolicLink(to.resolve(same), child.toRealPath());
          }
        }
      }
    }
    if (without.getNameCount() > 1) {
      linkTheOthers(
          from.resolve(name), to.resolve(name), without.subpath(1, without.getNameCount()));
    }
  }
}
