// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ClusterQueuePreemption;
import io.github.kueue4j.api.ReclaimPolicy;
import io.github.kueue4j.api.WithinClusterQueuePolicy;
import io.github.kueue4j.core.quota.Quota;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClassicalPreemptionTest {
  private static List<String> preempts(
      Field field, ClusterQueuePreemption policy, String queue, int priority, long cpus) {
    return field.preempts(PreemptionSettings.classical(), policy, queue, priority, cpus);
  }

  // One ClusterQueue.

  @Test
  void policiesLimitTheCandidates() {
    Field field =
        new Field()
            .queue("a", null, 3)
            .holds("a", "low", 1, 1)
            .holds("a", "equal", 5, 1)
            .holds("a", "high", 9, 1);
    assertThat(preempts(field, Field.within(WithinClusterQueuePolicy.NEVER), "a", 5, 1)).isEmpty();
    assertThat(preempts(field, Field.within(WithinClusterQueuePolicy.LOWER_PRIORITY), "a", 5, 1))
        .containsExactly("low:InClusterQueue");
    assertThat(preempts(field, Field.within(WithinClusterQueuePolicy.LOWER_PRIORITY), "a", 5, 2))
        .isEmpty();
    assertThat(
            preempts(
                field,
                Field.within(WithinClusterQueuePolicy.LOWER_OR_NEWER_EQUAL_PRIORITY),
                "a",
                5,
                2))
        .containsExactly("low:InClusterQueue", "equal:InClusterQueue");
    assertThat(
            preempts(
                field,
                Field.within(WithinClusterQueuePolicy.LOWER_OR_NEWER_EQUAL_PRIORITY),
                "a",
                5,
                3))
        .isEmpty();
  }

  @Test
  void targetsThatAreNotNeededAreRemoved() {
    Field field =
        new Field()
            .queue("a", null, 6)
            .holds("a", "big", 3, 4)
            .holds("a", "small", 2, 1)
            .holds("a", "tiny", 1, 1);
    assertThat(preempts(field, Field.within(WithinClusterQueuePolicy.LOWER_PRIORITY), "a", 5, 4))
        .containsExactly("big:InClusterQueue");
    assertThat(preempts(field, Field.within(WithinClusterQueuePolicy.LOWER_PRIORITY), "a", 5, 5))
        .containsExactly("tiny:InClusterQueue", "big:InClusterQueue");
  }

  @Test
  void evictedCandidatesComeFirst() {
    Field field =
        new Field().queue("a", null, 2).holds("a", "lowest", 0, 1).evicted("a", "leaving", 4, 1);
    assertThat(preempts(field, Field.within(WithinClusterQueuePolicy.LOWER_PRIORITY), "a", 5, 1))
        .containsExactly("leaving:InClusterQueue");
  }

  // Cohorts.

  @Test
  void reclaimsOnlyFromQueuesThatBorrow() {
    Field field =
        new Field()
            .queue("a", "co", 4)
            .queue("b", "co", 2)
            .queue("c", "co", 2)
            .holds("b", "b1", 9, 2)
            .holds("b", "b2", 9, 2)
            .holds("b", "b3", 8, 2)
            .holds("c", "c1", 0, 2);
    assertThat(preempts(field, Field.reclaim(ReclaimPolicy.NEVER), "a", 0, 2)).isEmpty();
    assertThat(preempts(field, Field.reclaim(ReclaimPolicy.LOWER_PRIORITY), "a", 0, 2)).isEmpty();
    assertThat(preempts(field, Field.reclaim(ReclaimPolicy.ANY), "a", 0, 2))
        .containsExactly("b3:InCohortReclamation");
    // c1 has the lowest priority, but c doesn't borrow.
    assertThat(preempts(field, Field.reclaim(ReclaimPolicy.ANY), "a", 0, 4))
        .containsExactly("b3:InCohortReclamation", "b2:InCohortReclamation");
    assertThat(preempts(field, Field.reclaim(ReclaimPolicy.ANY), "a", 0, 5)).isEmpty();
  }

  @Test
  void aBorrowerPreemptsOnlyWithBorrowWithinCohort() {
    Field field =
        new Field()
            .queue("a", "co", 1)
            .queue("b", "co", 1)
            .queue("c", "co", 2)
            .holds("b", "low", 1, 1)
            .holds("b", "mid", 5, 2)
            .holds("b", "high", 9, 1);
    assertThat(preempts(field, Field.reclaim(ReclaimPolicy.ANY), "a", 7, 2)).isEmpty();
    assertThat(preempts(field, Field.borrow(null), "a", 7, 2))
        .containsExactly("mid:InCohortReclaimWhileBorrowing");
    assertThat(preempts(field, Field.borrow(4), "a", 7, 2)).isEmpty();
    assertThat(preempts(field, Field.borrow(4), "a", 7, 1))
        .containsExactly("low:InCohortReclamation");
  }

  @Test
  void candidatesOfOtherQueuesComeBeforeTheOwnQueues() {
    Field field =
        new Field()
            .queue("a", "co", 3)
            .queue("b", "co", 0)
            .holds("a", "own", 0, 1)
            .holds("a", "precious", 9, 1)
            .holds("b", "borrower", 8, 1);
    ClusterQueuePreemption policy =
        Field.reclaim(ReclaimPolicy.ANY, WithinClusterQueuePolicy.LOWER_PRIORITY);
    assertThat(preempts(field, policy, "a", 5, 1)).containsExactly("borrower:InCohortReclamation");
    assertThat(preempts(field, policy, "a", 5, 2))
        .containsExactly("borrower:InCohortReclamation", "own:InClusterQueue");
  }

  /** Quota of a subtree is reclaimed from queues outside it, whatever the priorities. */
  @Test
  void aSubtreeWithEnoughQuotaReclaimsWhateverThePriorities() {
    Field field =
        new Field()
            .cohort("root", null, 0)
            .cohort("left", "root", 4)
            .cohort("right", "root", 0)
            .queue("a", "left", 0)
            .queue("sister", "left", 0)
            .queue("far", "right", 0)
            .holds("sister", "near", 0, 2)
            .holds("far", "outside", 9, 2);
    assertThat(preempts(field, Field.reclaim(ReclaimPolicy.ANY), "a", 5, 2))
        .containsExactly("outside:InCohortReclamation");
    // Together with the usage of its sister it would exceed the subtree's quota.
    assertThat(preempts(field, Field.reclaim(ReclaimPolicy.ANY), "a", 5, 3)).isEmpty();
    assertThat(preempts(field, Field.borrow(null), "a", 5, 2))
        .containsExactly("outside:InCohortReclamation");
  }

  @Test
  void aSubtreeWithinItsQuotaHasNoCandidates() {
    Field field =
        new Field()
            .cohort("root", null, 0)
            .cohort("right", "root", 2)
            .queue("a", "root", 2)
            .queue("b", "right", 0)
            .queue("c", "root", 0)
            .holds("b", "borrowsFromItsCohort", 0, 2)
            .holds("c", "borrower", 9, 2);
    assertThat(preempts(field, Field.reclaim(ReclaimPolicy.ANY), "a", 0, 2))
        .containsExactly("borrower:InCohortReclamation");
  }

  @Test
  void stopsAtAQueueThatNoLongerBorrows() {
    Field field =
        new Field()
            .queue("a", "co", 3)
            .queue("b", "co", 2)
            .queue("c", "co", 0)
            .holds("b", "b1", 0, 2)
            .holds("b", "b2", 0, 1)
            .holds("c", "c1", 5, 2);
    // b2 and b1 are first in the order, but without b2 the queue b no longer borrows.
    assertThat(preempts(field, Field.reclaim(ReclaimPolicy.ANY), "a", 9, 3))
        .containsExactly("b2:InCohortReclamation", "c1:InCohortReclamation");
  }

  @Test
  void quotaBeyondTheLendingLimitIsNotReclaimed() {
    Field field =
        new Field()
            .queue("a", "co", new Quota(1, null, null), 1)
            .queue("b", "co", new Quota(4, null, 1L), 1)
            .holds("b", "b1", 0, 3)
            .holds("b", "b2", 0, 1);
    assertThat(preempts(field, Field.reclaim(ReclaimPolicy.ANY), "a", 9, 2)).isEmpty();
  }
}
