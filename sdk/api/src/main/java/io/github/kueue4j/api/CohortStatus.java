// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The share of a Cohort.
 *
 * @param fairSharing share, while fair sharing is on
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CohortStatus(@Nullable FairSharingStatus fairSharing) {
  /** The status of an object that no controller has touched yet. */
  public static CohortStatus empty() {
    return new CohortStatus(null);
  }
}
