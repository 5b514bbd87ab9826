// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.usage;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.quota.Amounts;
import java.time.Instant;
import java.util.Objects;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A Workload's reservation of quota, as the usage ledger counts it.
 *
 * @param uid of the Workload
 * @param since when the quota was reserved; null while the reservation is decided but not written
 * @param localQueue the LocalQueue that the Workload was submitted to
 * @param clusterQueue the ClusterQueue whose quota it is
 * @param requests the reserved amounts by resource
 * @param admitted whether the Workload may run
 */
@API(status = API.Status.INTERNAL)
public record Reservation(
    String uid,
    @Nullable Instant since,
    ObjectKey localQueue,
    String clusterQueue,
    Amounts<String> requests,
    boolean admitted) {
  /** Whether both are states of the same reservation. */
  boolean continues(Reservation previous) {
    return uid.equals(previous.uid) && Objects.equals(since, previous.since);
  }
}
