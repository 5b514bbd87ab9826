// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.admission;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The notations of names in the Kubernetes API. Each method returns the problem, or empty.
 *
 * <p>Source: Kubernetes documentation, "Object Names and IDs", "Labels and Selectors".
 */
@API(status = API.Status.INTERNAL)
public final class Syntax {
  private static final int LONGEST_NAME = 63;
  private static final int LONGEST_SUBDOMAIN = 253;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");
  private static final Pattern SUBDOMAIN =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  private Syntax() {}

  /** A name of an object, such as a queue. */
  public static Optional<String> subdomain(String text) {
    return text.length() <= LONGEST_SUBDOMAIN && SUBDOMAIN.matcher(text).matches()
        ? Optional.empty()
        : Optional.of(
            "must be a DNS-1123 subdomain: lower case letters, digits, '-' and '.', beginning and"
                + " ending with a letter or digit, at most 253 characters");
  }

  /** A name with an optional prefix, such as the key of a label or a resource. */
  static Optional<String> qualifiedName(String text) {
    int slash = text.indexOf('/');
    String name = text.substring(slash + 1);
    boolean good =
        name.length() <= LONGEST_NAME
            && NAME.matcher(name).matches()
            && (slash < 0 || subdomain(text.substring(0, slash)).isEmpty());
    return good
        ? Optional.empty()
        : Optional.of(
            "must be a qualified name: letters, digits, '-', '_' and '.', beginning and ending with"
                + " a letter or digit, at most 63 characters; optionally after a DNS subdomain and"
                + " '/'");
  }

  /** A value of a label. */
  public static Optional<String> labelValue(String text) {
    return text.isEmpty() || (text.length() <= LONGEST_NAME && NAME.matcher(text).matches())
        ? Optional.empty()
        : Optional.of(
            "must be a label value: letters, digits, '-', '_' and '.', beginning and ending with a"
                + " letter or digit, at most 63 characters, or nothing");
  }

  /** Keys and values of labels, or of a node selector. */
  static void labels(Findings findings, String field, Map<String, String> labels) {
    labels.forEach(
        (key, value) -> {
          findings.invalid(field, key, qualifiedName(key));
          findings.invalid(field + "[" + key + "]", value, labelValue(value));
        });
  }

  /** Keys of annotations; their values are not restricted. */
  static void annotations(Findings findings, String field, Set<String> keys) {
    keys.forEach(key -> findings.invalid(field, key, qualifiedName(key)));
  }
}
