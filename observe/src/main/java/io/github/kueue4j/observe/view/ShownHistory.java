// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import java.time.Instant;
import java.util.List;

/**
 * Shares and past usage over time, as the view shows them. What isn't there was zero, or among the
 * smallest, at all times.
 *
 * @param times of the samples, the oldest first
 * @param shares of members of Cohorts, as {@link ShownQueues.ShareOfParent#weighted}
 * @param usage of LocalQueues, as {@link ShownQueues.PastUsage#compared}
 */
record ShownHistory(List<Instant> times, List<ShareLine> shares, List<UsageLine> usage) {
  /** The shares of a Cohort or a ClusterQueue, one for each time. */
  record ShareLine(String kind, String name, List<Double> values) {}

  /** The past usage of a LocalQueue, one for each time. */
  record UsageLine(String namespace, String name, List<Double> values) {}
}
