// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The text of a file that the user has named. */
final class TextFile {
  private TextFile() {}

  /**
   * All of it.
   *
   * @throws UserError if it can't be read
   */
  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UserError(file + " can't be read; give the name of a text file", e);
    }
  }
}
