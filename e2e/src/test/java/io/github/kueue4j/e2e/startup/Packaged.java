// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.startup;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What the module cli has packaged in this build; a test that asks for it is skipped without. */
public final class Packaged {
  private Packaged() {}

  /** The folder of the distribution. */
  public static Path distribution() throws IOException {
    return find("distribution", Distribution::is).toRealPath();
  }

  /** The file of the image. */
  public static Path image() throws IOException {
    return find("image", each -> each.toString().endsWith("-image.tar"));
  }

  private static Path find(String what, Predicate<Path> is) throws IOException {
    Path target = Checkout.built("cli", Packaged.class);
    try (Stream<Path> files = Files.isDirectory(target) ? Files.list(target) : Stream.empty()) {
      Path found = files.filter(is).findFirst().orElse(target);
      assumeTrue(
          !found.equals(target),
          "no " + what + " in " + target + ": this build doesn't package cli");
      return found;
    }
  }
}
