// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import io.github.kueue4j.api.NearestName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.apiguardian.api.API;

/** Suggests known names that are similar to a mistyped or shortened one. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SimilarNames {
  private SimilarNames() {}

  /**
   * The names closest to {@code asked}, those that contain it first.
   *
   * @param known names, with or without a prefix {@code kind/}, which is ignored
   * @param most names, 0 or more
   */
  public static List<String> of(String asked, List<String> known, int most) {
    String lower = asked.toLowerCase(Locale.ROOT);
    List<String> near =
        new ArrayList<>(
            known.stream()
                .filter(name -> plain(name).toLowerCase(Locale.ROOT).contains(lower))
                .sorted(Comparator.comparingInt(String::length).thenComparing(name -> name))
                .limit(most)
                .toList());
    known.stream()
        .filter(name -> NearestName.of(asked, List.of(plain(name))).isPresent())
        .sorted(
            Comparator.<String>comparingInt(name -> NearestName.distance(asked, plain(name)))
                .thenComparing(name -> name))
        .filter(name -> !near.contains(name))
        .limit(Math.max(0, most - near.size()))
        .forEach(near::add);
    return List.copyOf(near);
  }

  private static String plain(String name) {
    return name.substring(name.indexOf('/') + 1);
  }
}
