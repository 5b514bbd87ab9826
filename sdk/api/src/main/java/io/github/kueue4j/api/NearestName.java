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
package io.github.kueue4j.api;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import org.apiguardian.api.API;

/** Finds the known name that a mistyped one most likely stands for. */
@API(status = API.Status.INTERNAL)
public final class NearestName {
  private NearestName() {}

  /**
   * Returns the candidate with the smallest edit distance, ignoring case, if at most half of the
   * longer name differs: beyond that a suggestion would only mislead.
   */
  public static Optional<String> of(String name, Collection<String> candidates) {
    return candidates.stream()
        .filter(
            candidate ->
                distance(name, candidate) * 2 <= Math.max(name.length(), candidate.length()))
        .min(
            Comparator.<String>comparingInt(candidate -> distance(name, candidate))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** Levenshtein distance of the lower-cased names. */
  public static int distance(String first, String second) {
    String a = first.toLowerCase(Locale.ROOT);
    String b = second.toLowerCase(Locale.ROOT);
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substitution = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substitution, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
