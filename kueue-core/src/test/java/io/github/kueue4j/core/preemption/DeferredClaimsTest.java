// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.WithinClusterQueuePolicy;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The claims and their targets under deferred preemption, with outcomes computed by hand. */
class DeferredClaimsTest {
  private static final boolean SETTLING = true;

  private static DeferredPreemptionResolver.Outcome among(
      Field field, Map<ObjectKey, List<Target>> before, boolean settling, String... deferring) {
    return new DeferredPreemptionResolver(
            new PreemptionCandidates(
                field.holders(), PreemptionSettings.classical(), localQueue -> 0),
            before,
            queue -> Field.within(WithinClusterQueuePolicy.LOWER_PRIORITY))
        .resolve(field.tree(), Stream.of(deferring).map(field::candidate).toList(), settling);
  }

  private static DeferredPreemptionResolver.Outcome among(Field field, String... deferring) {
    return among(field, Map.of(), !SETTLING, deferring);
  }

  private static Map<ObjectKey, List<Target>> counted(Field field, String claimant, String on) {
    return Map.of(
        field.candidate(claimant).key(),
        List.of(new Target(field.candidate(on), PreemptionReason.IN_CLUSTER_QUEUE)));
  }

  private static List<String> claims(DeferredPreemptionResolver.Outcome outcome) {
    return outcome.preemptions().stream()
        .map(
            deferredPreemption ->
                deferredPreemption.preemptor().key().name()
                    + " on "
                    + deferredPreemption.targets().stream()
                        .map(target -> target.candidate().key().name())
                        .sorted()
                        .toList())
        .toList();
  }

  private static List<String> hopeless(DeferredPreemptionResolver.Outcome outcome) {
    return outcome.unsatisfiable().stream().map(candidate -> candidate.key().name()).toList();
  }

  @Test
  void aClaimantTargetsAWorkloadOfLowerPriority() {
    Field field =
        new Field().queue("a", null, 3).holds("a", "victim", 1, 2).holds("a", "claimant", 9, 2);

    DeferredPreemptionResolver.Outcome outcome = among(field, "claimant");

    assertThat(claims(outcome)).containsExactly("claimant on [victim]");
    assertThat(hopeless(outcome)).isEmpty();
  }

  @Test
  void aReservationThatFitsHasNoClaim() {
    Field field =
        new Field().queue("a", null, 3).holds("a", "other", 1, 1).holds("a", "fitting", 9, 2);

    DeferredPreemptionResolver.Outcome outcome = among(field, "fitting");

    assertThat(outcome.preemptions()).isEmpty();
    assertThat(outcome.unsatisfiable()).isEmpty();
  }

  @Test
  void aClaimThatFitsEndsOnlyWhenSettling() {
    Field field =
        new Field().queue("a", null, 3).holds("a", "victim", 1, 1).holds("a", "claimant", 9, 2);
    Map<ObjectKey, List<Target>> before = counted(field, "claimant", "victim");

    assertThat(claims(among(field, before, !SETTLING, "claimant")))
        .containsExactly("claimant on [victim]");
    assertThat(claims(among(field, before, SETTLING, "claimant"))).isEmpty();
  }

  @Test
  void targetsThatAreGoneAreRemoved() {
    Field before =
        new Field().queue("a", null, 3).holds("a", "gone", 1, 2).holds("a", "claimant", 9, 2);
    Field after = new Field().queue("a", null, 3).holds("a", "claimant", 9, 2);

    assertThat(claims(among(after, counted(before, "claimant", "gone"), !SETTLING, "claimant")))
        .containsExactly("claimant on []");
  }

  @Test
  void aClaimantThatStillDoesNotFitGetsOtherTargets() {
    Field before =
        new Field().queue("a", null, 3).holds("a", "gone", 1, 2).holds("a", "claimant", 9, 2);
    Field after =
        new Field().queue("a", null, 3).holds("a", "newcomer", 1, 2).holds("a", "claimant", 9, 2);

    assertThat(claims(among(after, counted(before, "claimant", "gone"), !SETTLING, "claimant")))
        .containsExactly("claimant on [newcomer]");
  }

  @Test
  void earlierTargetsArePreferred() {
    Field field =
        new Field()
            .queue("a", null, 3)
            .holds("a", "older", 1, 1)
            .holds("a", "younger", 1, 2)
            .holds("a", "claimant", 9, 1);

    assertThat(claims(among(field, "claimant"))).containsExactly("claimant on [younger]");
    assertThat(claims(among(field, counted(field, "claimant", "older"), !SETTLING, "claimant")))
        .containsExactly("claimant on [older]");
  }

  /**
   * The victim frees three CPUs: one for each of two claims; the remaining one isn't enough for the
   * third.
   */
  @Test
  void twoClaimsShareAVictimThatIsLargeEnoughForBoth() {
    Field field =
        new Field()
            .queue("a", null, 3)
            .holds("a", "victim", 1, 3)
            .holds("a", "first", 9, 1)
            .holds("a", "second", 9, 1)
            .holds("a", "third", 9, 2);

    DeferredPreemptionResolver.Outcome outcome = among(field, "third", "second", "first");

    assertThat(claims(outcome)).containsExactly("first on [victim]", "second on [victim]");
    assertThat(hopeless(outcome)).containsExactly("third");
  }

  @Test
  void theOlderReservationComesFirst() {
    Field field =
        new Field()
            .queue("a", null, 2)
            .holds("a", "victim", 1, 2)
            .holds("a", "older", 5, 2)
            .holds("a", "younger", 5, 2);

    DeferredPreemptionResolver.Outcome outcome = among(field, "younger", "older");

    assertThat(claims(outcome)).containsExactly("older on [victim]");
    assertThat(hopeless(outcome)).containsExactly("younger");
  }

  /** The claimant with the lower priority becomes a target together with the victim. */
  @Test
  void aClaimantOfLowerPriorityCanBeATarget() {
    Field field =
        new Field()
            .queue("a", null, 2)
            .holds("a", "victim", 1, 2)
            .holds("a", "older", 5, 2)
            .holds("a", "urgent", 9, 2);

    assertThat(claims(among(field, "older", "urgent")))
        .containsExactly("older on [victim]", "urgent on [older, victim]");
  }

  @Test
  void withoutLowerPrioritiesTheReservationIsHopeless() {
    Field field =
        new Field().queue("a", null, 3).holds("a", "equal", 9, 2).holds("a", "claimant", 9, 2);

    DeferredPreemptionResolver.Outcome outcome = among(field, "claimant");

    assertThat(outcome.preemptions()).isEmpty();
    assertThat(hopeless(outcome)).containsExactly("claimant");
  }
}
