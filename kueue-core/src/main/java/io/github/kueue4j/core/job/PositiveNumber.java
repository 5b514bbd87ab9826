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
package io.github.kueue4j.core.job;

import java.util.Optional;
import org.apiguardian.api.API;

/** Numbers that people write into labels and annotations, read in one way wherever they count. */
@API(status = API.Status.INTERNAL)
public final class PositiveNumber {
  private PositiveNumber() {}

  /**
   * A number from 1 to 2147483647 in decimal digits, of which the first may be zeros; empty for
   * anything else.
   */
  public static Optional<Integer> read(String text) {
    // No sign, no digits of other scripts: parseInt alone would take them.
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
