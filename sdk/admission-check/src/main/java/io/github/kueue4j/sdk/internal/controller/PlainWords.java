// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The description of a failure, in words for the people whose workloads wait. They read neither
 * names of Java classes nor stacks; the log of the controller has both.
 */
final class PlainWords {

  private static final String SPEECHLESS = "it failed; the log of the check's controller says why";
  private static final int LONGEST = 300;

  /** As {@code java.net.ConnectException: Connection refused} begins, also within a text. */
  private static final Pattern PREFIX =
      Pattern.compile("\\b(?:\\w{1,64}\\.){0,16}[A-Z][\\w$]{0,64}(?:Exception|Error):\\s*");

  private static final Pattern CLASS =
      Pattern.compile("\\b(?:[a-z_]\\w{0,64}\\.){2,16}[A-Z]\\w|\\b[A-Z]\\w{0,64}Exception\\b");

  private PlainWords() {}

  /** The message of the failure, cut after 300 characters, without names of Java classes. */
  static String of(Throwable failure) {
    @Nullable String said = failure.getMessage();
    if (said == null || isOfTheJvm(failure, said)) {
      return SPEECHLESS;
    }
    String read = said.length() <= 2 * LONGEST ? said : said.substring(0, 2 * LONGEST);
    String plain = PREFIX.matcher(read).replaceAll("").strip();
    if (plain.isEmpty() || CLASS.matcher(plain).find()) {
      return SPEECHLESS;
    }
    return plain.length() <= LONGEST ? plain : plain.substring(0, LONGEST) + " ...";
  }

  /** What the JVM itself says of a null is made of names of methods. */
  private static boolean isOfTheJvm(Throwable failure, String said) {
    return failure instanceof NullPointerException && said.startsWith("Cannot ");
  }
}
