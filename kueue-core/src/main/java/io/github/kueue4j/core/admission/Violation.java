// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.admission;

import java.util.Locale;
import org.apiguardian.api.API;

/**
 * One reason to refuse an object.
 *
 * @param field path of the field, such as {@code spec.podSets[0].minCount}
 * @param problem the kind of violation
 * @param value of the field; empty if the field is missing
 * @param detail the rule and the remedy
 */
@API(status = API.Status.INTERNAL)
public record Violation(String field, Problem problem, String value, String detail) {

  /** The kinds of violations in the Kubernetes API. */
  public enum Problem {
    REQUIRED,
    INVALID,
    DUPLICATE,
    NOT_FOUND,
    NOT_SUPPORTED,
    FORBIDDEN,
    TOO_MANY;

    /** The reason in the causes of a Status. */
    public String reason() {
      return switch (this) {
        case REQUIRED -> "FieldValueRequired";
        case INVALID -> "FieldValueInvalid";
        case DUPLICATE -> "FieldValueDuplicate";
        case NOT_FOUND -> "FieldValueNotFound";
        case NOT_SUPPORTED -> "FieldValueNotSupported";
        case FORBIDDEN -> "FieldValueForbidden";
        case TOO_MANY -> "FieldValueTooMany";
      };
    }

    private String text() {
      return switch (this) {
        case NOT_SUPPORTED -> "Unsupported value";
        case REQUIRED, INVALID, DUPLICATE, NOT_FOUND -> {
          String words = name().replace('_', ' ').toLowerCase(Locale.ROOT);
          yield Character.toUpperCase(words.charAt(0))
              + words.substring(1)
              + (this == NOT_FOUND ? "" : " value");
        }
        case FORBIDDEN -> "Forbidden";
        case TOO_MANY -> "Too many";
      };
    }
  }

  /** The message without the field. */
  public String message() {
    return problem.text() + (value.isEmpty() ? "" : ": " + value) + ": " + detail;
  }

  @Override
  public String toString() {
    return field + ": " + message();
  }
}
