// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.admission;

import io.github.kueue4j.core.admission.Violation.Problem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Collects the violations of one object. */
final class Findings {
  private static final int LONGEST_VALUE = 200;

  private final List<Violation> all = new ArrayList<>();

  List<Violation> all() {
    return List.copyOf(all);
  }

  void add(List<Violation> violations) {
    all.addAll(violations);
  }

  void required(String field, String detail) {
    all.add(new Violation(field, Problem.REQUIRED, "", detail));
  }

  void forbidden(String field, String detail) {
    all.add(new Violation(field, Problem.FORBIDDEN, "", detail));
  }

  void invalid(String field, Object value, String detail) {
    all.add(new Violation(field, Problem.INVALID, shown(value), detail));
  }

  /** Adds the problem, if there is one. */
  void invalid(String field, Object value, Optional<String> problem) {
    problem.ifPresent(detail -> invalid(field, value, detail));
  }

  void duplicate(String field, Object value, String detail) {
    all.add(new Violation(field, Problem.DUPLICATE, shown(value), detail));
  }

  void notFound(String field, Object value, String detail) {
    all.add(new Violation(field, Problem.NOT_FOUND, shown(value), detail));
  }

  void notSupported(String field, Object value, Collection<String> supported, String what) {
    all.add(
        new Violation(
            field,
            Problem.NOT_SUPPORTED,
            shown(value),
            supported.isEmpty()
                ? "there is no " + what
                : what + " is one of: " + String.join(", ", supported.stream().sorted().toList())));
  }

  void tooMany(String field, int number, String detail) {
    all.add(new Violation(field, Problem.TOO_MANY, String.valueOf(number), detail));
  }

  private static String shown(Object value) {
    if (value instanceof Number || value instanceof Boolean) {
      return value.toString();
    }
    String text = value.toString();
    return '"'
        + (text.length() > LONGEST_VALUE ? text.substring(0, LONGEST_VALUE) + "..." : text)
        + '"';
  }
}
