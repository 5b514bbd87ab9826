// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a field of an object can't be used; its message names the field, the value and the
 * remedy: {@code spec.length is 'soon': write a duration such as 1h30m}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class InvalidFieldException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;
  private static final int LONGEST_VALUE = 100;

  private final String field;
  private final @Nullable String value;
  private final String remedy;

  /**
   * A field can't be used.
   *
   * @param field its name, with those of the fields around it: {@code spec.length}
   * @param value as it was found, cut in the message when it is long; null if it is absent
   * @param remedy what to write instead, as an order
   */
  public InvalidFieldException(String field, @Nullable String value, String remedy) {
    super(field + (value == null ? " is missing" : " is '" + cut(value) + "'") + ": " + remedy);
    this.field = field;
    this.value = value;
    this.remedy = remedy;
  }

  /** The name of the field. */
  public String field() {
    return field;
  }

  /** What to write instead. Unlike the message, it doesn't quote the value. */
  public String remedy() {
    return remedy;
  }

  /** The same about a field of this one. */
  InvalidFieldException inside(String outer) {
    InvalidFieldException same = new InvalidFieldException(outer + '.' + field, value, remedy);
    same.initCause(this);
    return same;
  }

  /** Long values are shortened. */
  static String cut(String value) {
    return value.length() <= LONGEST_VALUE ? value : value.substring(0, LONGEST_VALUE) + " ...";
  }
}
