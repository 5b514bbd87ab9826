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
package io.github.kueue4j.core.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.WithinClusterQueuePolicy;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who counts on whom when preemption is deferred, worked out by hand. */
class DeferredClaimsTest {
  private static final boolean SETTLING = true;

  private static DeferredPreemption.Outcome among(
      Field field, Map<ObjectKey, List<Target>> before, boolean settling, String... deferring) {
    return new DeferredPreemption(
            new Rivals(field.holders(), PreemptionSettings.classical(), localQueue -> 0),
            before,
            queue -> Field.within(WithinClusterQueuePolicy.LOWER_PRIORITY))
        .among(field.tree(), Stream.of(deferring).map(field::candidate).toList(), settling);
  }

  private static DeferredPreemption.Outcome among(Field field, String... deferring) {
    return among(field, Map.of(), !SETTLING, deferring);
  }

  private static Map<ObjectKey, List<Target>> counted(Field field, String claimant, String on) {
    return Map.of(
        field.candidate(claimant).key(),
        List.of(new Target(field.candidate(on), PreemptionReason.IN_CLUSTER_QUEUE)));
  }

  private static List<String> claims(DeferredPreemption.Outcome outcome) {
    return outcome.claims().stream()
        .map(
            claim ->
                claim.claimant().key().name()
                    + " on "
                    + claim.targets().stream()
                        .map(target -> target.candidate().key().name())
                        .sorted()
                        .toList())
        .toList();
  }

  private static List<String> hopeless(DeferredPreemption.Outcome outcome) {
    return outcome.hopeless().stream().map(candidate -> candidate.key().name()).toList();
  }

  @Test
  void whoDoesNotFitCountsOnSomebodyLessImportant() {
    Field field =
        new Field().queue("a", null, 3).holds("a", "victim", 1, 2).holds("a", "claimant", 9, 2);

    DeferredPreemption.Outcome outcome = among(field, "claimant");

    assertThat(claims(outcome)).containsExactly("claimant on [victim]");
    assertThat(hopeless(outcome)).isEmpty();
  }

  @Test
  void whoFitsCountsOnNobody() {
    Field field =
        new Field().queue("a", null, 3).holds("a", "other", 1, 1).holds("a", "fitting", 9, 2);

    DeferredPreemption.Outcome outcome = among(field, "fitting");

    assertThat(outcome.claims()).isEmpty();
    assertThat(outcome.hopeless()).isEmpty();
  }

  @Test
  void aClaimWithRoomByNowEndsOnlyWhenItIsSettled() {
    Field field =
        new Field().queue("a", null, 3).holds("a", "victim", 1, 1).holds("a", "claimant", 9, 2);
    Map<ObjectKey, List<Target>> before = counted(field, "claimant", "victim");

    assertThat(claims(among(field, before, !SETTLING, "claimant")))
        .containsExactly("claimant on [victim]");
    assertThat(claims(among(field, before, SETTLING, "claimant"))).isEmpty();
  }

  @Test
  void targetsThatHaveGoneAreNoLongerCountedOn() {
    Field before =
        new Field().queue("a", null, 3).holds("a", "gone", 1, 2).holds("a", "claimant", 9, 2);
    Field after = new Field().queue("a", null, 3).holds("a", "claimant", 9, 2);

    assertThat(claims(among(after, counted(before, "claimant", "gone"), !SETTLING, "claimant")))
        .containsExactly("claimant on []");
  }

  @Test
  void whoseTargetsHaveGoneWithoutMakingRoomFindsOthers() {
    Field before =
        new Field().queue("a", null, 3).holds("a", "gone", 1, 2).holds("a", "claimant", 9, 2);
    Field after =
        new Field().queue("a", null, 3).holds("a", "newcomer", 1, 2).holds("a", "claimant", 9, 2);

    assertThat(claims(among(after, counted(before, "claimant", "gone"), !SETTLING, "claimant")))
        .containsExactly("claimant on [newcomer]");
  }

  @Test
  void whoWasChosenIsPreferred() {
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

  /** Three are freed: one for each of two, and one is left, which isn't enough for the third. */
  @Test
  void twoClaimsShareAVictimThatIsLargeEnoughForBoth() {
    Field field =
        new Field()
            .queue("a", null, 3)
            .holds("a", "victim", 1, 3)
            .holds("a", "first", 9, 1)
            .holds("a", "second", 9, 1)
            .holds("a", "third", 9, 2);

    DeferredPreemption.Outcome outcome = among(field, "third", "second", "first");

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

    DeferredPreemption.Outcome outcome = among(field, "younger", "older");

    assertThat(claims(outcome)).containsExactly("older on [victim]");
    assertThat(hopeless(outcome)).containsExactly("younger");
  }

  /** And the claimant that it passes has to give way together with the victim. */
  @Test
  void aMoreImportantOneCountsOnAClaimantToo() {
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
  void whereEverybodyIsAsImportantTheReservationIsHopeless() {
    Field field =
        new Field().queue("a", null, 3).holds("a", "equal", 9, 2).holds("a", "claimant", 9, 2);

    DeferredPreemption.Outcome outcome = among(field, "claimant");

    assertThat(outcome.claims()).isEmpty();
    assertThat(hopeless(outcome)).containsExactly("claimant");
  }
}
