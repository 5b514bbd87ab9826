// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import static io.github.kueue4j.core.testing.TeamState.NOW;
import static io.github.kueue4j.core.testing.TeamState.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.testing.TeamState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The order in which Workloads get quota where a Cohort is the admission scope (KEP-4136, third
 * scenario). Usage practically doesn't decay here, and entry penalties are next to nothing, so that
 * orders can be computed by hand:
 *
 * <pre>
 * org                          usage   vector of its workloads, from below org
 * ├─ dept-a                        8
 * │  ├─ a1 (LocalQueues x, y)      5   x [8, 5, 4]   y [8, 5, 1]
 * │  └─ a2 (x)                     3   x [8, 3, 3]
 * ├─ dept-b                        6
 * │  └─ b1 (x)                     6   x [6, 6, 6]
 * └─ c1 (x)                        7   x [7, 7]
 * </pre>
 */
class CohortScopeTest {
  private static final String SCOPE = ", " + TeamState.USAGE_SCOPE;
  private static final Pattern QUOTA = Pattern.compile("(?:resourceGroups: )?quota (\\d+)");

  private Instant now = NOW;
  private final TeamState team =
      new TeamState(TeamState.LASTING, PreemptionSettings.classical(), () -> now);

  @Test
  void ordersOfAThreeLevelTree() {
    tree("quota 10", "", 0);
    // By priority and age alone it would be the other way round.
    team.waiting("a1-of-x", "a1-x", 1, 9);
    team.waiting("a1-of-y", "a1-y", 1, 8);
    team.waiting("a2-of-x", "a2-x", 1, 7);
    team.waiting("c1-of-x", "c1-x", 1, 6);
    team.waiting("b1-of-x", "b1-x", 1, 5);

    team.schedule();

    assertThat(team.reserved())
        .containsExactly("b1-of-x", "c1-of-x", "a2-of-x", "a1-of-y", "a1-of-x");
  }

  @Test
  void weightsDivideAtEveryLevel() {
    tree("quota 10", ", fairSharing: {weight: 4}", 0);
    team.waiting("c1-of-x", "c1-x", 1, 0);
    team.waiting("b1-of-x", "b1-x", 1, 0);
    team.waiting("a1-of-y", "a1-y", 1, 0);
    team.waiting("a2-of-x", "a2-x", 1, 0);

    team.schedule();

    // dept-a has used 8 with weight 4, that is 2.
    assertThat(team.reserved()).containsExactly("a2-of-x", "a1-of-y", "b1-of-x", "c1-of-x");
  }

  @Test
  void withEqualUsagePriorityAndAgeDecideAcrossTheTree() {
    usage = Map.of();
    tree("quota 10", "", 0);
    team.waiting("old", "c1-x", 1, 0);
    team.waiting("young", "a1-x", 1, 0);
    team.waiting("important", "b1-x", 1, 5);

    team.schedule();

    assertThat(team.reserved()).containsExactly("important", "old", "young");
  }

  @Test
  void withinItsOwnQuotaAWorkloadIsServedAtOnceWhateverElseWaits() {
    tree("quota 1", "", 2);
    team.waiting("b1-sticks-out", "b1-x", 4, 0);
    team.waiting("c1-sticks-out", "c1-x", 3, 0);
    team.waiting("c1-within", "c1-x", 2, 0);
    team.waiting("a1-within", "a1-x", 2, 0);

    team.schedule();

    // b1 may use 2 of its own, 1 of org and what the others lend: 4 would fit if it came first,
    // and it does come first among those that stick out; it takes what a2 lends.
    assertThat(team.reserved())
        .containsExactlyInAnyOrder("c1-within", "a1-within", "b1-sticks-out");
    assertThat(team.reserved()).containsSubsequence("c1-within", "b1-sticks-out");
  }

  @Test
  void workloadsBeyondTheirQuotaWaitInOneStrictQueue() {
    tree("quota 4", "", 0);
    team.arriving("b1-small", "b1-x", 1, 0);
    assertThat(team.reserved()).containsExactly("b1-small");
    team.arriving("b1-big", "b1-x", 4, 0);
    team.waiting("c1-small", "c1-x", 1, 9);
    team.waiting("a2-small", "a2-x", 1, 9);

    team.schedule();
    assertThat(team.reserved()).containsExactly("b1-small");
    now = NOW.plusSeconds(15);
    team.state().schedule(now);
    assertThat(team.outbox().pendingReason(key("c1-small")))
        .hasValueSatisfying(
            pendingReason ->
                assertThat(pendingReason.message())
                    .startsWith(
                        "Needs more than its ClusterQueue's own quota and waits behind a workload"
                            + " of ClusterQueue b1, which comes first in Cohort org"));

    team.state().workloads().deleted(key("b1-big"), NOW);
    team.schedule();
    assertThat(team.reserved()).containsExactly("b1-small", "c1-small", "a2-small");
  }

  @Test
  void theStrictQueueGoesOnWhenQuotaIsGivenBack() {
    tree("quota 4", "", 0);
    team.arriving("b1-small", "b1-x", 1, 0);
    team.waiting("b1-big", "b1-x", 4, 0);
    team.waiting("c1-small", "c1-x", 1, 9);
    team.schedule();
    assertThat(team.reserved()).containsExactly("b1-small");

    team.state().workloads().deleted(key("b1-small"), NOW);
    team.schedule();

    assertThat(team.reserved()).containsExactly("b1-small", "b1-big");
  }

  @Test
  void aWorkloadThatCanNeverFitBlocksNoOther() {
    tree("quota 4", "", 0);
    team.waiting("b1-huge", "b1-x", 99, 0);
    team.waiting("c1-small", "c1-x", 1, 0);

    team.schedule();

    assertThat(team.reserved()).containsExactly("c1-small");
  }

  @Test
  void aCohortInsideTheScopeServesItsFirstAtOnceIfThatFitsIntoItsQuota() {
    tree("quota 4", "resourceGroups: quota 2", 0);
    holdUpTheQueueOfOrg(6);
    team.waiting("a1-first-no-more", "a1-y", 1, 9);
    team.waiting("a2-first", "a2-x", 2, 0);

    team.schedule();

    // dept-a has used most and org's queue is held up, yet 2 CPUs are dept-a's own.
    assertThat(team.reserved()).containsExactly("blocker", "a2-first");
  }

  @Test
  void nothingPassesTheFirstOfACohortInsideTheScope() {
    tree("quota 4", "resourceGroups: quota 2", 0);
    holdUpTheQueueOfOrg(6);
    team.waiting("a2-sticks-out", "a2-x", 3, 0);
    team.waiting("a1-would-fit", "a1-y", 1, 9);

    team.schedule();

    assertThat(team.reserved()).containsExactly("blocker");
  }

  @Test
  void nothingPassesTheHeadOfAStrictClusterQueueNotEvenWithinItsQuota() {
    queueingStrategy = "StrictFIFO";
    tree("quota 4", "", 2);
    team.arriving("blocker", "b1-x", 6, 0);
    team.waiting("c1-sticks-out", "c1-x", 8, 5);
    team.waiting("c1-within", "c1-x", 1, 0);

    team.schedule();

    assertThat(team.reserved()).containsExactly("blocker");
  }

  @Test
  void theTopmostScopeWins() {
    clusterQueueScope = SCOPE;
    tree("quota 10", SCOPE, 0);
    team.waiting("a1-of-y", "a1-y", 1, 9);
    team.waiting("c1-of-x", "c1-x", 1, 9);
    team.waiting("b1-of-x", "b1-x", 1, 0);

    team.schedule();

    assertThat(team.reserved()).containsExactly("b1-of-x", "c1-of-x", "a1-of-y");
  }

  @Test
  void aTopmostScopeThatSaysNoTurnsTheLowerOnesOff() {
    scope = ", admissionScope: {admissionMode: NoAdmissionFairSharing}";
    clusterQueueScope = SCOPE;
    tree("quota 10", "", 0);
    team.waiting("a1-of-x", "a1-x", 1, 2);
    team.waiting("a1-of-y", "a1-y", 1, 1);

    team.schedule();

    assertThat(team.reserved()).containsExactly("a1-of-x", "a1-of-y");
    assertThat(team.state().reports().clusterQueue("a1").orElseThrow().health().message())
        .endsWith(". spec.admissionScope has no effect: that of Cohort org above counts");
  }

  /** Where which node has an admission scope, and whose weights nothing compares then. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          -     | -      | a1, dept-a, lq
          org   | -      |
          a1    | -      | a1, dept-a
          dept-a | -     | dept-a
          org   | off    | a1, dept-a, lq
          """)
  void aWeightThatNothingComparesIsTold(
      @Nullable String scoped, @Nullable String off, @Nullable String told) {
    String mode = off == null ? SCOPE : ", admissionScope: {admissionMode: NoAdmissionFairSharing}";
    String weight = "fairSharing: {weight: 2}";
    UnaryOperator<String> scopeOf = name -> name.equals(scoped) ? mode : "";
    // The scope comes last, so that what was told before is told anew.
    team.cohort("org", "");
    team.cohort("dept-a", "parentName: org, " + weight + scopeOf.apply("dept-a"));
    team.clusterQueue(
        "a1",
        "cohortName: dept-a, %s%s, %s".formatted(weight, scopeOf.apply("a1"), TeamState.cpus(1)));
    team.localQueue("lq", "a1", weight, 0);
    team.schedule();
    team.cohort("org", "resourceGroups: []" + scopeOf.apply("org"));
    team.schedule();

    QueueReports reports = team.state().reports();
    String queue = reports.clusterQueue("a1").orElseThrow().health().message();
    String local = reports.localQueue(key("lq")).orElseThrow().health().message();
    List<String> found = new ArrayList<>();
    if (queue.contains(". spec.fairSharing.weight has no effect: past usage orders nothing")) {
      found.add("a1");
    }
    if (queue.contains("Cohort dept-a: spec.fairSharing.weight has no effect")) {
      found.add("dept-a");
    }
    if (local.contains("spec.fairSharing.weight has no effect")) {
      found.add("lq");
    }
    assertThat(String.join(", ", found))
        .as("%s; %s", queue, local)
        .isEqualTo(Objects.requireNonNullElse(told, ""));
  }

  @Test
  void aScopeThatGoesAwayLeavesNothingBehind() {
    tree("quota 4", "", 0);
    holdUpTheQueueOfOrg(4);
    team.arriving("c1-small", "c1-x", 1, 0);
    assertThat(team.reserved()).containsExactly("blocker");

    scope = "";
    cohort("org", "quota 4" + scope);
    team.schedule();

    assertThat(team.reserved()).containsExactly("blocker", "c1-small");
  }

  private Map<String, Integer> usage =
      Map.of("a1-x", 4, "a1-y", 1, "a2-x", 3, "b1-x", 6, "c1-x", 7);
  private String scope = SCOPE;
  private String clusterQueueScope = "";
  private String queueingStrategy = "BestEffortFIFO";

  /**
   * The tree of the picture above.
   *
   * @param org more of org's spec; {@code quota n} for so many CPUs of its own
   * @param deptA more of dept-a's spec
   * @param nominal CPUs of each ClusterQueue
   */
  private void tree(String org, String deptA, int nominal) {
    cohort("org", org + scope);
    cohort(
        "dept-a",
        "parentName: org" + (deptA.isEmpty() || deptA.startsWith(",") ? deptA : ", " + deptA));
    cohort("dept-b", "parentName: org");
    clusterQueue("a1", "dept-a", nominal);
    clusterQueue("a2", "dept-a", nominal);
    clusterQueue("b1", "dept-b", nominal);
    clusterQueue("c1", "org", nominal);
    for (String queue : List.of("a1-x", "a1-y", "a2-x", "b1-x", "c1-x")) {
      team.localQueue(queue, queue.substring(0, 2), usage.getOrDefault(queue, 0));
    }
  }

  /**
   * {@code blocker} has a CPU of org; {@code b1-big}, also of the ClusterQueue that has used least,
   * asks for more than org has left and is the first of org's strict queue.
   */
  private void holdUpTheQueueOfOrg(int cpus) {
    team.arriving("blocker", "b1-x", 1, 0);
    team.arriving("b1-big", "b1-x", cpus, 0);
  }

  private void clusterQueue(String name, String cohort, int nominal) {
    team.clusterQueue(
        name,
        "cohortName: %s, queueingStrategy: %s%s, %s"
            .formatted(cohort, queueingStrategy, clusterQueueScope, TeamState.cpus(nominal)));
  }

  private void cohort(String name, String spec) {
    Matcher quota = QUOTA.matcher(spec);
    team.cohort(
        name, quota.replaceFirst(found -> TeamState.cpus(Integer.parseInt(found.group(1)))));
  }
}
