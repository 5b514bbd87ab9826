// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime;

import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The next action of a replica, given the lease that it sees: a pure function. */
sealed interface LeaseDecision {

  /** This replica holds the lease: renew it. */
  record Renew() implements LeaseDecision {}

  /** The lease is free, released or expired: take it. */
  record Take() implements LeaseDecision {}

  /** Another replica holds it. */
  record Held(String holder) implements LeaseDecision {}

  /**
   * The last seen state of the lease, and when this replica saw that state first. Expiry counts
   * from that time, so that the clocks of two machines needn't agree.
   *
   * @param holder identity of the holder; may be empty
   * @param renewTime the holder's timestamp, only compared for equality
   * @param since when this replica saw this state first
   */
  record ObservedLease(String holder, @Nullable Object renewTime, Instant since) {

    /** This sighting, or a new one if the lease has changed. */
    static ObservedLease of(V1Lease lease, @Nullable ObservedLease previous, Instant now) {
      @Nullable V1LeaseSpec spec = lease.getSpec();
      String holder =
          spec == null || spec.getHolderIdentity() == null ? "" : spec.getHolderIdentity();
      @Nullable Object renewed = spec == null ? null : spec.getRenewTime();
      if (previous != null
          && previous.holder.equals(holder)
          && Objects.equals(previous.renewTime, renewed)) {
        return previous;
      }
      return new ObservedLease(holder, renewed, now);
    }
  }

  /**
   * Decides the next action.
   *
   * @param observedLease the lease as it is now
   * @param lasts the duration of the holder's lease without renewal
   */
  static LeaseDecision decide(
      ObservedLease observedLease, Duration lasts, String identity, Instant now) {
    if (observedLease.holder.isEmpty()) {
      return new Take();
    }
    if (observedLease.holder.equals(identity)) {
      return new Renew();
    }
    boolean expired = !now.isBefore(observedLease.since.plus(lasts));
    return expired ? new Take() : new Held(observedLease.holder);
  }
}
