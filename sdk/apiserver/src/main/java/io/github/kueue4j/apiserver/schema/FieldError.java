// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One reason why the API refuses an object: a cause of a 422 Status.
 *
 * @param field the path as the API writes it, {@code spec.podSets[0].name} or {@code
 *     metadata.labels[a/b]}; {@code <nil>} for the object itself
 * @param badValue the refused value; null where the API names none
 * @param detail what is wrong with it, may be empty
 */
@API(status = API.Status.EXPERIMENTAL)
public record FieldError(
    String field, ErrorType errorType, @Nullable JsonNode badValue, String detail) {

  /** The kinds of refusals, with the reason and the words that the API's Status uses. */
  public enum ErrorType {
    REQUIRED("FieldValueRequired", "Required value"),
    INVALID("FieldValueInvalid", "Invalid value"),
    TYPE_INVALID("FieldValueTypeInvalid", "Invalid value"),
    NOT_SUPPORTED("FieldValueNotSupported", "Unsupported value"),
    DUPLICATE("FieldValueDuplicate", "Duplicate value"),
    FORBIDDEN("FieldValueForbidden", "Forbidden"),
    TOO_LONG("FieldValueTooLong", "Too long"),
    TOO_MANY("FieldValueTooMany", "Too many"),
    NOT_FOUND("FieldValueNotFound", "Not found"),
    INTERNAL("InternalError", "Internal error");

    private final String reason;
    private final String words;

    ErrorType(String reason, String words) {
      this.reason = reason;
      this.words = words;
    }

    /** The cause's {@code reason}. */
    public String reason() {
      return reason;
    }

    /** What the cause's message begins with. */
    public String words() {
      return words;
    }
  }

  /** A field that must have a value. */
  public static FieldError required(String field, String detail) {
    return new FieldError(field, ErrorType.REQUIRED, null, detail);
  }

  /** A field that may not be set, or not changed so. */
  public static FieldError forbidden(String field, String detail) {
    return new FieldError(field, ErrorType.FORBIDDEN, null, detail);
  }

  /** A field whose value is wrong. */
  public static FieldError invalid(String field, @Nullable JsonNode value, String detail) {
    return new FieldError(field, ErrorType.INVALID, value, detail);
  }

  /** A field whose value is wrong, as a text. */
  public static FieldError invalid(String field, String value, String detail) {
    return invalid(field, TextNode.valueOf(value), detail);
  }

  /** The cause's {@code message}: the kind of refusal, the value and the detail. */
  public String message() {
    StringBuilder text = new StringBuilder(errorType.words());
    boolean named =
        switch (errorType) {
          case REQUIRED, FORBIDDEN, TOO_LONG, INTERNAL -> false;
          case INVALID, TYPE_INVALID, NOT_SUPPORTED, DUPLICATE, TOO_MANY, NOT_FOUND -> true;
        };
    if (named && badValue != null) {
      text.append(": ").append(badValue);
    }
    if (!detail.isEmpty()) {
      text.append(": ").append(detail);
    }
    return text.toString();
  }

  @Override
  public String toString() {
    return field + ": " + message();
  }

  /** The part of a Status's message that follows "is invalid: ": one error bare, several listed. */
  public static String summary(List<FieldError> errors) {
    if (errors.size() == 1) {
      return errors.get(0).toString();
    }
    return errors.stream()
        .map(FieldError::toString)
        .distinct()
        .collect(Collectors.joining(", ", "[", "]"));
  }
}
