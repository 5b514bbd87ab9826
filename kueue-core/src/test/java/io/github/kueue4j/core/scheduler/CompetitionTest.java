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
package io.github.kueue4j.core.scheduler;

import static io.github.kueue4j.core.testing.FromYaml.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.core.preemption.Candidate;
import io.github.kueue4j.core.preemption.FairSharingStrategy;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.preemption.Rivals;
import io.github.kueue4j.core.queue.NodeConstraints;
import io.github.kueue4j.core.queue.PodSetDemand;
import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.QueueQuotas;
import io.github.kueue4j.core.quota.QuotaTree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who gets what when the heads of one cohort compete. */
class CompetitionTest {
  private static final FlavorResource CPU = new FlavorResource("default", "cpu");
  private static final String RECLAIM = "preemption: {reclaimWithinCohort: Any}";

  private final Map<String, ClusterQueueSpec> specs = new HashMap<>();
  private final Map<String, List<Candidate>> holders = new HashMap<>();
  private final List<SchedulingCycle.Head> heads = new ArrayList<>();
  private PreemptionSettings settings = PreemptionSettings.classical();

  @Test
  void whoNeedNotBorrowGoesFirst() {
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

  /** It keeps what it can't get, but after those who need not borrow: they would starve. */
  @Test
  void whatIsKeptForABorrowerIsNotTakenFromThoseWhoseQuotaItIs() {
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

  @Test
  void nobodyTakesWhatAPreemptorWaitsFor() {
    queue("a", 4, RECLAIM);
    queue("b", 0, "");
    queue("c", 0, "");
    holds("b", "borrower", 2);
    head("a", "owner", 0, 4);
    head("c", "other", 9, 2);

    // Two are free now, but they are for the owner once the borrower has gone.
    assertThat(decisions()).containsExactly("owner preempts [borrower]", "other skipped TAKEN");
  }

  /**
   * Its share of evictions is used up for now: it waits, with the reason, for quota that is free.
   */
  @Test
  void whoWentInCirclesTakesOnlyWhatIsFree() {
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
              assertThat(refused.message()).endsWith("evicted itself whenever it had done so");
              assertThat(refused.blocking()).as("in a StrictFIFO queue").isFalse();
            });

    heads.clear();
    head("a", "smaller", 0, 2);
    heads.replaceAll(head -> new SchedulingCycle.Head("a", head.workload().withoutPreemption()));

    assertThat(decisions()).containsExactly("smaller reserves");
  }

  @Test
  void noVictimGivesWayTwice() {
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
  void whoFindsItsTargetsTakenLooksForOthers() {
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

  /** It could not take it back: nobody borrows what it is waiting for. */
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
  void whoMayReclaimLetsOthersBorrowMeanwhile() {
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
  void underFairSharingWhoNeedNotBorrowGoesBeforeSmallerShares() {
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
    return SchedulingCycle.run(snapshot(), heads).stream().map(CompetitionTest::words).toList();
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
    specs.forEach((name, spec) -> queues.put(name, new Snapshot.Queue(spec)));
    return new Snapshot(
        queues,
        tree,
        Map.of("default", read(ResourceFlavor.class, "{metadata: {name: default}}")),
        Map.of("team", Map.of()),
        new Rivals(of -> holders.getOrDefault(of, List.of()), settings, localQueue -> 0));
  }

  private static String words(Decision decision) {
    String name = decision.workload().key().name();
    return switch (decision) {
      case Decision.Reserve reserve -> name + " reserves";
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
    specs.put(
        name,
        read(
            ClusterQueueSpec.class,
            """
            {cohortName: co, namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu],
              flavors: [{name: default, resources: [{name: cpu, nominalQuota: %d}]}]}]%s}
            """
                .formatted(cpus, more.isEmpty() ? "" : ", " + more)));
  }

  private void holds(String queue, String name, int cpus) {
    List<Candidate> of = holders.computeIfAbsent(queue, key -> new ArrayList<>());
    Instant since = Instant.ofEpochSecond(of.size());
    of.add(
        new Candidate(
            new ObjectKey("team", name),
            name,
            queue,
            new ObjectKey("team", "lq"),
            0,
            since,
            since,
            Amounts.of(CPU, cpus * 1000L),
            false));
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
                List.of(
                    new PodSetDemand(
                        "main", 1, Amounts.of("cpu", cpus * 1000L), NodeConstraints.none())))));
  }
}
