// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.books;

import java.time.Instant;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The part of a ledger that people see; texts with the unit of the policy.
 *
 * @param limit of the namespace, with what was carried over; absent if there is none
 * @param spent on what ran in the window
 * @param reserved for what may still run
 * @param remaining of the limit
 * @param resetsAt when the next part of what was spent may stop to count
 * @param asOf when this was so
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Summary(
    @Nullable String limit,
    @Nullable String spent,
    @Nullable String reserved,
    @Nullable String remaining,
    @Nullable Instant resetsAt,
    @Nullable Instant asOf) {

  /** Nothing to see yet. */
  static Summary none() {
    return new Summary(null, null, null, null, null, null);
  }
}
