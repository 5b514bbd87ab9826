// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.terminal;

import java.util.List;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * Aligns rows as kubectl does: columns in the order of the header, three spaces apart, each as wide
 * as its widest cell so far. Rows that are added later keep the widths of those before.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class Table {
  private static final String GAP = "   ";

  private final List<String> header;
  private final int[] widths;

  /** A table with these columns. */
  public Table(List<String> header) {
    this.header = List.copyOf(header);
    this.widths = new int[header.size()];
  }

  /** The lines of the header and these rows. */
  public List<String> lines(List<List<String>> rows) {
    return aligned(Stream.concat(Stream.of(header), rows.stream()).toList());
  }

  /** The lines of further rows, without the header. */
  public List<String> more(List<List<String>> rows) {
    return aligned(rows);
  }

  private List<String> aligned(List<List<String>> rows) {
    for (List<String> row : rows) {
      if (row.size() != widths.length) {
        throw new IllegalArgumentException(
            "a row has " + row.size() + " cells for the columns " + header + ": " + row);
      }
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], row.get(column).length());
      }
    }
    return rows.stream().map(this::line).toList();
  }

  private String line(List<String> row) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < widths.length; column++) {
      String cell = row.get(column);
      line.append(cell).repeat(" ", widths[column] - cell.length()).append(GAP);
    }
    return line.toString().stripTrailing();
  }
}
