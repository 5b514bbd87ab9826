/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.runtime;

import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What one replica does about the lease that it sees: a function of values. */
sealed interface LeaseDecision {

  /** The lease is ours: renew it. */
  record Renew() implements LeaseDecision {}

  /** The lease is free, given back or expired: take it. */
  record Take() implements LeaseDecision {}

  /** Somebody else holds it. */
  record Held(String holder) implements LeaseDecision {}

  /**
   * What was last seen of the lease, and when we saw it first. Expiry counts from our own sight of
   * an unchanged lease, so that the clocks of two machines never need to agree.
   *
   * @param holder who holds it; may be empty
   * @param renewTime the holder's own stamp, only compared for equality
   * @param since when we first saw exactly this
   */
  record Sighting(String holder, @Nullable Object renewTime, Instant since) {

    /** This sighting, or a new one if the lease has changed. */
    static Sighting of(V1Lease lease, @Nullable Sighting previous, Instant now) {
      @Nullable V1LeaseSpec spec = lease.getSpec();
      String holder =
          spec == null || spec.getHolderIdentity() == null ? "" : spec.getHolderIdentity();
      @Nullable Object renewed = spec == null ? null : spec.getRenewTime();
      if (previous != null
          && previous.holder.equals(holder)
          && Objects.equals(previous.renewTime, renewed)) {
        return previous;
      }
      return new Sighting(holder, renewed, now);
    }
  }

  /**
   * Decides.
   *
   * @param sighting the lease as it is now
   * @param lasts how long the holder's lease lasts without renewal
   */
  static LeaseDecision decide(Sighting sighting, Duration lasts, String identity, Instant now) {
    if (sighting.holder.isEmpty()) {
      return new Take();
    }
    if (sighting.holder.equals(identity)) {
      return new Renew();
    }
    boolean expired = !now.isBefore(sighting.since.plus(lasts));
    return expired ? new Take() : new Held(sighting.holder);
  }
}
