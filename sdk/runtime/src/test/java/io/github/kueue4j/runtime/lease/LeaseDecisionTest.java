// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.runtime.lease.LeaseDecision.ObservedLease;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a candidate does about another's lease, and when it looks again. */
class LeaseDecisionTest {
  private static final Instant START = Instant.parse("2026-01-05T08:00:00Z");
  private static final Duration USUAL = Duration.ofSeconds(15);
  private static final Duration RETRY = Duration.ofSeconds(2);

  /** By the holder's clock, which may be wrong. */
  private static final OffsetDateTime RENEWED =
      OffsetDateTime.of(2020, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC);

  private final ObservedLease seen = ObservedLease.of(lease(RENEWED, null), null, USUAL, START);

  private static V1Lease lease(OffsetDateTime renewed, @Nullable Integer seconds) {
    return new V1Lease()
        .spec(
            new V1LeaseSpec()
                .holderIdentity("other")
                .renewTime(renewed)
                .leaseDurationSeconds(seconds));
  }

  private static LeaseDecision decide(ObservedLease lease, Duration later) {
    return LeaseDecision.decide(lease, "mine", START.plus(later));
  }

  private static Duration next(ObservedLease lease, Duration later) {
    return LeaseDecision.untilNextLook(lease, RETRY, START.plus(later));
  }

  @Test
  void itIsTakenOnceItHasNotBeenRenewedForItsDuration() {
    assertThat(decide(seen, USUAL.minusMillis(1))).isEqualTo(new LeaseDecision.Held("other"));
    assertThat(decide(seen, USUAL)).isEqualTo(new LeaseDecision.Take());
  }

  @Test
  void aRenewalCountsFromWhenItWasSeen() {
    Instant later = START.plusSeconds(14);
    ObservedLease same = ObservedLease.of(lease(RENEWED, null), seen, USUAL, later);
    ObservedLease renewed =
        ObservedLease.of(lease(RENEWED.plusSeconds(2), null), seen, USUAL, later);

    assertThat(same.since()).isEqualTo(START);
    assertThat(renewed.since()).isEqualTo(later);
  }

  @Test
  void aLeaseMaySayItsOwnDuration() {
    ObservedLease longer = ObservedLease.of(lease(RENEWED, 60), seen, USUAL, START.plusSeconds(5));

    assertThat(decide(longer, Duration.ofSeconds(59))).isEqualTo(new LeaseDecision.Held("other"));
    assertThat(decide(longer, Duration.ofSeconds(60))).isEqualTo(new LeaseDecision.Take());
  }

  @Test
  void aCandidateLooksTwiceInAPeriodAndWhenTheLeaseExpires() {
    assertThat(LeaseDecision.untilNextLook(null, RETRY, START)).isEqualTo(Duration.ofSeconds(1));
    assertThat(next(seen, Duration.ofSeconds(3))).isEqualTo(Duration.ofSeconds(1));
    assertThat(next(seen, Duration.ofMillis(14_400))).isEqualTo(Duration.ofMillis(600));
  }

  /** Another candidate was first: the next look is not at once. */
  @Test
  void aLeaseThatHasExpiredIsNoReasonToHurry() {
    assertThat(next(seen, USUAL)).isEqualTo(Duration.ofSeconds(1));
    assertThat(next(seen, USUAL.plusSeconds(5))).isEqualTo(Duration.ofSeconds(1));
  }
}
