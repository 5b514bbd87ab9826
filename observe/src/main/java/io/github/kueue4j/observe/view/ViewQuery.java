// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a request.
 *
 * @param values by name, decoded
 */
record ViewQuery(Map<String, String> values) {
  private static final int LONGEST = 256;

  ViewQuery {
    values = Map.copyOf(values);
  }

  /**
   * Reads the query of an address.
   *
   * @param raw as sent; null if there is none
   * @param known the names of the parameters that there are
   * @throws ViewProblem if a parameter is unknown, comes twice, is too long or not encoded right
   */
  static ViewQuery of(@Nullable String raw, Set<String> known) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String pair : raw == null ? new String[0] : raw.split("&", -1)) {
      if (pair.isEmpty()) {
        continue;
      }
      int equals = pair.indexOf('=');
      String name = decoded(equals < 0 ? pair : pair.substring(0, equals));
      String value = equals < 0 ? "" : decoded(pair.substring(equals + 1));
      if (!known.contains(name)) {
        throw new ViewProblem(
            400, "there is no parameter \"" + name + "\" here; known are " + sorted(known));
      }
      if (value.length() > LONGEST) {
        throw new ViewProblem(
            400, name + " has " + value.length() + " characters; at most " + LONGEST + " count");
      }
      if (values.put(name, value) != null) {
        throw new ViewProblem(400, "the parameter \"" + name + "\" comes twice; send it once");
      }
    }
    return new ViewQuery(values);
  }

  private static String sorted(Set<String> known) {
    return String.join(", ", known.stream().sorted().toList());
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new ViewProblem(
          400, "\"" + text + "\" in the address is not percent-encoded; write % as %25");
    }
  }

  /** A parameter; empty if it is absent. */
  String text(String name) {
    return values.getOrDefault(name, "");
  }

  /**
   * A number.
   *
   * @throws ViewProblem if it isn't one within these bounds
   */
  int number(String name, int fallback, int least, int most) {
    String text = text(name);
    if (text.isEmpty()) {
      return fallback;
    }
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException notANumber) {
      throw ViewProblem.invalid(name, text, "write a whole number " + least + " to " + most);
    }
    throw ViewProblem.invalid(name, text, "write a whole number " + least + " to " + most);
  }
}
