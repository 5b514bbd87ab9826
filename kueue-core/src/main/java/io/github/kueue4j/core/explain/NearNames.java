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
package io.github.kueue4j.core.explain;

import io.github.kueue4j.api.NearestName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The known names that a mistyped or shortened one may stand for. */
final class NearNames {
  private NearNames() {}

  /**
   * The names closest to {@code asked}, those that contain it first.
   *
   * @param known may carry a {@code kind/} in front, which doesn't count
   */
  static List<String> of(String asked, List<String> known, int most) {
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
