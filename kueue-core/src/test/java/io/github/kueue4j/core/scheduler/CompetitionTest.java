// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scheduler;

import static io.github.kueue4j.jobs.testing.FromYaml.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.core.preemption.Candidate;
import io.github.kueue4j.core.preemption.FairSharingStrategy;
import io.github.kueue4j.core.preemption.PreemptionCandidates;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.queue.PodSetDemands;
import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.quota.QueueQuotas;
import io.github.kueue4j.core.quota.QuotaTree;
import io.github.kueue4j.core.testing.Candidates;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The decisions of a cycle when the heads of one cohort compete. */
class CompetitionTest {
  private static final FlavorResource CPU = new FlavorResource("default", "cpu");
  private static final String RECLAIM = "preemption: {reclaimWithinCohort: Any}";

  private final Map<String, ClusterQueueSpec> specs = new HashMap<>();
  private final Map<String, List<Candidate>> holders = new HashMap<>();
  private final List<SchedulingCycle.Head> heads = new ArrayList<>();
  private PreemptionSettings settings = PreemptionSettings.classical();

  @Test
  void aHeadThatNeedNotBorrowComesFirst() {
    queue("a", 1, "");
    queue("b", 3, "");
    head("a", "borrower", 9, 2);
    head("b", "owner", 0, 3);

    assertThat(decisions()).containsExactly("owner reserves", "borrower skipped TAKEN again");
  }

  @Test
  void withEqualBorrowingThePriorityAndThenTheAgeDecide() {
    queue("a", 0, "");
    queue("b", 0, "");
    queue("c", 2, "");
    head("a", "ordinary", 0, 2);
    head("b", "urgent", 1, 2);

    assertThat(decisions()).containsExactly("urgent reserves", "ordinary skipped TAKEN again");
  }

  /**
   * Quota is kept for a borrower only after heads that needn't borrow, which would starve
   * otherwise.
   */
  @Test
  void quotaKeptForABorrowerIsNotTakenFromItsOwners() {
    queue(
        "a",
        0,
        "preemption: {reclaimWithinCohort: LowerPriority, borrowWithinCohort: {policy:"
            + " LowerPriority}}");
    queue("b", 2, "");
    queue("c", 2, "");
    holds("c", "busy", 2);
    head("a", "borrower", 9, 3);
    head("b", "owner", 0, 2);

    assertThat(decisions()).containsExactly("owner reserves", "borrower refused WaitingForQuota");
  }

  /**
   * The next Workload of a queue that may reclaim its quota comes in the next cycle, and would
   * evict the borrower at once.
   */
  @Test
  void whileAQueueThatMayReclaimHasMoreToTryNobodyBorrows() {
    queue("a", 4, RECLAIM);
    queue("b", 0, "");
    head("b", "borrower", 9, 1);
    head("a", "owner", 0, 1);
    followed("owner");

    assertThat(decisions())
        .containsExactly("owner reserves", "borrower skipped AFTER_OWNERS again");
  }

  @Test
  void othersBorrowBesideTheLastWorkloadOfAQueueOrOneThatMayNotReclaim() {
    queue("a", 4, RECLAIM);
    queue("b", 0, "");
    queue("c", 4, "");
    head("a", "last", 0, 1);
    head("b", "borrower", 9, 1);
    head("c", "never reclaims", 0, 1);
    followed("never reclaims");

    assertThat(decisions())
        .containsExactly("last reserves", "never reclaims reserves", "borrower reserves");
  }

  /** No other Workload passes those that waited to borrow in an earlier cycle. */
  @Test
  void whoWouldBorrowWaitsWithThoseThatWaitAlready() {
    queue(
        "a",
        0,
        "preemption: {reclaimWithinCohort: Any, borrowWithinCohort: {policy: LowerPriority}}");
    queue("b", 0, "");
    queue("lender", 6, "");
    holds("b", "victim", 4);
    head("b", "borrower", 0, 1);
    head("a", "preemptor", 9, 4);
    head("lender", "waited for", 0, 1);
    heads.set(2, heads.get(2).preempting(true));
    NodeId root = snapshot().quota().rootOf("a");

    assertThat(decisions(Set.of(root)))
        .as("what others were evicted for is its own")
        .containsExactly(
            "waited for reserves",
            "preemptor skipped AFTER_OWNERS as preemptor again",
            "borrower skipped AFTER_OWNERS again");
  }

  @Test
  void quotaThatAPreemptorWaitsForIsNotGivenToOthers() {
    queue("a", 4, RECLAIM);
    queue("b", 0, "");
    queue("c", 0, "");
    holds("b", "borrower", 2);
    head("a", "owner", 0, 4);
    head("c", "other", 9, 2);

    // Two CPUs are free now, but the owner needs them once the borrower has stopped.
    assertThat(decisions()).containsExactly("owner preempts [borrower]", "other skipped TAKEN");
  }

  /** A Workload whose preemptions are suspended waits for free quota, and the message says why. */
  @Test
  void aHeadWithSuspendedPreemptionGetsOnlyFreeQuota() {
    queue("a", 4, RECLAIM + ", queueingStrategy: StrictFIFO");
    queue("b", 0, "");
    holds("b", "borrower", 2);
    head("a", "owner", 0, 4);
    heads.replaceAll(head -> new SchedulingCycle.Head("a", head.workload().withoutPreemption()));

    assertThat(decisions()).containsExactly("owner refused WaitingForQuota");

    assertThat(SchedulingCycle.run(snapshot(), heads))
        .singleElement()
        .isInstanceOfSatisfying(
            Decision.Inadmissible.class,
            refused -> {
              assertThat(refused.message())
                  .endsWith("since it was evicted itself after each of them");
              assertThat(refused.blocking()).as("in a StrictFIFO queue").isFalse();
            });

    heads.clear();
    head("a", "smaller", 0, 2);
    heads.replaceAll(head -> new SchedulingCycle.Head("a", head.workload().withoutPreemption()));

    assertThat(decisions()).containsExactly("smaller reserves");
  }

  @Test
  void aVictimIsPreemptedForOneHeadOnly() {
    queue("a", 2, RECLAIM);
    queue("b", 2, RECLAIM);
    queue("c", 0, "");
    holds("c", "large", 4);
    head("a", "first", 5, 2);
    head("b", "second", 0, 2);

    assertThat(decisions())
        .containsExactly("first preempts [large]", "second skipped FITS_AFTER_OTHERS as preemptor");
  }

  @Test
  void aHeadWhoseTargetsAreTakenGetsOthers() {
    queue("a", 2, RECLAIM);
    queue("b", 2, RECLAIM);
    queue("c", 0, "");
    holds("c", "older", 2);
    holds("c", "younger", 2);
    head("a", "first", 5, 2);
    head("b", "second", 0, 2);

    assertThat(decisions())
        .containsExactly("first preempts [younger]", "second preempts [older] instead");
  }

  /**
   * The queue may not reclaim quota, so others must not borrow the quota that its head waits for.
   */
  @Test
  void quotaIsKeptForAHeadThatMayNotReclaim() {
    queue("a", 3, "queueingStrategy: StrictFIFO");
    queue("b", 0, "");
    holds("a", "running", 1);
    holds("b", "borrower", 1);
    head("a", "waiting", 0, 2);
    head("b", "more", 9, 1);

    assertThat(decisions())
        .containsExactly("waiting refused WaitingForQuota", "more skipped TAKEN");
  }

  @Test
  void aHeadThatBorrowsKeepsQuotaWithinItsBorrowingLimit() {
    queue("lender", 3, "");
    queue("c", 0, "");
    holds("a", "running", 1);
    head("a", "waiting", 9, 2);
    head("c", "other", 0, 1);

    quotas(
        "a",
        "nominalQuota: 0, borrowingLimit: 2",
        "preemption: {reclaimWithinCohort: LowerPriority, borrowWithinCohort: {policy:"
            + " LowerPriority}}");
    assertThat(decisions()).containsExactly("waiting refused WaitingForQuota", "other reserves");

    quotas("lender", "nominalQuota: 2", "");
    assertThat(decisions())
        .containsExactly("waiting refused WaitingForQuota", "other skipped TAKEN");
  }

  @Test
  void othersMayBorrowFromAHeadThatMayReclaim() {
    queue("a", 3, "queueingStrategy: StrictFIFO, " + RECLAIM);
    queue("b", 0, "");
    holds("a", "running", 1);
    holds("b", "borrower", 1);
    head("a", "waiting", 0, 3);
    head("b", "more", 9, 1);

    assertThat(decisions()).containsExactly("waiting refused WaitingForQuota", "more reserves");
  }

  @Test
  void underFairSharingTheSmallerShareGoesFirst() {
    settings =
        PreemptionSettings.fairSharing(FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE);
    queue("a", 0, "");
    queue("b", 0, "");
    queue("lender", 10, "");
    holds("a", "a1", 4);
    holds("b", "b1", 2);
    head("a", "rich", 9, 1);
    head("b", "poor", 0, 2);

    assertThat(decisions()).containsExactly("poor reserves", "rich reserves");
  }

  @Test
  void underFairSharingAHeadThatNeedNotBorrowComesBeforeSmallerShares() {
    settings =
        PreemptionSettings.fairSharing(FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE);
    queue("a", 2, "");
    queue("b", 0, "");
    queue("lender", 2, "");
    head("a", "own", 0, 2);
    head("b", "borrows", 9, 1);

    assertThat(decisions()).containsExactly("own reserves", "borrows reserves");
  }

  private List<String> decisions() {
    return decisions(Set.of());
  }

  private List<String> decisions(Set<NodeId> ownersFirst) {
    return SchedulingCycle.run(snapshot(), heads, ownersFirst).stream()
        .map(CompetitionTest::describe)
        .toList();
  }

  private Snapshot snapshot() {
    QuotaTree tree =
        QuotaTree.of(
            List.of(),
            specs.entrySet().stream()
                .map(queue -> QueueQuotas.of(queue.getKey(), queue.getValue()))
                .toList());
    for (List<Candidate> of : holders.values()) {
      for (Candidate holder : of) {
        tree = tree.reserve(holder.clusterQueue(), holder.usage());
      }
    }
    Map<String, Snapshot.Queue> queues = new HashMap<>();
    specs.forEach((name, spec) -> queues.put(name, new Snapshot.Queue(spec, Set.of())));
    return Snapshots.of(
        queues,
        tree,
        Map.of("default", read(ResourceFlavor.class, "{metadata: {name: default}}")),
        Map.of("team", Map.of()),
        new PreemptionCandidates(
            of -> holders.getOrDefault(of, List.of()), settings, localQueue -> 0));
  }

  private static String describe(Decision decision) {
    String name = decision.workload().key().name();
    return switch (decision) {
      case Decision.ReserveQuota reserveQuota -> name + " reserves";
      case Decision.Preempt preempt ->
          name
              + " preempts "
              + preempt.targets().stream().map(target -> target.candidate().key().name()).toList()
              + (preempt.recomputed() ? " instead" : "");
      case Decision.Skipped skipped ->
          name
              + " skipped "
              + skipped.why()
              + (skipped.preemptor() ? " as preemptor" : "")
              + (skipped.again() ? " again" : "");
      case Decision.Inadmissible refused -> name + " refused " + refused.reason();
    };
  }

  private void queue(String name, int cpus, String more) {
    quotas(name, "nominalQuota: " + cpus, more);
  }

  private void quotas(String name, String cpu, String more) {
    specs.put(
        name,
        read(
            ClusterQueueSpec.class,
            """
            {cohortName: co, namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu],
              flavors: [{name: default, resources: [{name: cpu, %s}]}]}]%s}
            """
                .formatted(cpu, more.isEmpty() ? "" : ", " + more)));
  }

  private void holds(String queue, String name, int cpus) {
    List<Candidate> of = holders.computeIfAbsent(queue, key -> new ArrayList<>());
    Instant since = Instant.ofEpochSecond(of.size());
    of.add(
        Candidates.of(new ObjectKey("team", name), queue, 0, since, Amounts.of(CPU, cpus * 1000L)));
  }

  private void followed(String name) {
    heads.replaceAll(
        head ->
            head.workload().key().name().equals(name)
                ? new SchedulingCycle.Head(head.clusterQueue(), head.workload(), false, true)
                : head);
  }

  private void head(String queue, String name, int priority, int cpus) {
    heads.add(
        new SchedulingCycle.Head(
            queue,
            QueuedWorkload.of(
                new ObjectKey("team", name),
                "uid-" + name,
                "lq",
                priority,
                Instant.ofEpochSecond(heads.size()),
                List.of(PodSetDemands.of("main", 1, Amounts.of("cpu", cpus * 1000L))))));
  }
}
