// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.schema;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A schema's pattern. RE2 decides which patterns exist and what they mean; where the JDK's engine
 * can't answer differently it answers, because it is several times faster.
 */
final class StringPattern {

  /** Beyond this length backtracking could take long. */
  private static final int FAST_LENGTH = 512;

  private final String source;
  private final Pattern exact;
  private final java.util.regex.@Nullable Pattern fast;

  private StringPattern(String source, Pattern exact, java.util.regex.@Nullable Pattern fast) {
    this.source = source;
    this.exact = exact;
    this.fast = fast;
  }

  /**
   * Compiles it.
   *
   * @throws PatternSyntaxException if RE2 refuses it
   */
  static StringPattern compile(String source) {
    Pattern exact = Pattern.compile(source);
    java.util.regex.Pattern fast;
    try {
      fast = java.util.regex.Pattern.compile(source);
    } catch (java.util.regex.PatternSyntaxException e) {
      // RE2 knows forms such as (?P<name>...) that the JDK doesn't.
      fast = null;
    }
    return new StringPattern(source, exact, fast);
  }

  String source() {
    return source;
  }

  /** Whether it occurs anywhere in {@code text}. */
  boolean occursIn(String text) {
    if (fast != null && text.length() <= FAST_LENGTH && isPrintableAscii(text)) {
      return fast.matcher(text).find();
    }
    return exact.matcher(text).find();
  }

  /** Line ends and letters beyond ASCII are where the engines differ. */
  private static boolean isPrintableAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~') {
        return false;
      }
    }
    return true;
  }
}
