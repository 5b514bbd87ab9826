// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.report;

import java.util.HashSet;
import java.util.Set;

/**
 * Values of a label of metrics that users write. Each makes new series that stay until the process
 * ends, so only the first {@code limit} different ones are told apart. Thread-safe.
 */
final class BoundedValues {
  /** Stands for all values beyond the limit. */
  static final String OTHER = "other";

  private final int limit;
  private final Set<String> known = new HashSet<>();

  /**
   * Remembers nothing yet.
   *
   * @param limit different values, at least 1
   */
  BoundedValues(int limit) {
    this.limit = limit;
  }

  /** The value itself, or {@link #OTHER}. */
  synchronized String of(String value) {
    return known.contains(value) || (known.size() < limit && known.add(value)) ? value : OTHER;
  }
}
