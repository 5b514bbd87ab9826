// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

/**
 * A mistake that an author could make in production code.
 *
 * @param mistake in words
 * @param world in which it shows
 * @param source file, from the root of the project
 * @param text that occurs there exactly once
 * @param replacement what the mistake makes of it
 */
record Mutation(String mistake, String world, String source, String text, String replacement) {
  private static final String LIFECYCLE =
      "kueue-core/src/main/java/io/github/kueue4j/core/lifecycle/";
  private static final String FENCE =
      "sdk/admission-check/src/main/java/io/github/kueue4j/sdk/internal/fence/";

  static Mutation ofLifecycle(
      String mistake, String world, String type, String text, String replacement) {
    return new Mutation(mistake, world, LIFECYCLE + type + ".java", text, replacement);
  }

  static Mutation ofFence(
      String mistake, String world, String type, String text, String replacement) {
    return new Mutation(mistake, world, FENCE + type + ".java", text, replacement);
  }

  /** The binary name of the class in the file. */
  String type() {
    String path = source.substring(source.indexOf("io/github"), source.length() - ".java".length());
    return path.replace('/', '.');
  }

  /**
   * The source with the mistake in it.
   *
   * @throws IllegalStateException if the text isn't there exactly once: the code has moved on, and
   *     this mutation has to follow
   */
  String in(String code) {
    int place = code.indexOf(text);
    if (place < 0 || code.indexOf(text, place + 1) >= 0) {
      throw new IllegalStateException(
          "the mutation '"
              + mistake
              + "' no longer fits: "
              + source
              + " must contain this exactly once:\n"
              + text);
    }
    return code.substring(0, place) + replacement + code.substring(place + text.length());
  }

  @Override
  public String toString() {
    return mistake;
  }
}
