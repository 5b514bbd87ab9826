// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

/**
 * The terminal that the process was started from. Java can neither ask for its size nor read single
 * keys; {@code stty} does both wherever there is a terminal of this kind. Without it the size is
 * assumed, and only Ctrl-C ends a command.
 */
final class ControllingTerminal implements Terminal {
  private static final File DEVICE = new File("/dev/tty");
  private static final Size ASSUMED = new Size(24, 80);

  private final Optional<String> settings = stty("-g");

  @Override
  public Size size() {
    return stty("size").flatMap(ControllingTerminal::parse).orElse(ASSUMED);
  }

  /** {@code 24 80}; a terminal that doesn't know its size says 0. */
  static Optional<Size> parse(String text) {
    String[] numbers = text.split(" ", -1);
    return Stream.of(numbers).allMatch(number -> number.matches("[1-9][0-9]{0,4}"))
            && numbers.length == 2
        ? Optional.of(new Size(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1])))
        : Optional.empty();
  }

  @Override
  public void onKey(IntConsumer keys) {
    if (settings.isPresent() && stty("-icanon", "-echo").isPresent()) {
      Thread.ofPlatform().daemon().name("keys").start(() -> read(keys));
    }
  }

  private static void read(IntConsumer keys) {
    try (InputStream in = new FileInputStream(DEVICE)) {
      for (int key = in.read(); key >= 0; key = in.read()) {
        keys.accept(key);
      }
    } catch (IOException e) {
      // The terminal has gone: no key will come, and writing to it fails as well.
      return;
    }
  }

  @Override
  public void close() {
    settings.ifPresent(ControllingTerminal::stty);
  }

  /** Runs {@code stty} and returns its output; empty if there is no terminal or no such program. */
  private static Optional<String> stty(String... arguments) {
    try {
      Process process =
          new ProcessBuilder(Stream.concat(Stream.of("stty"), List.of(arguments).stream()).toList())
              .redirectInput(DEVICE)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String printed =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return process.waitFor() == 0 ? Optional.of(printed) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
