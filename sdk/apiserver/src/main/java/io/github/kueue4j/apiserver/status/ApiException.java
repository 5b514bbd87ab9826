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

  /**
   * The {@code details} of the Status.
   *
   * @param group the API group of the kind
   * @param kind the kind, or for most reasons the plural resource name
   */
  public record Details(
      String group,
      String kind,
      String name,
      List<Cause> causes,
      @Nullable Integer retryAfterSeconds) {

    static final Details NONE = of("", "", "");

    public Details {
      causes = List.copyOf(causes);
    }

    static Details of(String group, String kind, String name) {
      return new Details(group, kind, name, List.of(), null);
    }

    Details with(List<Cause> others) {
      return new Details(group, kind, name, others, retryAfterSeconds);
    }

    Details after(int seconds) {
      return new Details(group, kind, name, causes, seconds);
    }
  }

  private final int code;
  private final String reason;
  private final transient Details details;

  ApiException(int code, String reason, String message, Details details) {
    super(message, null, false, false);
    this.code = code;
    this.reason = reason;
    this.details = details;
  }

  public int code() {
    return code;
  }

  public String reason() {
    return reason;
  }

  public Details details() {
    return details;
  }

  /** The message that the Status object carries. */
  public String text() {
    String message = getMessage();
    return message == null ? "" : message;
  }
}
