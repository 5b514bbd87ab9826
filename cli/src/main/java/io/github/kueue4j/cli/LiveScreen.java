// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import java.io.PrintWriter;
import java.util.List;

/**
 * Draws frames in place, on the second screen that terminals have for it: what stood on the first
 * one is there again afterwards.
 */
final class LiveScreen implements AutoCloseable {
  static final String ENTER = "\u001b[?1049h\u001b[?25l";
  static final String LEAVE = "\u001b[?25h\u001b[?1049l";
  private static final String HOME = "\u001b[H";
  private static final String CLEAR_RIGHT = "\u001b[K";
  private static final String CLEAR_BELOW = "\u001b[J";
  private static final String BOLD = "\u001b[1m";
  private static final String PLAIN = "\u001b[0m";

  private final PrintWriter out;
  private final boolean styled;

  /**
   * Changes to the second screen.
   *
   * @param styled whether the first line is bold
   */
  LiveScreen(PrintWriter out, boolean styled) {
    this.out = out;
    this.styled = styled;
    out.print(ENTER);
  }

  /**
   * Replaces what is on the screen.
   *
   * @param lines as many as fit
   * @return whether the terminal is still there
   */
  boolean draw(List<String> lines) {
    StringBuilder frame = new StringBuilder(HOME);
    for (int index = 0; index < lines.size(); index++) {
      String line = lines.get(index);
      frame.append(index == 0 ? "" : "\r\n");
      frame.append(styled && index == 0 ? BOLD + line + PLAIN : line).append(CLEAR_RIGHT);
    }
    out.print(frame.append(CLEAR_BELOW));
    return !out.checkError();
  }

  @Override
  public void close() {
    out.print(LEAVE);
    out.flush();
  }
}
