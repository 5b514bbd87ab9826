// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.terminal;

import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Text that fits a screen. Sections that are too long end with the number of lines that are left
 * out; lines that are too long end with an ellipsis.
 *
 * @param title the first line
 * @param sections separated by empty lines
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public record Frame(String title, List<List<String>> sections) {
  /** A section isn't cut to less: its header, a row, and how many there are more. */
  private static final int LEAST = 3;

  public Frame {
    sections = sections.stream().map(List::copyOf).toList();
  }

  /** All lines, however many and long they are. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>(List.of(title));
    for (List<String> section : sections) {
      lines.add("");
      lines.addAll(section);
    }
    return lines;
  }

  /**
   * The lines that fit.
   *
   * @param height number of lines
   * @param width number of characters in a line
   */
  public List<String> fit(int height, int width) {
    List<Integer> sizes = new ArrayList<>(sections.stream().map(List::size).toList());
    int excess = 1 + sections.size() + sum(sizes) - height;
    // Line by line from what is the longest then, so that short sections stay whole.
    for (; excess > 0; excess--) {
      int longest = 0;
      for (int index = 1; index < sizes.size(); index++) {
        longest = sizes.get(index) > sizes.get(longest) ? index : longest;
      }
      if (sizes.isEmpty() || sizes.get(longest) <= LEAST) {
        break;
      }
      sizes.set(longest, sizes.get(longest) - 1);
    }
    List<List<String>> cut = new ArrayList<>();
    for (int index = 0; index < sections.size(); index++) {
      cut.add(cut(sections.get(index), sizes.get(index)));
    }
    return new Frame(title, cut)
        .lines().stream().limit(height).map(line -> cut(line, width)).toList();
  }

  private static int sum(List<Integer> sizes) {
    return sizes.stream().mapToInt(Integer::intValue).sum();
  }

  private static List<String> cut(List<String> section, int size) {
    if (size >= section.size()) {
      return section;
    }
    List<String> cut = new ArrayList<>(section.subList(0, size - 1));
    cut.add("... and " + (section.size() - size + 1) + " more");
    return cut;
  }

  private static String cut(String line, int width) {
    return line.length() <= width ? line : line.substring(0, Math.max(0, width - 1)) + "…";
  }
}
