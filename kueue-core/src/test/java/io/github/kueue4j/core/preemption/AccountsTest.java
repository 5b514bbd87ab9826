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

import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.quota.QuotaTree;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The three accounts of quota while claims are open, added up by hand. */
class AccountsTest {
  private static long used(QuotaTree tree, String queue) {
    return tree.usage(NodeId.queue(queue), Field.CPU);
  }

  private static Claim claim(Field field, String claimant, String... targets) {
    return new Claim(
        field.candidate(claimant),
        Stream.of(targets)
            .map(field::candidate)
            .map(candidate -> new Target(candidate, PreemptionReason.IN_CLUSTER_QUEUE))
            .toList());
  }

  private static Accounts accounts(Field field, Claim... claims) {
    return Accounts.of(field.tree(), List.of(claims));
  }

  private static Rivals rivals(Field field) {
    return new Rivals(field.holders(), PreemptionSettings.classical(), localQueue -> 0);
  }

  /** What everybody has reserved: the ground on which a claim keeps nobody from anything. */
  private static QuotaTree reserved(Field field, Accounts accounts) {
    return accounts.grounds(rivals(field)).getLast().quota();
  }

  private static List<String> names(Collection<Candidate> candidates) {
    return candidates.stream().map(candidate -> candidate.key().name()).toList();
  }

  @Test
  void withoutClaimsThereIsOneAccount() {
    Field field = new Field().queue("a", null, 10).holds("a", "one", 0, 6);
    Accounts accounts = accounts(field);

    assertThat(accounts.hasClaims()).isFalse();
    assertThat(accounts.running()).isSameAs(accounts.settled());
    assertThat(accounts.grounds(rivals(field))).hasSize(1);
    assertThat(accounts.fits("a", Amounts.of(Field.CPU, 4))).isTrue();
    assertThat(accounts.fits("a", Amounts.of(Field.CPU, 5))).isFalse();
  }

  @Test
  void aClaimCountsWithItsTargetsReservedWithThemRunningAndAfterThemSettled() {
    Field field =
        new Field()
            .queue("a", null, 10)
            .holds("a", "victim", 1, 6)
            .holds("a", "other", 1, 2)
            .holds("a", "claimant", 9, 5);
    Accounts accounts = accounts(field, claim(field, "claimant", "victim"));

    assertThat(used(reserved(field, accounts), "a")).isEqualTo(6 + 2 + 5);
    assertThat(used(accounts.running(), "a")).isEqualTo(6 + 2);
    assertThat(used(accounts.settled(), "a")).isEqualTo(2 + 5);
    assertThat(accounts.runs(field.candidate("claimant"))).isFalse();
    assertThat(accounts.runs(field.candidate("victim"))).isTrue();
  }

  @Test
  void whoGetsQuotaMustFitIntoWhatIsRunning() {
    Field field =
        new Field()
            .queue("a", null, 10)
            .holds("a", "victim", 1, 6)
            .holds("a", "other", 1, 2)
            .holds("a", "claimant", 9, 5);
    Accounts accounts = accounts(field, claim(field, "claimant", "victim"));

    // Running 8 of 10, settled 7 of 10.
    assertThat(accounts.fits("a", Amounts.of(Field.CPU, 2))).isTrue();
    assertThat(accounts.fits("a", Amounts.of(Field.CPU, 3))).isFalse();
  }

  @Test
  void whoGetsQuotaMustFitIntoWhatIsLeftWhenAllIsSettled() {
    Field field =
        new Field()
            .queue("a", null, 10)
            .holds("a", "victim", 1, 2)
            .holds("a", "other", 1, 4)
            .holds("a", "claimant", 9, 5);
    Accounts accounts = accounts(field, claim(field, "claimant", "victim"));

    // Running 6 of 10, settled 9 of 10: three of the free ones are the claimant's.
    assertThat(accounts.fits("a", Amounts.of(Field.CPU, 1))).isTrue();
    assertThat(accounts.fits("a", Amounts.of(Field.CPU, 2))).isFalse();
  }

  @Test
  void aVictimOfTwoClaimsIsTakenOffOnce() {
    Field field =
        new Field()
            .queue("a", null, 10)
            .holds("a", "victim", 1, 6)
            .holds("a", "other", 1, 2)
            .holds("a", "first", 9, 4)
            .holds("a", "second", 9, 2);
    Accounts accounts =
        accounts(field, claim(field, "first", "victim"), claim(field, "second", "victim"));

    assertThat(used(reserved(field, accounts), "a")).isEqualTo(6 + 2 + 4 + 2);
    assertThat(used(accounts.running(), "a")).isEqualTo(6 + 2);
    assertThat(used(accounts.settled(), "a")).isEqualTo(2 + 4 + 2);
    assertThat(accounts.promised()).containsExactly(field.candidate("victim").key());
  }

  @Test
  void aClaimWhoseTargetsHaveLetGoKeepsItsQuota() {
    Field field =
        new Field().queue("a", null, 10).holds("a", "other", 1, 3).holds("a", "claimant", 9, 5);
    Accounts accounts = accounts(field, claim(field, "claimant"));

    assertThat(used(reserved(field, accounts), "a")).isEqualTo(3 + 5);
    assertThat(used(accounts.running(), "a")).isEqualTo(3);
    assertThat(used(accounts.settled(), "a")).isEqualTo(3 + 5);
    assertThat(accounts.fits("a", Amounts.of(Field.CPU, 3))).isFalse();
  }

  @Test
  void eachQueueOfACohortKeepsItsOwnAccount() {
    Field field =
        new Field()
            .queue("a", "co", 4)
            .queue("b", "co", 6)
            .holds("b", "own", 1, 6)
            .holds("b", "borrowed", 1, 3)
            .holds("a", "claimant", 1, 4);
    Accounts accounts = accounts(field, claim(field, "claimant", "borrowed"));

    assertThat(used(accounts.running(), "a")).isZero();
    assertThat(used(accounts.running(), "b")).isEqualTo(6 + 3);
    assertThat(used(accounts.settled(), "a")).isEqualTo(4);
    assertThat(used(accounts.settled(), "b")).isEqualTo(6);
    assertThat(accounts.fits("b", Amounts.of(Field.CPU, 1))).isFalse();
  }

  @Test
  void onlyWhoRunsMakesRoom() {
    Field field =
        new Field()
            .queue("a", null, 10)
            .holds("a", "victim", 1, 6)
            .holds("a", "other", 1, 2)
            .holds("a", "claimant", 9, 5);
    Accounts accounts = accounts(field, claim(field, "claimant", "victim"));
    List<Target> victim = claim(field, "claimant", "victim").targets();
    List<Target> claimant = claim(field, "victim", "claimant").targets();

    assertThat(accounts.fitsWithout(victim, "a", Amounts.of(Field.CPU, 8))).isTrue();
    assertThat(accounts.fitsWithout(victim, "a", Amounts.of(Field.CPU, 9))).isFalse();
    assertThat(accounts.fitsWithout(claimant, "a", Amounts.of(Field.CPU, 2))).isTrue();
    assertThat(accounts.fitsWithout(claimant, "a", Amounts.of(Field.CPU, 3))).isFalse();
  }

  @Test
  void roomIsLookedForFirstAmongThoseThatNoClaimIsAbout() {
    Field field =
        new Field()
            .queue("a", null, 10)
            .holds("a", "victim", 1, 6)
            .holds("a", "other", 1, 2)
            .holds("a", "claimant", 9, 5);
    Accounts accounts = accounts(field, claim(field, "claimant", "victim"));
    List<Accounts.Ground> grounds = accounts.grounds(rivals(field));

    assertThat(grounds).hasSize(2);
    assertThat(grounds.get(0).quota()).isSameAs(accounts.settled());
    assertThat(names(grounds.get(0).rivals().holders().of("a"))).containsExactly("other");
    assertThat(names(grounds.get(1).rivals().holders().of("a")))
        .containsExactly("victim", "other", "claimant");
  }
}
