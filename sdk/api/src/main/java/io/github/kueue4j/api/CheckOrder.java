// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * After which others an AdmissionCheck is asked: the annotation {@value #ANNOTATION} of the
 * AdmissionCheck, an extension of kueue4j, with the names of AdmissionChecks separated by commas.
 * The check has no entry in the status of a Workload before these have said Ready. A name that the
 * ClusterQueue doesn't ask for means nothing. An annotation for the reason that {@link CheckMode}
 * is one.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CheckOrder {
  /** The key of the annotation. */
  public static final String ANNOTATION = "kueue4j.io/after";

  /** The largest number of names, more than the checks that a Workload can have. */
  private static final int LIMIT = 16;

  /** The name of an object: a subdomain as of RFC 1123. Its length bounds the matcher's stack. */
  private static final Pattern NAME =
      Pattern.compile(
          "(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  private CheckOrder() {}

  /** The checks that the annotation names, at most 16; what is no name isn't among them. */
  public static SortedSet<String> after(AdmissionCheck check) {
    return named(check).stream()
        .limit(LIMIT)
        .filter(CheckOrder::isName)
        .collect(
            Collectors.collectingAndThen(
                Collectors.toCollection(TreeSet::new), Collections::unmodifiableSortedSet));
  }

  /** The problem with the annotation alone, with field, value and remedy; empty if nothing is. */
  public static Optional<String> problem(AdmissionCheck check) {
    List<String> names = named(check);
    if (names.size() > LIMIT) {
      return Optional.of(
          "%s, which are %d names: write %d at most, of AdmissionChecks of the same ClusterQueues"
              .formatted(field(check), names.size(), LIMIT));
    }
    for (String name : names) {
      if (!isName(name)) {
        return Optional.of(
            field(check)
                + ", in which '"
                + InvalidFieldException.cut(name)
                + "' is no name of at most 253 characters: write the names of AdmissionChecks, separated by commas, or leave"
                + " it out");
      }
      if (name.equals(check.metadata().getName())) {
        return Optional.of(
            field(check) + ", which is the check itself: leave '" + name + "' out of it");
      }
    }
    return Optional.empty();
  }

  /** The field with its value, for messages. */
  public static String field(AdmissionCheck check) {
    return "metadata.annotations['"
        + ANNOTATION
        + "'] is '"
        + InvalidFieldException.cut(annotation(check))
        + "'";
  }

  /**
   * The checks that come before one, directly or by way of others. In a circle none comes before
   * another, so that each check is asked at some time.
   *
   * @param after the checks that each comes after directly
   */
  public static SortedSet<String> before(String check, Function<String, Set<String>> after) {
    SortedSet<String> before = reached(check, after);
    before.removeIf(other -> reached(other, after).contains(check));
    return before;
  }

  /** The checks of the circle that one is in, without it; empty if it is in none. */
  public static SortedSet<String> circle(String check, Function<String, Set<String>> after) {
    SortedSet<String> circle = reached(check, after);
    circle.removeIf(other -> other.equals(check) || !reached(other, after).contains(check));
    return circle;
  }

  private static SortedSet<String> reached(String check, Function<String, Set<String>> after) {
    SortedSet<String> reached = new TreeSet<>();
    Deque<String> next = new ArrayDeque<>(after.apply(check));
    while (!next.isEmpty()) {
      String name = next.pop();
      if (reached.add(name)) {
        next.addAll(after.apply(name));
      }
    }
    return reached;
  }

  private static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  private static List<String> named(AdmissionCheck check) {
    String value = annotation(check);
    return value.isBlank()
        ? List.of()
        : Arrays.stream(value.split(",", -1)).map(String::strip).toList();
  }

  private static String annotation(AdmissionCheck check) {
    Map<String, String> annotations = Metadata.annotations(check);
    return annotations.getOrDefault(ANNOTATION, "");
  }
}
