// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;

/** Lines that tests print on purpose. They are few, so that each of them is read. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class Notices {
  private static final Set<String> PRINTED = ConcurrentHashMap.newKeySet();

  private Notices() {}

  /** Prints a line, such as why tests are skipped, unless this JVM has printed it before. */
  public static void once(String line) {
    if (PRINTED.add(line)) {
      System.out.println(line);
    }
  }

  /** Prints a line of figures, in a nightly build only: no other is run to be read. */
  public static void nightly(String line) {
    if (Nightly.isOn()) {
      System.out.println(line);
    }
  }
}
