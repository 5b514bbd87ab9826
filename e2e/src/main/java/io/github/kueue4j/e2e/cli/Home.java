// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cli;

import java.nio.file.Path;

/** The checkout that the launcher belongs to, wherever it was called from. */
final class Home {
  private Home() {}

  static Path folder() {
    return Path.of(System.getProperty("kueue4j.home", "")).toAbsolutePath();
  }

  static Path examples() {
    return folder().resolve("examples");
  }

  /** Files that the launcher writes; ignored by git. */
  static Path state() {
    return folder().resolve(".kueue4j");
  }
}
