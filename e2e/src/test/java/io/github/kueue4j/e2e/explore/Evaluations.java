// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

/** The numbers of the evaluations under way, by check. */
record Evaluations(int first, int second, int third) {
  static final Evaluations NONE =
      new Evaluations(Evaluation.NONE, Evaluation.NONE, Evaluation.NONE);

  int of(int check) {
    return switch (check) {
      case 0 -> first;
      case 1 -> second;
      default -> third;
    };
  }

  Evaluations with(int check, int evaluation) {
    return switch (check) {
      case 0 -> new Evaluations(evaluation, second, third);
      case 1 -> new Evaluations(first, evaluation, third);
      default -> new Evaluations(first, second, evaluation);
    };
  }
}
