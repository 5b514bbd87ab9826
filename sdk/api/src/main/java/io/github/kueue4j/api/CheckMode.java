// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The mode of an AdmissionCheck, by which its answers count or not: the annotation {@value
 * #ANNOTATION} of the AdmissionCheck, an extension of kueue4j. An annotation, since a server with
 * the CustomResourceDefinitions of another implementation would drop a field of the spec without a
 * word, and the check would be enforced.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum CheckMode {
  /** Admission waits for the check, and its Retry and Rejected count; so it is unless said. */
  ENFORCE("Enforce"),
  /** The check is asked and its answer recorded; nothing waits for it. */
  OBSERVE("Observe");

  /** The key of the annotation. */
  public static final String ANNOTATION = "kueue4j.io/mode";

  /** The reason of the condition Active of a check that can't work in the mode it was given. */
  public static final String UNSUPPORTED = "UnsupportedMode";

  private final String value;

  CheckMode(String value) {
    this.value = value;
  }

  /** Whether the check is in the mode Observe; no other value of the annotation means that. */
  public static boolean observes(AdmissionCheck check) {
    return OBSERVE.value.equals(annotation(check));
  }

  /** The problem with the annotation, with field, value and remedy; empty if nothing is. */
  public static Optional<String> problem(AdmissionCheck check) {
    String said = annotation(check);
    return said.equals(ENFORCE.value) || said.equals(OBSERVE.value)
        ? Optional.empty()
        : Optional.of(
            "metadata.annotations['"
                + ANNOTATION
                + "'] is '"
                + InvalidFieldException.cut(said)
                + "', which is no mode: write Observe or Enforce, or leave it out, which means"
                + " Enforce");
  }

  private static String annotation(AdmissionCheck check) {
    Map<String, String> annotations = Metadata.annotations(check);
    return annotations.getOrDefault(ANNOTATION, ENFORCE.value);
  }
}
