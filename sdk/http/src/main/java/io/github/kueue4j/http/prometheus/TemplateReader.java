// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http.prometheus;

import io.github.kueue4j.http.prometheus.Placeholder.Position;
import io.github.kueue4j.http.prometheus.QueryTemplate.Part;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Reads a template from left to right, as far as it matters where a placeholder stands: in a label
 * matcher, in another string, in a comment or outside of all of them.
 */
final class TemplateReader {
  private final String text;
  private final Collection<Placeholder> allowed;
  private final List<Part> parts = new ArrayList<>();
  private final StringBuilder literal = new StringBuilder();
  private int at;
  private int braces;

  TemplateReader(String text, Collection<Placeholder> allowed) {
    this.text = text;
    this.allowed = allowed;
  }

  List<Part> parts() {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (text.startsWith("{{", at)) {
        outside();
      } else if (c == '"' || c == '\'' || c == '`') {
        string(c);
      } else if (c == '#') {
        comment();
      } else {
        braces += c == '{' ? 1 : c == '}' ? -1 : 0;
        take();
      }
    }
    flush();
    return parts;
  }

  private void take() {
    literal.append(text.charAt(at));
    at++;
  }

  private void flush() {
    if (!literal.isEmpty()) {
      parts.add(new Part.Literal(literal.toString()));
      literal.setLength(0);
    }
  }

  private void outside() {
    String name = name();
    Placeholder placeholder = known(name);
    if (placeholder.position() == Position.TEXT || placeholder.position() == Position.TEXTS) {
      throw misplaced(
          name,
          "stands outside of a label matcher: write it into quotes behind a label, such as "
              + example(placeholder, name));
    }
    flush();
    parts.add(new Part.Plain(placeholder, name));
  }

  private static String example(Placeholder placeholder, String name) {
    return name + (placeholder.position() == Position.TEXTS ? "=~" : "=") + "\"{{" + name + "}}\"";
  }

  private void string(char quote) {
    boolean regex = follows("=~") || follows("!~");
    boolean matcher = braces > 0 && (regex || follows("="));
    take();
    while (at < text.length() && text.charAt(at) != quote) {
      if (text.startsWith("{{", at)) {
        inString(quote, matcher, regex);
      } else {
        if (text.charAt(at) == '\\' && quote != '`' && at + 1 < text.length()) {
          take();
        }
        take();
      }
    }
    if (at < text.length()) {
      take();
    }
  }

  private void inString(char quote, boolean matcher, boolean regex) {
    String name = name();
    Placeholder placeholder = known(name);
    if (placeholder.position() == Position.NUMBER || placeholder.position() == Position.DURATION) {
      throw misplaced(name, "stands in a string: write it outside of quotes");
    }
    if (!matcher) {
      throw misplaced(
          name,
          "stands in a string that is no label matcher: only there is it safe, such as "
              + example(placeholder, name));
    }
    if (quote == '`') {
      throw misplaced(
          name, "stands between backticks, where nothing can be escaped: write \" or '");
    }
    if (placeholder.position() == Position.TEXTS && !regex) {
      throw misplaced(
          name,
          "may stand for several names: match it as a regular expression, such as "
              + example(placeholder, name));
    }
    flush();
    parts.add(new Part.MatcherText(placeholder, regex));
  }

  /** Whether the last characters that aren't white space are these. */
  private boolean follows(String operator) {
    int end = at;
    while (end > 0 && Character.isWhitespace(text.charAt(end - 1))) {
      end--;
    }
    return text.startsWith(operator, end - operator.length());
  }

  private void comment() {
    while (at < text.length() && text.charAt(at) != '\n') {
      if (text.startsWith("{{", at)) {
        throw misplaced(name(), "stands in a comment: leave it out there");
      }
      take();
    }
  }

  /** The name between the braces at this place, and moves behind them. */
  private String name() {
    int end = text.indexOf("}}", at);
    if (end < 0) {
      throw new IllegalArgumentException(
          "the placeholder '"
              + text.substring(at, Math.min(at + 20, text.length()))
              + "' has no end: write }} behind it");
    }
    String name = text.substring(at + 2, end).strip();
    at = end + 2;
    return name;
  }

  private Placeholder known(String name) {
    return Placeholder.named(name)
        .filter(allowed::contains)
        .orElseThrow(
            () ->
                misplaced(
                    name,
                    allowed.isEmpty()
                        ? "is unknown: this query takes no placeholders"
                        : "is unknown: write one of " + Placeholder.list(allowed)));
  }

  private static IllegalArgumentException misplaced(String name, String problem) {
    return new IllegalArgumentException("the placeholder {{" + name + "}} " + problem);
  }
}
