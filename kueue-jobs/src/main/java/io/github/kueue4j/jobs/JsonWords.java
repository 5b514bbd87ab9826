// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import com.google.gson.JsonParseException;
import org.apiguardian.api.API;

/** The words of a reader of JSON about an object that a user wrote. */
@API(status = API.Status.INTERNAL)
public final class JsonWords {
  private JsonWords() {}

  /** A message may contain all that the user wrote. */
  private static final int MOST_CHARACTERS = 200;

  /** The beginning of the first line of its message, without names of Java classes. */
  public static String of(JsonParseException failure) {
    return String.valueOf(failure.getMessage())
        .lines()
        .findFirst()
        .map(line -> line.substring(0, Math.min(line.length(), MOST_CHARACTERS)))
        .orElse("")
        .replaceAll("([a-z]\\w*\\.)+[A-Z]\\w*: ", "")
        .replaceAll(" at (line [0-9]+ column [0-9]+ )?path \\$\\.?", " at ")
        .replaceAll(" at $", "");
  }
}
