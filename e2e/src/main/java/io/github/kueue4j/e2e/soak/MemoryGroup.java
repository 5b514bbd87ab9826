// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A control group of Linux that limits the memory of one process, as a kubelet's container runtime
 * makes it: Java computes its heap from it, and the kernel ends what exceeds it.
 *
 * @param folder of the group, in the file system of control groups
 */
record MemoryGroup(Path folder) implements AutoCloseable {
  private static final Path ROOT = Path.of("/sys/fs/cgroup");
  private static final List<Hierarchy> HIERARCHIES =
      List.of(
          new Hierarchy(ROOT.resolve("memory"), "memory.limit_in_bytes"),
          new Hierarchy(ROOT, "memory.max"));

  /** Version 1 or 2 of control groups. */
  private record Hierarchy(Path root, String limit) {}

  /** A new group; empty where the machine has none, or the user may not make one. */
  static Optional<MemoryGroup> create(String name, long bytes) {
    return HIERARCHIES.stream()
        .filter(each -> Files.isDirectory(each.root()))
        .flatMap(each -> create(each, name, bytes).stream())
        .findFirst();
  }

  private static Optional<MemoryGroup> create(Hierarchy hierarchy, String name, long bytes) {
    Path folder = hierarchy.root().resolve(name);
    try {
      Files.createDirectory(folder);
    } catch (IOException notPermitted) {
      return Optional.empty();
    }
    MemoryGroup group = new MemoryGroup(folder);
    Path limit = folder.resolve(hierarchy.limit());
    try {
      if (Files.isWritable(limit)) {
        Files.writeString(limit, Long.toString(bytes));
        return Optional.of(group);
      }
    } catch (IOException notPermitted) {
      // The next hierarchy may permit it.
      group.close();
      return Optional.empty();
    }
    group.close();
    return Optional.empty();
  }

  /** The words that start a process in the group, which keeps the id of the first of them. */
  List<String> within(List<String> command) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "sh",
                "-c",
                "echo $$ >\"$0\" && exec \"$@\"",
                folder.resolve("cgroup.procs").toString()));
    words.addAll(command);
    return List.copyOf(words);
  }

  /** Removes the group, in which no process may be left. */
  @Override
  public void close() {
    try {
      Files.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException("can't remove the control group " + folder, e);
    }
  }
}
