// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.cel;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import io.github.kueue4j.apiserver.cel.FunctionSet.Argument;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/** Kubernetes' {@code regex} library: find and findAll. */
final class RegexFunctions {

  private static final int KEPT_PATTERNS = 500;

  private static final Argument TEXT = new Argument(SimpleType.STRING, String.class);
  private static final Argument NUMBER = new Argument(SimpleType.INT, Long.class);

  /** Patterns are nearly always literals of a few rules. */
  private static final ConcurrentHashMap<String, Pattern> COMPILED = new ConcurrentHashMap<>();

  private RegexFunctions() {}

  static void addTo(FunctionSet set) {
    set.member(
        "find",
        "k8s_string_find",
        SimpleType.STRING,
        List.of(TEXT, TEXT),
        a -> {
          Matcher matcher = pattern((String) a[1]).matcher((String) a[0]);
          return matcher.find() ? matcher.group() : "";
        });
    set.member(
        "findAll",
        "k8s_string_find_all",
        ListType.create(SimpleType.STRING),
        List.of(TEXT, TEXT),
        a -> findAll((String) a[0], (String) a[1], -1));
    set.member(
        "findAll",
        "k8s_string_find_all_limit",
        ListType.create(SimpleType.STRING),
        List.of(TEXT, TEXT, NUMBER),
        a -> findAll((String) a[0], (String) a[1], (Long) a[2]));
  }

  /** A negative limit means all. */
  private static List<String> findAll(String text, String expression, long limit) {
    List<String> found = new ArrayList<>();
    Matcher matcher = pattern(expression).matcher(text);
    while ((limit < 0 || found.size() < limit) && matcher.find()) {
      found.add(matcher.group());
    }
    return found;
  }

  private static Pattern pattern(String expression) {
    if (COMPILED.size() > KEPT_PATTERNS) {
      COMPILED.clear();
    }
    return COMPILED.computeIfAbsent(expression, Pattern::compile);
  }
}
