// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.recording;

import io.github.kueue4j.api.ObjectKey;
import java.time.Instant;
import org.apiguardian.api.API;

/**
 * A decision of a core: quota was reserved for a Workload, or the Workload was evicted.
 *
 * @param uid of the Workload
 * @param number of this decision of its kind about this Workload, from 1
 * @param what {@code reserved} or {@code evicted}
 * @param detail the ClusterQueue with counts and flavors, or the reason of the eviction
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record LoadDecision(
    Instant at, ObjectKey workload, String uid, int number, String what, String detail) {
  /** The identity of the decision, wherever and whenever it was made. */
  record Identity(String uid, int number, String what) {}

  Identity identity() {
    return new Identity(uid, number, what);
  }
}
