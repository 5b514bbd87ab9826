// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.lease;

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
   * @param lasts without renewal
   * @param since when this replica saw this state first
   */
  record ObservedLease(String holder, @Nullable Object renewTime, Duration lasts, Instant since) {

    /**
     * This sighting, or a new one if the lease has changed.
     *
     * @param usual how long a lease lasts that doesn't say it
     */
    static ObservedLease of(
        V1Lease lease, @Nullable ObservedLease previous, Duration usual, Instant now) {
      @Nullable V1LeaseSpec spec = lease.getSpec();
      String holder =
          spec == null || spec.getHolderIdentity() == null ? "" : spec.getHolderIdentity();
      @Nullable Object renewed = spec == null ? null : spec.getRenewTime();
      @Nullable Integer seconds = spec == null ? null : spec.getLeaseDurationSeconds();
      Duration lasts = seconds == null ? usual : Duration.ofSeconds(seconds);
      if (previous != null
          && previous.holder.equals(holder)
          && Objects.equals(previous.renewTime, renewed)) {
        return new ObservedLease(holder, renewed, lasts, previous.since);
      }
      return new ObservedLease(holder, renewed, lasts, now);
    }

    private Instant expiry() {
      return since.plus(lasts);
    }
  }

  /**
   * Decides the next action.
   *
   * @param observedLease the lease as it is now
   */
  static LeaseDecision decide(ObservedLease observedLease, String identity, Instant now) {
    if (observedLease.holder.isEmpty()) {
      return new Take();
    }
    if (observedLease.holder.equals(identity)) {
      return new Renew();
    }
    boolean expired = !now.isBefore(observedLease.expiry());
    return expired ? new Take() : new Held(observedLease.holder);
  }

  /**
   * How long a candidate waits before it looks again: twice in a period in which the holder renews,
   * since what it sees late it also takes over late, and at the moment of expiry.
   *
   * @param observedLease absent: it hasn't seen one yet
   */
  static Duration untilNextLook(
      @Nullable ObservedLease observedLease, Duration retryPeriod, Instant now) {
    Duration usual = retryPeriod.dividedBy(2);
    if (observedLease == null) {
      return usual;
    }
    Duration left = Duration.between(now, observedLease.expiry());
    return left.isPositive() && left.compareTo(usual) < 0 ? left : usual;
  }
}
