// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.program;

import org.apiguardian.api.API;

/**
 * How a line of the log looks.
 *
 * @see CheckProgram
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum LogFormat {
  /** For people: the time with its zone, the level, the logger, the message and its key-values. */
  TEXT("text"),

  /** For machines: one flat JSON object per line, key-values included. */
  JSON("json");

  private final String word;

  LogFormat(String word) {
    this.word = word;
  }

  /** The name on the command line and in {@code KUEUE4J_LOG_FORMAT}. */
  @Override
  public String toString() {
    return word;
  }
}
