// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.provisioning;

import io.github.kueue4j.api.ProvisioningRequest;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts how often other clients have deleted the request of a reservation. The first time it is
 * created again at once, then with growing pauses: another provisioning controller deletes every
 * request that it doesn't know, and both would go on as fast as they can.
 */
final class Losses {

  private static final Backoff PAUSES =
      Backoff.exponential(Duration.ofSeconds(2), 2).atMost(Duration.ofMinutes(5)).withoutJitter();

  private final Map<Holder, Created> last = new ConcurrentHashMap<>();

  private record Holder(String workloadUid, String check) {}

  /**
   * The object that was created last.
   *
   * @param losses how many requests of this reservation were gone before it
   */
  private record Created(String reservation, String requestUid, int losses, Instant at) {}

  /**
   * A request that may not be created yet.
   *
   * @param times how often it was deleted
   */
  record Pause(int times, Duration left) {}

  /** How long to wait before the request is created again; empty: it may be created now. */
  Optional<Pause> pause(RequestPlan plan, Instant now) {
    Created created = last.get(holder(plan.workload(), plan.check()));
    if (created == null
        || created.losses() == 0
        || !created.reservation().equals(Ownership.reservedAt(plan.workload()))) {
      return Optional.empty();
    }
    Instant until = created.at().plus(PAUSES.nominal(created.losses() - 1, now));
    // The clock may have been set back meanwhile.
    return !now.isBefore(created.at()) && now.isBefore(until)
        ? Optional.of(new Pause(created.losses() + 1, Duration.between(now, until)))
        : Optional.empty();
  }

  /** Notes the request that is there after it was asked for. */
  void created(RequestPlan plan, ProvisioningRequest request, Instant now) {
    String reservation = Ownership.reservedAt(plan.workload());
    String uid = String.valueOf(request.metadata().getUid());
    last.compute(
        holder(plan.workload(), plan.check()),
        (holder, before) -> {
          if (before == null || !before.reservation().equals(reservation)) {
            return new Created(reservation, uid, 0, now);
          }
          return before.requestUid().equals(uid)
              ? before
              : new Created(reservation, uid, before.losses() + 1, now);
        });
  }

  /** The reservation is over, or the check itself has deleted the request. */
  void forget(Workload workload, String check) {
    forget(Uids.of(workload), check);
  }

  /** The Workload is gone. */
  void forget(String workloadUid, String check) {
    last.remove(new Holder(workloadUid, check));
  }

  private static Holder holder(Workload workload, String check) {
    return new Holder(Uids.of(workload), check);
  }
}
