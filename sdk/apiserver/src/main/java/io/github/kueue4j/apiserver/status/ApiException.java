// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.status;

import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A request that the API refuses, with everything that the answer's Status object says. It is a
 * normal outcome of a request and carries no stack trace.
 */
@API(status = API.Status.INTERNAL)
public final class ApiException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * One entry of {@code details.causes}.
   *
   * @param reason such as {@code FieldValueInvalid}
   * @param field path of the field, empty if unknown
   */
  public record Cause(String reason, String message, String field) {}

  private final int code;
  private final String reason;
  private final transient List<Cause> causes;
  private final String group;
  private final String kind;
  private final String name;
  private final @Nullable Integer retryAfterSeconds;

  ApiException(
      int code,
      String reason,
      String message,
      String group,
      String kind,
      String name,
      List<Cause> causes,
      @Nullable Integer retryAfterSeconds) {
    super(message, null, false, false);
    this.code = code;
    this.reason = reason;
    this.causes = List.copyOf(causes);
    this.group = group;
    this.kind = kind;
    this.name = name;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  public int code() {
    return code;
  }

  public String reason() {
    return reason;
  }

  public List<Cause> causes() {
    return causes;
  }

  /** The API group of {@link #kind()}. */
  public String group() {
    return group;
  }

  /** The kind, or for most reasons the plural resource name, that {@code details.kind} shows. */
  public String kind() {
    return kind;
  }

  public String name() {
    return name;
  }

  public @Nullable Integer retryAfterSeconds() {
    return retryAfterSeconds;
  }

  /** The message that the Status object carries. */
  public String text() {
    String message = getMessage();
    return message == null ? "" : message;
  }
}
