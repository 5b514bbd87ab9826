// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * Why a check said no, as one word for machines: it labels metrics and log lines, while the message
 * of the verdict speaks to people. Keep the set of reasons small: every distinct value is a time
 * series of its own.
 *
 * @param value an upper-camel-case word of at most 64 letters and digits, e.g. {@code
 *     DailyBudgetExhausted}
 * @see Check
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Reason(String value) {

  private static final Pattern UPPER_CAMEL_CASE = Pattern.compile("[A-Z][A-Za-z0-9]{0,63}");

  /**
   * @throws IllegalArgumentException if the value is not one upper-camel-case word of at most 64
   *     characters
   */
  public Reason {
    if (!UPPER_CAMEL_CASE.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "reason '"
              + value
              + "' is not one upper-camel-case word of at most 64 letters and digits, such as"
              + " 'DailyBudgetExhausted'");
    }
  }

  /** The reason with this word. */
  public static Reason of(String value) {
    return new Reason(value);
  }

  @Override
  public String toString() {
    return value;
  }
}
