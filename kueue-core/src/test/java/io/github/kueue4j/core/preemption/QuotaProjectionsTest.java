// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.quota.QuotaTree;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The three projections of quota while claims are open, with sums computed by hand. */
class QuotaProjectionsTest {
  private static long used(QuotaTree tree, String queue) {
    return tree.usage(NodeId.queue(queue), Field.CPU);
  }

  private static DeferredPreemption claim(Field field, String claimant, String... targets) {
    return new DeferredPreemption(
        field.candidate(claimant),
        Stream.of(targets)
            .map(field::candidate)
            .map(candidate -> new Target(candidate, PreemptionReason.IN_CLUSTER_QUEUE))
            .toList());
  }

  private static QuotaProjections accounts(Field field, DeferredPreemption... claims) {
    return QuotaProjections.of(field.tree(), List.of(claims));
  }

  private static PreemptionCandidates rivals(Field field) {
    return new PreemptionCandidates(
        field.holders(), PreemptionSettings.classical(), localQueue -> 0);
  }

  /** The usage with all reservations: the scope in which claims prevent no preemption. */
  private static QuotaTree reserved(Field field, QuotaProjections quotaProjections) {
    return quotaProjections.searchScopes(rivals(field)).getLast().quota();
  }

  private static List<String> names(Collection<Candidate> candidates) {
    return candidates.stream().map(candidate -> candidate.key().name()).toList();
  }

  @Test
  void withoutClaimsAllProjectionsAreEqual() {
    Field field = new Field().queue("a", null, 10).holds("a", "one", 0, 6);
    QuotaProjections quotaProjections = accounts(field);

    assertThat(quotaProjections.hasDeferredPreemptions()).isFalse();
    assertThat(quotaProjections.running()).isSameAs(quotaProjections.settled());
    assertThat(quotaProjections.searchScopes(rivals(field))).hasSize(1);
    assertThat(quotaProjections.fits("a", Amounts.of(Field.CPU, 4))).isTrue();
    assertThat(quotaProjections.fits("a", Amounts.of(Field.CPU, 5))).isFalse();
  }

  @Test
  void aClaimIsReservedBesideItsTargetsNotRunningAndSettledInsteadOfThem() {
    Field field =
        new Field()
            .queue("a", null, 10)
            .holds("a", "victim", 1, 6)
            .holds("a", "other", 1, 2)
            .holds("a", "claimant", 9, 5);
    QuotaProjections quotaProjections = accounts(field, claim(field, "claimant", "victim"));

    assertThat(used(reserved(field, quotaProjections), "a")).isEqualTo(6 + 2 + 5);
    assertThat(used(quotaProjections.running(), "a")).isEqualTo(6 + 2);
    assertThat(used(quotaProjections.settled(), "a")).isEqualTo(2 + 5);
    assertThat(quotaProjections.countsAsRunning(field.candidate("claimant"))).isFalse();
    assertThat(quotaProjections.countsAsRunning(field.candidate("victim"))).isTrue();
  }

  @Test
  void aReservationMustFitTheRunningUsage() {
    Field field =
        new Field()
            .queue("a", null, 10)
            .holds("a", "victim", 1, 6)
            .holds("a", "other", 1, 2)
            .holds("a", "claimant", 9, 5);
    QuotaProjections quotaProjections = accounts(field, claim(field, "claimant", "victim"));

    // Running 8 of 10, settled 7 of 10.
    assertThat(quotaProjections.fits("a", Amounts.of(Field.CPU, 2))).isTrue();
    assertThat(quotaProjections.fits("a", Amounts.of(Field.CPU, 3))).isFalse();
  }

  @Test
  void aReservationMustFitTheSettledUsage() {
    Field field =
        new Field()
            .queue("a", null, 10)
            .holds("a", "victim", 1, 2)
            .holds("a", "other", 1, 4)
            .holds("a", "claimant", 9, 5);
    QuotaProjections quotaProjections = accounts(field, claim(field, "claimant", "victim"));

    // Running 6 of 10, settled 9 of 10: three of the free ones are the claimant's.
    assertThat(quotaProjections.fits("a", Amounts.of(Field.CPU, 1))).isTrue();
    assertThat(quotaProjections.fits("a", Amounts.of(Field.CPU, 2))).isFalse();
  }

  @Test
  void aVictimOfTwoClaimsIsReleasedOnce() {
    Field field =
        new Field()
            .queue("a", null, 10)
            .holds("a", "victim", 1, 6)
            .holds("a", "other", 1, 2)
            .holds("a", "first", 9, 4)
            .holds("a", "second", 9, 2);
    QuotaProjections quotaProjections =
        accounts(field, claim(field, "first", "victim"), claim(field, "second", "victim"));

    assertThat(used(reserved(field, quotaProjections), "a")).isEqualTo(6 + 2 + 4 + 2);
    assertThat(used(quotaProjections.running(), "a")).isEqualTo(6 + 2);
    assertThat(used(quotaProjections.settled(), "a")).isEqualTo(2 + 4 + 2);
    assertThat(quotaProjections.promisedVictims()).containsExactly(field.candidate("victim").key());
  }

  @Test
  void aClaimWhoseTargetsAreGoneKeepsItsQuota() {
    Field field =
        new Field().queue("a", null, 10).holds("a", "other", 1, 3).holds("a", "claimant", 9, 5);
    QuotaProjections quotaProjections = accounts(field, claim(field, "claimant"));

    assertThat(used(reserved(field, quotaProjections), "a")).isEqualTo(3 + 5);
    assertThat(used(quotaProjections.running(), "a")).isEqualTo(3);
    assertThat(used(quotaProjections.settled(), "a")).isEqualTo(3 + 5);
    assertThat(quotaProjections.fits("a", Amounts.of(Field.CPU, 3))).isFalse();
  }

  @Test
  void claimsCountInTheirOwnQueuesOfACohort() {
    Field field =
        new Field()
            .queue("a", "co", 4)
            .queue("b", "co", 6)
            .holds("b", "own", 1, 6)
            .holds("b", "borrowed", 1, 3)
            .holds("a", "claimant", 1, 4);
    QuotaProjections quotaProjections = accounts(field, claim(field, "claimant", "borrowed"));

    assertThat(used(quotaProjections.running(), "a")).isZero();
    assertThat(used(quotaProjections.running(), "b")).isEqualTo(6 + 3);
    assertThat(used(quotaProjections.settled(), "a")).isEqualTo(4);
    assertThat(used(quotaProjections.settled(), "b")).isEqualTo(6);
    assertThat(quotaProjections.fits("b", Amounts.of(Field.CPU, 1))).isFalse();
  }

  @Test
  void onlyRunningTargetsFreeQuota() {
    Field field =
        new Field()
            .queue("a", null, 10)
            .holds("a", "victim", 1, 6)
            .holds("a", "other", 1, 2)
            .holds("a", "claimant", 9, 5);
    QuotaProjections quotaProjections = accounts(field, claim(field, "claimant", "victim"));
    List<Target> victim = claim(field, "claimant", "victim").targets();
    List<Target> claimant = claim(field, "victim", "claimant").targets();

    assertThat(quotaProjections.fitsWithout(victim, "a", Amounts.of(Field.CPU, 8))).isTrue();
    assertThat(quotaProjections.fitsWithout(victim, "a", Amounts.of(Field.CPU, 9))).isFalse();
    assertThat(quotaProjections.fitsWithout(claimant, "a", Amounts.of(Field.CPU, 2))).isTrue();
    assertThat(quotaProjections.fitsWithout(claimant, "a", Amounts.of(Field.CPU, 3))).isFalse();
  }

  @Test
  void targetsAreSearchedFirstAmongCandidatesWithoutClaims() {
    Field field =
        new Field()
            .queue("a", null, 10)
            .holds("a", "victim", 1, 6)
            .holds("a", "other", 1, 2)
            .holds("a", "claimant", 9, 5);
    QuotaProjections quotaProjections = accounts(field, claim(field, "claimant", "victim"));
    List<QuotaProjections.SearchScope> grounds = quotaProjections.searchScopes(rivals(field));

    assertThat(grounds).hasSize(2);
    assertThat(grounds.get(0).quota()).isSameAs(quotaProjections.settled());
    assertThat(names(grounds.get(0).candidates().quotaHolders().of("a"))).containsExactly("other");
    assertThat(names(grounds.get(1).candidates().quotaHolders().of("a")))
        .containsExactly("victim", "other", "claimant");
  }
}
