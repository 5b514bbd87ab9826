// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.StringWriter;

/** A pipe whose reader may have ended. */
final class GoneWriter extends FilterWriter {
  private volatile boolean gone;

  GoneWriter(StringWriter out) {
    super(out);
  }

  /** From now on nothing reads. */
  void goes() {
    gone = true;
  }

  @Override
  public void write(String text, int from, int length) throws IOException {
    if (gone) {
      throw new IOException("broken pipe");
    }
    super.write(text, from, length);
  }
}
