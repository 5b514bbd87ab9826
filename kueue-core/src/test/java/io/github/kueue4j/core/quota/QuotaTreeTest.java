// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.quota;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A tree computed by hand: company(10) over research(0) over alpha(10), beta(30); sales(50). */
class QuotaTreeTest {
  private static final FlavorResource CPU = new FlavorResource("default", "cpu");
  private static final FlavorResource GPU = new FlavorResource("default", "gpu");
  private static final NodeId RESEARCH = NodeId.cohort("research");
  private static final NodeId COMPANY = NodeId.cohort("company");

  private static final QuotaTree TREE =
      QuotaTree.of(
          List.of(
              new CohortQuotas("company", null, cpu(10), 1),
              new CohortQuotas("research", "company", Map.of(), 2)),
          List.of(
              new QueueQuotas("alpha", "research", cpu(10), 1),
              new QueueQuotas("beta", "research", cpu(30), 0),
              new QueueQuotas("sales", "company", cpu(50), 1),
              new QueueQuotas("alone", null, cpu(5), 1)));

  private static Map<FlavorResource, Quota> cpu(long nominal) {
    return Map.of(CPU, new Quota(nominal, null, null));
  }

  private static Amounts<FlavorResource> cpus(long amount) {
    return Amounts.of(CPU, amount);
  }

  @Test
  void nodesAreFoundByName() {
    assertThat(TREE.ancestors("alpha")).containsExactly(RESEARCH, COMPANY);
    assertThat(TREE.rootOf("alpha")).isEqualTo(COMPANY);
    assertThat(TREE.rootOf("alone")).isEqualTo(NodeId.queue("alone"));
    assertThat(TREE.rootOf("unknown")).isEqualTo(NodeId.queue("unknown"));
    assertThat(TREE.children(COMPANY)).containsExactly(RESEARCH, NodeId.queue("sales"));
    assertThat(TREE.queuesUnder(COMPANY)).containsExactlyInAnyOrder("alpha", "beta", "sales");
    assertThat(TREE.queuesUnder(NodeId.queue("alone"))).containsExactly("alone");
    assertThat(TREE.parent(RESEARCH)).contains(COMPANY);
    assertThat(TREE.cohorts()).containsExactlyInAnyOrder("company", "research");
  }

  @Test
  void oneQueueCanUseTheWholeTree() {
    assertThat(TREE.potentialAvailable("alpha", CPU)).isEqualTo(100);
    assertThat(TREE.reserve("sales", cpus(55)).available("alpha", CPU)).isEqualTo(45);
    assertThat(TREE.fits("alpha", cpus(100))).isTrue();
    assertThat(TREE.fits("alpha", cpus(101))).isFalse();
    assertThat(TREE.fits("alone", cpus(6))).isFalse();
  }

  @Test
  void theBorrowLevelIsTheHeightOfTheSubtreeThatCovers() {
    assertThat(TREE.borrowLevel("alpha", CPU, 10)).isZero();
    assertThat(TREE.borrowLevel("alpha", CPU, 11)).isEqualTo(1);
    assertThat(TREE.borrowLevel("alpha", CPU, 40)).isEqualTo(1);
    assertThat(TREE.borrowLevel("alpha", CPU, 41)).isEqualTo(2);
    assertThat(TREE.fitsBelowRoot("alpha", CPU, 40)).isTrue();
    assertThat(TREE.fitsBelowRoot("alpha", CPU, 41)).isFalse();
    assertThat(TREE.fitsBelowRoot("alone", CPU, 1)).isFalse();
    assertThat(TREE.reserve("beta", cpus(25)).borrowLevel("alpha", CPU, 16)).isEqualTo(2);
  }

  @Test
  void theShareIsWhatIsBorrowedOfWhatCanBeLent() {
    QuotaTree tree = TREE.reserve("alpha", cpus(30)).reserve("beta", cpus(40));

    // 20 of the 100 that research can get; weight 1.
    assertThat(tree.dominantShare(NodeId.queue("alpha")))
        .isEqualTo(new DominantShare(200, 1, "cpu"));
    // research has 40 and uses 70: 30 of 100, weight 2.
    assertThat(tree.dominantShare(RESEARCH).weighted()).isEqualTo(150);
    assertThat(tree.dominantShare(COMPANY).borrows()).isFalse();
    assertThat(tree.dominantShare(NodeId.queue("sales"), cpus(51)).weighted()).isEqualTo(10);
    assertThat(tree.dominantShare(NodeId.queue("sales"), cpus(50)).borrows()).isFalse();
  }

  @Test
  void aBorrowingNodeOfWeightZeroComesLast() {
    QuotaTree tree = TREE.reserve("alpha", cpus(60)).reserve("beta", cpus(31));

    DominantShare beta = tree.dominantShare(NodeId.queue("beta"));
    assertThat(beta.weighted()).isInfinite();
    assertThat(beta.rounded()).isEqualTo(Long.MAX_VALUE);
    assertThat(beta).isGreaterThan(tree.dominantShare(NodeId.queue("alpha")));
    assertThat(TREE.dominantShare(NodeId.queue("beta")).weighted()).isZero();
  }

  @Test
  void theShareWithoutLendableQuotaIsLargeButFinite() {
    QuotaTree tree =
        QuotaTree.of(List.of(), List.of(new QueueQuotas("poor", "pool", Map.of(), 1)))
            .reserve("poor", cpus(7));

    assertThat(tree.dominantShare(NodeId.queue("poor")).rounded()).isEqualTo(7000);
  }

  @Test
  void cohortsInACycleAreDetached() {
    QuotaTree tree =
        QuotaTree.of(
            List.of(
                new CohortQuotas("egg", "hen", cpu(1), 1),
                new CohortQuotas("hen", "egg", cpu(1), 1),
                new CohortQuotas("chick", "egg", cpu(1), 1),
                new CohortQuotas("narcissus", "narcissus", Map.of(), 1)),
            List.of(
                new QueueQuotas("farm", "chick", cpu(1), 1),
                new QueueQuotas("well", "other", cpu(1), 1)));

    assertThat(tree.cycles()).containsExactly("egg", "hen", "narcissus");
    assertThat(tree.inCycle(NodeId.queue("farm"))).isTrue();
    assertThat(tree.inCycle(NodeId.cohort("chick"))).isTrue();
    assertThat(tree.inCycle(NodeId.queue("well"))).isFalse();
    assertThat(tree.available("farm", CPU)).isEqualTo(3);
  }

  @Test
  void aChainOfManyThousandCohortsIsSupported() {
    List<CohortQuotas> chain =
        java.util.stream.IntStream.range(0, 20_000)
            .mapToObj(number -> new CohortQuotas("c" + number, "c" + (number + 1), Map.of(), 1))
            .toList();
    QuotaTree tree =
        QuotaTree.of(chain, List.of(new QueueQuotas("deep", "c0", cpu(3), 1)))
            .reserve("deep", cpus(2));

    assertThat(tree.available("deep", CPU)).isEqualTo(1);
    assertThat(tree.ancestors("deep")).hasSize(20_001);
  }

  @Test
  void usageOfUnknownQueuesAndKeysIsKept() {
    QuotaTree tree = TREE.reserve("late", Amounts.of(GPU, 3));

    assertThat(tree.available("late", GPU)).isEqualTo(-3);
    assertThat(tree.exceeded("late")).isTrue();
    QuotaTree known =
        tree.withQuotas(
            List.of(),
            List.of(new QueueQuotas("late", "pool", Map.of(GPU, new Quota(4, null, null)), 1)));
    assertThat(known.available("late", GPU)).isEqualTo(1);
    assertThat(known.usage("late")).isEqualTo(Amounts.of(GPU, 3));
  }
}
