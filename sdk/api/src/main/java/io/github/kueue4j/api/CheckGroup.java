// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * With which others an AdmissionCheck is an alternative: the annotation {@value #ANNOTATION} of the
 * AdmissionCheck, an extension of kueue4j, with the name of a group. Of the checks of one group
 * that are required of a Workload together, one that says Ready is enough. An annotation for the
 * reason that {@link CheckMode} is one.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CheckGroup {
  /** The key of the annotation. */
  public static final String ANNOTATION = "kueue4j.io/any-of";

  /** A label as of RFC 1123. */
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

  private CheckGroup() {}

  /** The group of a check; empty if it is in none, or the annotation isn't the name of one. */
  public static Optional<String> of(AdmissionCheck check) {
    return Optional.of(annotation(check)).filter(CheckGroup::isName);
  }

  /** The problem with the annotation alone, with field, value and remedy; empty if nothing is. */
  public static Optional<String> problem(AdmissionCheck check) {
    String group = annotation(check);
    if (group.isEmpty()) {
      return Optional.empty();
    }
    if (!isName(group)) {
      return Optional.of(
          field(check)
              + ", which is no name of a group: write one of at most 63 lower-case letters, digits and"
              + " '-', such as capacity, or leave it out");
    }
    return CheckStage.beforeQuota(check)
        ? Optional.of(
            field(check)
                + ", but before quota each check is needed: leave it out, or the annotation "
                + CheckStage.ANNOTATION)
        : Optional.empty();
  }

  /** The field with its value, for messages. */
  public static String field(AdmissionCheck check) {
    return "metadata.annotations['"
        + ANNOTATION
        + "'] is '"
        + InvalidFieldException.cut(annotation(check))
        + "'";
  }

  private static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  private static String annotation(AdmissionCheck check) {
    Map<String, String> annotations = Metadata.annotations(check);
    return annotations.getOrDefault(ANNOTATION, "");
  }
}
