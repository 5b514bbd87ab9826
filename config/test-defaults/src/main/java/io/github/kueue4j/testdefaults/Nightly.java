// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import org.apiguardian.api.API;

/**
 * Bounds of tests that repeat the same check: small in {@code ./mvnw verify}, large in {@code
 * ./mvnw -Pnightly verify}.
 */
@API(status = API.Status.INTERNAL)
public final class Nightly {
  private static final boolean NIGHTLY = Boolean.getBoolean("nightly");

  private Nightly() {}

  /** Whether this is a nightly build. */
  public static boolean isOn() {
    return NIGHTLY;
  }

  /** The bound of this build. */
  public static int bound(int inVerify, int nightly) {
    return NIGHTLY ? nightly : inVerify;
  }
}
