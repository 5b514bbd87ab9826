// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.maintenance;

import io.github.kueue4j.api.ObjectKey;
import java.time.Duration;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Work of a check beside its evaluations, for one object at a time: a status that follows what
 * happens, an account that is settled.
 *
 * <p>Called for each object once after the start (with leader election: once this replica leads),
 * after it was changed or deleted, when {@link MaintenanceQueue} is told so, and when the time is
 * over that the last call returned. Several changes may result in one call, so it looks at the
 * world as it is. It is never called concurrently for the same object.
 *
 * <pre>{@code
 * Watched<V1ConfigMap> accounts = builder.watch(Watch.of(CoreTypes.CONFIG_MAP).named("account"));
 * builder
 *     .maintain(
 *         "accounts",
 *         accounts,
 *         key -> {
 *           accounts.get(key).ifPresent(account -> log.info(account.getData().toString()));
 *           return Optional.of(Duration.ofHours(1));
 *         })
 *     .whenChanged(
 *         builder.workloads(),
 *         workload -> List.of(new ObjectKey(workload.key().namespace(), "account")));
 * }</pre>
 */
@FunctionalInterface
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Maintenance {

  /**
   * Does what there is to do for one object.
   *
   * @param key of the object, which may be gone
   * @return after which time it is called again if nothing changes; zero or less: at once; empty:
   *     only when something changes
   * @throws Exception any failure: it is logged and counted, and the object is maintained again
   *     after a growing delay, 500 ms to 5 min. So is a call that takes longer than {@link
   *     io.github.kueue4j.sdk.Guards#timeout}, which is interrupted. A {@link
   *     io.github.kueue4j.sdk.objects.ConflictException} is tried again without that
   */
  Optional<Duration> maintain(ObjectKey key) throws Exception;
}
