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
package io.github.kueue4j.core.admission;

import java.util.Locale;
import org.apiguardian.api.API;

/**
 * One reason to refuse an object.
 *
 * @param field path of the field, such as {@code spec.podSets[0].minCount}
 * @param problem what is wrong with it
 * @param value what it holds; empty where the problem is that it holds nothing
 * @param detail the rule, and what to do
 */
@API(status = API.Status.INTERNAL)
public record Violation(String field, Problem problem, String value, String detail) {

  /** What can be wrong with a field, in the words of the Kubernetes API. */
  public enum Problem {
    REQUIRED,
    INVALID,
    DUPLICATE,
    NOT_FOUND,
    NOT_SUPPORTED,
    FORBIDDEN,
    TOO_MANY;

    /** As in the causes of a Status. */
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

  /** Without the field. */
  public String message() {
    return problem.text() + (value.isEmpty() ? "" : ": " + value) + ": " + detail;
  }

  @Override
  public String toString() {
    return field + ": " + message();
  }
}
