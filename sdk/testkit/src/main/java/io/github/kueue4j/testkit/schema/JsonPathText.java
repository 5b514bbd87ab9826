/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.testkit.schema;

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
