// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import java.net.URISyntaxException;
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

  /**
   * The folder of what this build makes of a module: its {@code target}, or with {@code -Pquick}
   * the one below it.
   *
   * @param module such as {@code sdk/api}
   * @param test a class of tests that this build has compiled
   */
  public static Path built(String module, Class<?> test) {
    Path target;
    try {
      target =
          Path.of(test.getProtectionDomain().getCodeSource().getLocation().toURI()).getParent();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
    Path folder = target;
    while (folder != null && !Files.exists(folder.resolve("pom.xml"))) {
      folder = folder.getParent();
    }
    if (folder == null) {
      throw new IllegalStateException(test + " is in " + target + ", of no module");
    }
    return root().resolve(module).resolve(folder.relativize(target));
  }
}
