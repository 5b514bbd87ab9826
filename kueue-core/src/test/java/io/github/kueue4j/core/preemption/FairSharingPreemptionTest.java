// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ClusterQueuePreemption;
import io.github.kueue4j.api.ReclaimPolicy;
import io.github.kueue4j.api.WithinClusterQueuePolicy;
import io.github.kueue4j.core.quota.Quota;
import org.junit.jupiter.api.Test;

/** KEP-1714: shares in thousandths of what the cohort can lend, here 10 CPUs. */
class FairSharingPreemptionTest {
  private static final FairSharingStrategy FINAL =
      FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE;
  private static final FairSharingStrategy INITIAL = FairSharingStrategy.LESS_THAN_INITIAL_SHARE;
  private static final ClusterQueuePreemption ANY =
      Field.reclaim(ReclaimPolicy.ANY, WithinClusterQueuePolicy.LOWER_PRIORITY);

  private static Field threeQueues() {
    return new Field()
        .cohort("co", null, 10)
        .queue("a", "co", 0)
        .queue("b", "co", 0)
        .queue("c", "co", 0);
  }

  @Test
  void takesFromTheLargestShareUntilSharesAreEqual() {
    Field field =
        threeQueues()
            .holds("b", "b1", 9, 2)
            .holds("b", "b2", 9, 2)
            .holds("b", "b3", 9, 2)
            .holds("c", "c1", 0, 4);
    // a would have 2, b keeps 4.
    assertThat(field.preempts(PreemptionSettings.fairSharing(FINAL), ANY, "a", 0, 2))
        .containsExactly("b3:InCohortFairSharing");
    // a would have 5; b has 6 and keeps 4 without b3.
    assertThat(field.preempts(PreemptionSettings.fairSharing(FINAL), ANY, "a", 0, 5)).isEmpty();
    assertThat(field.preempts(PreemptionSettings.fairSharing(INITIAL), ANY, "a", 0, 2))
        .containsExactly("b3:InCohortFairSharing");
  }

  /**
   * The other queue's share is larger than the preemptor's before the preemption, but smaller after
   * it.
   */
  @Test
  void theSecondStrategyAppliesToWhatTheFirstRefused() {
    Field field = threeQueues().holds("b", "large", 9, 10);
    assertThat(field.preempts(PreemptionSettings.fairSharing(FINAL), ANY, "a", 0, 4)).isEmpty();
    assertThat(field.preempts(PreemptionSettings.fairSharing(FINAL, INITIAL), ANY, "a", 0, 4))
        .containsExactly("large:InCohortFairSharing");
    assertThat(field.preempts(PreemptionSettings.fairSharing(FINAL, INITIAL), ANY, "a", 0, 10))
        .isEmpty();
  }

  @Test
  void aLargerWeightMakesTheShareSmaller() {
    Field field =
        new Field()
            .cohort("co", null, 10)
            .queue("a", "co", new Quota(0, null, null), 2)
            .queue("b", "co", 0)
            .holds("a", "a1", 0, 4)
            .holds("b", "b1", 0, 3)
            .holds("b", "b2", 0, 3);
    // a: 6 / 2 = 3, b keeps 3.
    assertThat(field.preempts(PreemptionSettings.fairSharing(FINAL), ANY, "a", 0, 2))
        .containsExactly("b2:InCohortFairSharing");
    assertThat(field.preempts(PreemptionSettings.fairSharing(FINAL), ANY, "a", 0, 3)).isEmpty();
  }

  @Test
  void aQueueOfWeightZeroIsPreemptedByAllOthers() {
    Field field =
        new Field()
            .cohort("co", null, 10)
            .queue("a", "co", 0)
            .queue("b", "co", new Quota(0, null, null), 0)
            .queue("c", "co", 0)
            .holds("b", "b1", 9, 1)
            .holds("b", "b2", 9, 1)
            .holds("c", "c1", 0, 8);
    assertThat(field.preempts(PreemptionSettings.fairSharing(FINAL), ANY, "a", 0, 1))
        .containsExactly("b2:InCohortFairSharing");
    // And may not preempt any of them.
    assertThat(field.preempts(PreemptionSettings.fairSharing(FINAL), ANY, "b", 0, 1)).isEmpty();
  }

  @Test
  void nominalQuotaIsReclaimedWhateverTheShares() {
    Field field =
        new Field()
            .queue("a", "co", 4)
            .queue("b", "co", 6)
            .queue("c", "co", 0)
            .holds("b", "b1", 0, 8)
            .holds("c", "c1", 0, 2);
    assertThat(field.preempts(PreemptionSettings.fairSharing(FINAL), ANY, "a", 0, 2))
        .containsExactly("c1:InCohortReclamation");
  }

  @Test
  void theOwnQueueMayBePreemptedWhateverTheShares() {
    Field field =
        threeQueues().holds("a", "own", 0, 5).holds("b", "b1", 0, 2).holds("c", "c1", 0, 3);
    assertThat(field.preempts(PreemptionSettings.fairSharing(FINAL), ANY, "a", 5, 5))
        .containsExactly("own:InClusterQueue");
    assertThat(field.preempts(PreemptionSettings.fairSharing(FINAL), ANY, "a", 0, 5)).isEmpty();
  }

  /**
   * Shares are compared below the lowest common ancestor: those of the Cohorts, not of their
   * queues.
   */
  @Test
  void sharesAreComparedBelowTheCommonAncestor() {
    Field field =
        new Field()
            .cohort("root", null, 12)
            .cohort("many", "root", 0)
            .cohort("one", "root", 0)
            .queue("m1", "many", 0)
            .queue("m2", "many", 0)
            .queue("m3", "many", 0)
            .queue("a", "one", 0)
            .holds("m1", "w1", 0, 3)
            .holds("m2", "w2", 0, 3)
            .holds("m3", "w3", 0, 3)
            .holds("a", "w4", 0, 3);
    // Queue against queue it would be 5 to 1; cohort against cohort it is 5 to 6.
    assertThat(field.preempts(PreemptionSettings.fairSharing(FINAL), ANY, "a", 0, 2))
        .hasSize(1)
        .allMatch(target -> target.endsWith(":InCohortFairSharing"));
    assertThat(field.preempts(PreemptionSettings.fairSharing(FINAL), ANY, "a", 0, 4)).isEmpty();
  }

  @Test
  void aQueueThatDoesNotBorrowIsNotPreempted() {
    Field field = new Field().queue("a", "co", 0).queue("b", "co", 10).holds("b", "b1", 0, 10);
    assertThat(field.preempts(PreemptionSettings.fairSharing(FINAL, INITIAL), ANY, "a", 9, 1))
        .isEmpty();
  }
}
