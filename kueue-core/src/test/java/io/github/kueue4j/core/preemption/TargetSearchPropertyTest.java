// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.BorrowWithinCohort;
import io.github.kueue4j.api.BorrowWithinCohortPolicy;
import io.github.kueue4j.api.ClusterQueuePreemption;
import io.github.kueue4j.api.ReclaimPolicy;
import io.github.kueue4j.api.WithinClusterQueuePolicy;
import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.quota.Quota;
import io.github.kueue4j.core.quota.QuotaTree;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** Properties of every set of targets, with and without fair sharing. */
class TargetSearchPropertyTest {
  private static final List<String> QUEUES = List.of("q0", "q1", "q2", "q3");

  record Holder(String queue, int priority, int cpus, boolean evicted) {}

  record QuotaOf(int nominal, @Nullable Long borrowing, @Nullable Long lending, int weight) {}

  record Incoming(String queue, int priority, int cpus) {}

  @Property
  void aSetFreesEnoughQuotaAndEveryTargetIsNeeded(
      @ForAll("quotas") List<QuotaOf> quotas,
      @ForAll("holders") List<Holder> holders,
      @ForAll("policies") ClusterQueuePreemption policy,
      @ForAll("settings") PreemptionSettings settings,
      @ForAll("incoming") Incoming incoming) {
    Field field = new Field().cohort("root", null, 1).cohort("inner", "root", 2);
    for (int i = 0; i < QUEUES.size(); i++) {
      QuotaOf quota = quotas.get(i);
      field.queue(
          QUEUES.get(i),
          i < 2 ? "root" : "inner",
          new Quota(quota.nominal(), quota.borrowing(), quota.lending()),
          quota.weight());
    }
    for (int i = 0; i < holders.size(); i++) {
      Holder holder = holders.get(i);
      if (holder.evicted()) {
        field.evicted(holder.queue(), "w" + i, holder.priority(), holder.cpus());
      } else {
        field.holds(holder.queue(), "w" + i, holder.priority(), holder.cpus());
      }
    }
    Preemptor preemptor = Field.preemptor(incoming.queue(), incoming.priority(), incoming.cpus());
    QuotaTree tree = field.tree();
    if (tree.fits(preemptor.clusterQueue(), preemptor.usage())) {
      return;
    }

    List<Target> targets = field.search(settings).targets(preemptor, policy);

    if (targets.isEmpty()) {
      return;
    }
    assertThat(targets).extracting(Target::candidate).doesNotHaveDuplicates();
    PreemptionSimulation preemptionSimulation = new PreemptionSimulation(tree, preemptor);
    targets.forEach(target -> preemptionSimulation.without(target.candidate()));
    assertThat(preemptionSimulation.fits()).as("the preemptor fits").isTrue();
    assertThat(
            everyTargetIsNeeded(preemptionSimulation, targets, false)
                || everyTargetIsNeeded(preemptionSimulation, targets, true))
        .as("every target is needed")
        .isTrue();
    for (Target target : targets) {
      Candidate victim = target.candidate();
      if (victim.clusterQueue().equals(preemptor.clusterQueue())) {
        assertThat(target.reason()).isEqualTo(PreemptionReason.IN_CLUSTER_QUEUE);
        assertThat(new Policies(policy, preemptor).withinClusterQueue(victim)).isTrue();
      } else {
        assertThat(new Policies(policy, preemptor).withinCohort(victim)).isTrue();
        assertThat(tree.borrowing(NodeId.queue(victim.clusterQueue()), Field.CPU))
            .as("%s borrows", victim.clusterQueue())
            .isTrue();
      }
    }
  }

  private static boolean everyTargetIsNeeded(
      PreemptionSimulation preemptionSimulation, List<Target> targets, boolean withinNominal) {
    for (Target target : targets) {
      preemptionSimulation.with(target.candidate());
      boolean fits =
          withinNominal ? preemptionSimulation.fitsWithinNominal() : preemptionSimulation.fits();
      preemptionSimulation.without(target.candidate());
      if (fits) {
        return false;
      }
    }
    return true;
  }

  @Provide
  Arbitrary<List<QuotaOf>> quotas() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 6),
            Arbitraries.longs().between(0, 6).injectNull(0.6),
            Arbitraries.longs().between(0, 4).injectNull(0.6),
            Arbitraries.integers().between(0, 3))
        .as(QuotaOf::new)
        .list()
        .ofSize(QUEUES.size());
  }

  @Provide
  Arbitrary<List<Holder>> holders() {
    return Combinators.combine(
            Arbitraries.of(QUEUES),
            Arbitraries.integers().between(0, 3),
            Arbitraries.integers().between(1, 4),
            Arbitraries.of(false, false, false, true))
        .as(Holder::new)
        .list()
        .ofMaxSize(12);
  }

  @Provide
  Arbitrary<Incoming> incoming() {
    return Combinators.combine(
            Arbitraries.of(QUEUES),
            Arbitraries.integers().between(0, 4),
            Arbitraries.integers().between(1, 8))
        .as(Incoming::new);
  }

  @Provide
  Arbitrary<ClusterQueuePreemption> policies() {
    return Combinators.combine(
            Arbitraries.of(
                WithinClusterQueuePolicy.NEVER,
                WithinClusterQueuePolicy.LOWER_PRIORITY,
                WithinClusterQueuePolicy.LOWER_OR_NEWER_EQUAL_PRIORITY),
            Arbitraries.of(ReclaimPolicy.NEVER, ReclaimPolicy.LOWER_PRIORITY, ReclaimPolicy.ANY),
            Arbitraries.of(
                BorrowWithinCohort.never(),
                new BorrowWithinCohort(BorrowWithinCohortPolicy.LOWER_PRIORITY, null),
                new BorrowWithinCohort(BorrowWithinCohortPolicy.LOWER_PRIORITY, 1)))
        .as((within, reclaim, borrow) -> new ClusterQueuePreemption(reclaim, borrow, within));
  }

  @Provide
  Arbitrary<PreemptionSettings> settings() {
    return Arbitraries.of(
        PreemptionSettings.classical(),
        PreemptionSettings.fairSharing(FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE),
        PreemptionSettings.fairSharing(FairSharingStrategy.LESS_THAN_INITIAL_SHARE),
        PreemptionSettings.fairSharing(
            FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE,
            FairSharingStrategy.LESS_THAN_INITIAL_SHARE));
  }
}
