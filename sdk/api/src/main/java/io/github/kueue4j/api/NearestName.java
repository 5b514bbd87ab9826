// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apiguardian.api.API;

/** Finds the known name that is closest to a mistyped one. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class NearestName {
  /** By how many letters a name may differ that is meant to be another. */
  private static final int MISSPELT = 2;

  private NearestName() {}

  /**
   * A name that seems to be mistyped.
   *
   * @param name as it is written
   * @param meant what it may be meant to be
   */
  public record Misspelling(String name, String meant) {}

  /**
   * Finds the names that are in no use while another is that is spelt almost the same and isn't
   * named itself. Names that differ in digits only are different things, such as partitions of
   * GPUs.
   */
  public static List<Misspelling> misspelt(Collection<String> named, Collection<String> used) {
    return named.stream()
        .filter(name -> !used.contains(name))
        .sorted()
        .flatMap(
            name ->
                used.stream()
                    .filter(other -> !named.contains(other) && isAlmost(name, other))
                    .sorted()
                    .map(other -> new Misspelling(name, other)))
        .toList();
  }

  private static boolean isAlmost(String name, String other) {
    return distance(name, other) <= MISSPELT
        && !name.replaceAll("[0-9]", "").equals(other.replaceAll("[0-9]", ""));
  }

  /**
   * Returns the candidate with the smallest edit distance, ignoring case, if at most half of the
   * longer name differs; a more distant suggestion would be misleading.
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
