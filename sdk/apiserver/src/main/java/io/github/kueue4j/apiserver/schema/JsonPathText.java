// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The small part of JSONPath that a rule's fieldPath may use: names, dotted or quoted. */
final class JsonPathText {

  private static final Pattern STEP =
      Pattern.compile("\\.([^.\\[\\]]+)|\\['((?:[^'\\\\]|\\\\.)*)'\\]");

  private JsonPathText() {}

  /** The names along the path; empty if it is malformed. */
  static List<String> names(String path) {
    List<String> names = new ArrayList<>();
    Matcher step = STEP.matcher(path);
    int end = 0;
    while (step.find()) {
      if (step.start() != end) {
        return List.of();
      }
      end = step.end();
      String quoted = step.group(2);
      names.add(quoted == null ? step.group(1) : quoted.replaceAll("\\\\(.)", "$1"));
    }
    return end == path.length() ? names : List.of();
  }
}
