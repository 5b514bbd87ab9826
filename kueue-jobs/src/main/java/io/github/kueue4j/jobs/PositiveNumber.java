// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import java.util.Optional;
import org.apiguardian.api.API;

/** Parses positive numbers in labels and annotations. */
@API(status = API.Status.INTERNAL)
public final class PositiveNumber {
  private PositiveNumber() {}

  /**
   * A number from 1 to 2147483647 in decimal digits, with leading zeros permitted; empty for any
   * other text.
   */
  public static Optional<Integer> read(String text) {
    // parseInt alone would accept a sign and digits of other scripts.
    if (text.isEmpty() || !text.chars().allMatch(digit -> digit >= '0' && digit <= '9')) {
      return Optional.empty();
    }
    try {
      return Optional.of(Integer.parseInt(text)).filter(number -> number > 0);
    } catch (NumberFormatException tooLarge) {
      return Optional.empty();
    }
  }
}
