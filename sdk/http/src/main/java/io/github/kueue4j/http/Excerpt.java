// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import org.apiguardian.api.API;

/**
 * Texts of servers, made fit for messages to people.
 *
 * @see HttpBackends
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Excerpt {
  private static final int LONGEST = 200;

  private Excerpt() {}

  /** At most 200 characters in one line, without control characters. */
  public static String of(String text) {
    // What is far behind the limit needs no look.
    String start = text.substring(0, Math.min(text.length(), 4 * LONGEST));
    String line = start.replaceAll("[\\p{Cntrl}\\p{Cf}\\s]+", " ").strip();
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + " ...";
  }
}
