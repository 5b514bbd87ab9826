// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * The files of the checkout that a test reads. A build of all modules runs the tests in the folder
 * of another module than their own, so paths must not begin at the working directory.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class Checkout {
  private Checkout() {}

  /**
   * Its root: the nearest folder upwards that has {@code mvnw} and {@code charts}.
   *
   * @throws IllegalStateException if there is none
   */
  public static Path root() {
    Path begin = Path.of("").toAbsolutePath();
    Path folder = begin;
    while (folder != null) {
      if (Files.exists(folder.resolve("mvnw")) && Files.isDirectory(folder.resolve("charts"))) {
        return folder;
      }
      folder = folder.getParent();
    }
    throw new IllegalStateException("no folder above " + begin + " has mvnw and charts");
  }
}
