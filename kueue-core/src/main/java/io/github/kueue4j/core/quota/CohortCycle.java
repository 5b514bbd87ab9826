// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.quota;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Cohorts that are their own ancestors, found by walking up from one of their descendants. */
@API(status = API.Status.INTERNAL)
public final class CohortCycle {
  private CohortCycle() {}

  /**
   * The cycle that the path of parents from a Cohort ends in.
   *
   * @param cohort the start; null for an empty result
   * @param parentOf the parent that a Cohort names; null if it names none or doesn't exist
   * @return its Cohorts from parent to parent, beginning with the first by name; empty if the path
   *     ends at a root
   */
  public static List<String> above(
      @Nullable String cohort, Function<String, @Nullable String> parentOf) {
    SequencedSet<String> path = new LinkedHashSet<>();
    String current = cohort;
    while (current != null && path.add(current)) {
      current = parentOf.apply(current);
    }
    if (current == null) {
      return List.of();
    }
    List<String> cycle = new ArrayList<>(path);
    cycle = cycle.subList(cycle.indexOf(current), cycle.size());
    String first = cycle.stream().min(String::compareTo).orElse(current);
    List<String> turned = new ArrayList<>(cycle.subList(cycle.indexOf(first), cycle.size()));
    turned.addAll(cycle.subList(0, cycle.indexOf(first)));
    return List.copyOf(turned);
  }
}
