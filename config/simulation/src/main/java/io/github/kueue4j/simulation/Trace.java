// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.simulation;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The record of a simulation: its hash, its last events, and all of them in a file where {@code
 * -Dkueue4j.sim.trace} names one, to see where two runs differ.
 */
final class Trace {
  private static final int LAST = 60;
  private static final @Nullable PrintWriter FILE = file();

  // All guarded by this object's monitor.
  private final Deque<String> last = new ArrayDeque<>();
  private long hash = 17;
  private long size;

  private static @Nullable PrintWriter file() {
    String name = System.getProperty("kueue4j.sim.trace", "");
    try {
      return name.isEmpty() ? null : new PrintWriter(Files.newBufferedWriter(Path.of(name)), true);
    } catch (IOException e) {
      throw new UncheckedIOException("the trace can't be written to " + name, e);
    }
  }

  synchronized void step(int thread, String name, long now) {
    size++;
    add(now + " " + thread + " " + name);
  }

  synchronized void add(String event) {
    hash = hash * 31 + event.hashCode();
    last.addLast(event);
    if (last.size() > LAST) {
      last.removeFirst();
    }
    if (FILE != null) {
      FILE.println(event);
    }
  }

  synchronized long hash() {
    return hash;
  }

  synchronized long size() {
    return size;
  }

  /** The last events, a line each. */
  synchronized String last() {
    return "the last steps:\n" + String.join("\n", last) + "\nthe threads:\n";
  }
}
