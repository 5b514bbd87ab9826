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
