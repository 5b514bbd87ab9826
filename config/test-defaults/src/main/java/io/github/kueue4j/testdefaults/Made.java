// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Something that a test made and has to end: a thread, an open port, a process, a temporary file or
 * folder.
 *
 * @param thing itself
 * @param where the line of the project that made it
 */
record Made(Object thing, Supplier<String> where) {
  private static final int SHOWN_FRAMES = 6;

  boolean gone() {
    return switch (thing) {
      case Thread thread -> !thread.isAlive() && thread.getState() != Thread.State.NEW;
      case ServerSocket socket -> socket.isClosed();
      case ServerSocketChannel channel -> !channel.isOpen() || port(channel) == null;
      case Process process -> !process.isAlive();
      case Path path -> !Files.exists(path, LinkOption.NOFOLLOW_LINKS);
      default -> throw new IllegalStateException("unknown: " + thing.getClass());
    };
  }

  /** What it is, where it was made and, of a thread, what it is doing. */
  String description() {
    return what() + ", made at " + where.get();
  }

  private String what() {
    return switch (thing) {
      case Thread thread -> "thread '" + thread.getName() + "' (" + doing(thread) + ")";
      case ServerSocket socket -> "open port " + socket.getLocalPort();
      case ServerSocketChannel channel -> "open port " + port(channel);
      case Process process ->
          "process " + process.pid() + ' ' + process.info().command().orElse("");
      case Path path -> "temporary " + path;
      default -> throw new IllegalStateException("unknown: " + thing.getClass());
    };
  }

  private static String doing(Thread thread) {
    @Nullable StackTraceElement[] frames = thread.getStackTrace();
    return thread.getState()
        + (frames.length == 0 ? "" : " at ")
        + Arrays.stream(frames)
            .limit(SHOWN_FRAMES)
            .map(String::valueOf)
            .collect(Collectors.joining(" < "));
  }

  /** Null if it isn't bound, as where the port was taken; the JDK's server leaves it open then. */
  private static @Nullable SocketAddress port(ServerSocketChannel channel) {
    try {
      return channel.getLocalAddress();
    } catch (IOException closed) {
      return null;
    }
  }
}
