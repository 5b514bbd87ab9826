// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import java.util.function.IntConsumer;

/** A terminal with a person before it: its size, and the keys that are pressed. */
interface Terminal extends AutoCloseable {
  /** In characters. */
  record Size(int lines, int columns) {}

  /** The size as it is now. */
  Size size();

  /** Reports each key from now on, as a character, instead of whole lines; nothing is echoed. */
  void onKey(IntConsumer keys);

  /** Leaves the terminal's settings as they were. */
  @Override
  void close();
}
