// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

/** How a check writes its entry. The first letters of its name determine it. */
enum CheckKind {
  /** Through the SDK's fence. */
  SDK,
  /** Through the SDK's fence, and it asks to be woken in its own backoff. */
  WAKE,
  /** It writes whenever it likes, and dates that as it likes. */
  NAIVE;

  static CheckKind of(String check) {
    if (check.startsWith("sdk")) {
      return SDK;
    }
    return check.startsWith("wake") ? WAKE : NAIVE;
  }

  boolean fenced() {
    return this != NAIVE;
  }
}
