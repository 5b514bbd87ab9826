// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http.prometheus;

/** Texts as PromQL writes them: strings follow the escaping rules of Go. */
final class PromqlText {
  private static final String REGEX_CHARACTERS = "\\.+*?()|[]{}^$";

  private PromqlText() {}

  /** The text as a string literal in double quotes. */
  static String quoted(String text) {
    return '"' + escaped(text) + '"';
  }

  /** The text as it stands between quotes of either kind. */
  static String escaped(String text) {
    StringBuilder escaped = new StringBuilder(text.length() + 8);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\\' -> escaped.append("\\\\");
        // Escaped as numbers, since Go refuses the other kind of quote behind a backslash.
        case '"' -> escaped.append("\\x22");
        case '\'' -> escaped.append("\\x27");
        case '\n' -> escaped.append("\\n");
        default -> {
          if (c < ' ') {
            escaped.append(String.format("\\x%02x", (int) c));
          } else {
            escaped.append(c);
          }
        }
      }
    }
    return escaped.toString();
  }

  /** A regular expression (RE2) that matches this text and no other. */
  static String literalRegex(String text) {
    StringBuilder regex = new StringBuilder(text.length() + 8);
    text.chars()
        .forEach(
            c -> {
              if (REGEX_CHARACTERS.indexOf(c) >= 0) {
                regex.append('\\');
              }
              regex.append((char) c);
            });
    return regex.toString();
  }
}
