// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import static io.github.kueue4j.core.testing.TeamState.NOW;
import static io.github.kueue4j.core.testing.TeamState.cpus;
import static io.github.kueue4j.core.testing.TeamState.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.testing.TeamState;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.runtime.Threads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a State that has decided nothing yet learns from a victim that still stops: the Workload
 * {@code urgent}, for which that is evicted, precedes the older {@code rival} of the same priority.
 */
class PreemptorsTest {
  private static final String LOWER = ", preemption: {withinClusterQueue: LowerPriority}";

  private final TeamState team = new TeamState(null, PreemptionSettings.classical());

  private void queues() {
    team.clusterQueue("cq", cpus(2) + LOWER);
    team.localQueue("lq", "cq", 0);
    team.clusterQueue("other", cpus(2) + LOWER);
    team.localQueue("lq-other", "other", 0);
  }

  private void waiting() {
    team.waiting("rival", "lq", 2, 50);
    team.waiting("urgent", "lq", 2, 50);
  }

  private void victim() {
    victim("victim", 2, "True", "True", message("uid-urgent", "/cq"));
  }

  private void victim(String name, int cpus, String evicted, String preempted, String message) {
    victim(name, "lq", "cq", cpus, evicted, preempted, message);
  }

  private void victim(
      String name,
      String localQueue,
      String clusterQueue,
      int cpus,
      String evicted,
      String preempted,
      String message) {
    team.holding(
        name,
        localQueue,
        clusterQueue,
        cpus,
        0,
        0,
        """
        , {type: Admitted, status: 'True', reason: Admitted, message: '',
            lastTransitionTime: '2026-01-05T07:00:00Z'},
          {type: Evicted, status: '%s', reason: Preempted, message: '%s',
            lastTransitionTime: '2026-01-05T07:30:00Z'},
          {type: Preempted, status: '%s', reason: InClusterQueue, message: '%s',
            lastTransitionTime: '2026-01-05T07:30:00Z'}]
        """
            .formatted(evicted, message, preempted, message));
  }

  private static String message(String uid, String path) {
    return "Preempted to accommodate a workload (UID: "
        + uid
        + ", JobUID: j) due to prioritization in the ClusterQueue; preemptor path: "
        + path
        + "; preemptee path: /cq";
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "the victim is seen first,                     victim, queues, waiting",
    "the Workloads that wait are seen first,       waiting, victim, queues",
    "the queues are seen first,                    queues, waiting, victim"
  })
  void thePreemptorGoesFirstInWhateverOrderTheObjectsCome(
      String name, String first, String second, String third) {
    for (String part : new String[] {first, second, third}) {
      switch (part) {
        case "victim" -> victim();
        case "queues" -> queues();
        default -> waiting();
      }
    }

    team.schedule();
    assertThat(team.decided()).containsExactly("Preempt urgent");
    assertThat(team.outbox().preemption(key("victim"))).isNull();

    team.waiting("victim", "lq", 2, 0);
    team.schedule();
    assertThat(team.reserved()).containsExactly("urgent");
  }

  /** The workers begin together with the scheduler, before its first turn. */
  @Test
  void aVictimThatStopsBetweenTheTakeoverAndTheFirstDecisionHasMadeRoom() throws Exception {
    try (ManualTime time = ManualTime.create();
        StateLoop loop =
            new StateLoop(
                team.state(),
                time,
                took -> {},
                time,
                FatalErrors.endProcess(),
                Threads.platform())) {
      loop.post(
          ignored -> {
            queues();
            waiting();
            victim();
          });
      loop.beginScheduling();
      loop.post(ignored -> team.waiting("victim", "lq", 2, 0));
      // One turn takes in all that was posted before the start.
      loop.start();
      loop.catchUp();
      loop.catchUp();
    }

    assertThat(team.reserved()).containsExactly("urgent");
  }

  /** Until it takes over, another core decides, and what that decided ends. */
  @ParameterizedTest(name = "the preemptor had quota meanwhile: {0}")
  @ValueSource(booleans = {true, false})
  void aStandbyMarksNoneWhoseVictimsStoppedBeforeItTookOver(boolean hadQuota) {
    queues();
    waiting();
    victim();
    team.state().settle(NOW);
    team.state().workloads().deleted(key("victim"), NOW);
    team.state().settle(NOW);
    if (hadQuota) {
      team.holding("urgent", "lq", "cq", 2, 50, 5, "]");
      team.state().settle(NOW);
      team.waiting("urgent", "lq", 2, 50);
    }

    team.schedule();

    assertThat(team.reserved()).containsExactly("rival");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "it preempted from another ClusterQueue  | True  | True  | uid-urgent | /other",
        "another Workload of this name preempted | True  | True  | uid-urgen  | /cq",
        "the victim isn't evicted                | False | True  | uid-urgent | /cq",
        "the preemption is of an earlier life    | True  | False | uid-urgent | /cq",
        "it names no ClusterQueue                | True  | True  | uid-urgent | /",
      })
  void otherwiseTheOlderOneGoesFirst(
      String name, String evicted, String preempted, String uid, String path) {
    queues();
    waiting();
    victim("victim", 2, evicted, preempted, message(uid, path));

    team.schedule();

    assertThat(team.decided()).containsExactly("Preempt rival");
  }

  /** A victim that waits again has its condition still. */
  @Test
  void aVictimThatHasStoppedMakesNoMoreRoom() {
    queues();
    waiting();
    team.holding("holder", "lq", "cq", 2, 0, 0, "]");
    team.evicted("victim", "lq", 2, 0, 1800);

    team.schedule();

    assertThat(team.decided()).containsExactly("Preempt rival");
  }

  /** Its own victims are known from the decisions; what they made room for may have ended since. */
  @Test
  void aCoreThatDecidesReadsNoConditionLater() {
    queues();
    waiting();
    team.holding("holder", "lq", "cq", 2, 100, 0, "]");
    team.schedule();
    victim("late", 0, "True", "True", message("uid-urgent", "/cq"));
    team.schedule();

    team.state().workloads().deleted(key("holder"), NOW);
    team.schedule();

    assertThat(team.reserved()).containsExactly("rival");
  }

  @ParameterizedTest(name = "evicted {0} s after its victim: known as preemptor {1}")
  @CsvSource({"-1, true", "0, true", "1, false"})
  void aPreemptorThatHadQuotaSinceHasHadItsTurn(int later, boolean known) {
    queues();
    team.evicted("urgent", "lq", 2, 50, 1800 + later);
    team.waiting("first", "lq", 2, 60);
    victim();

    team.schedule();

    assertThat(team.decided()).containsExactly(known ? "Preempt urgent" : "Preempt first");
  }

  /** With KEP-993 it holds its quota already while its victims stop. */
  @Test
  void aPreemptorThatHoldsQuotaAtTheTakeoverHasHadItsTurn() {
    queues();
    team.clusterQueue("cq", cpus(4) + LOWER);
    team.holding("urgent", "lq", "cq", 2, 50, 0, "]");
    victim();
    team.schedule();
    team.waiting("first", "lq", 4, 60);
    team.waiting("urgent", "lq", 2, 50);
    team.state().workloads().deleted(key("victim"), NOW);
    team.schedule();

    assertThat(team.reserved()).containsExactly("first");
  }

  /** What is refused gives way, also when its victims are seen again. */
  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"BestEffortFIFO", "StrictFIFO"})
  void aPreemptorThatNoLongerFitsHoldsUpNone(String strategy) {
    queues();
    team.clusterQueue("cq", "queueingStrategy: " + strategy + ", " + cpus(2) + LOWER);
    team.waiting("rival", "lq", 2, 50);
    team.waiting("urgent", "lq", 3, 50);
    victim();

    team.schedule();
    victim();
    team.schedule();
    team.waiting("victim", "lq", 2, 0);
    team.schedule();

    assertThat(team.decided()).contains("Preempt rival").doesNotContain("Preempt urgent");
    assertThat(team.reserved()).containsExactly("rival");
  }

  @Test
  void ofTwoPreemptorsTheOneThatPrecedesGoesFirst() {
    queues();
    waiting();
    team.waiting("next", "lq", 1, 50);
    victim("victim", 1, "True", "True", message("uid-next", "/cq"));
    victim("second", 1, "True", "True", message("uid-urgent", "/cq"));

    team.schedule();
    assertThat(team.decided()).containsExactly("Preempt urgent");

    team.waiting("victim", "lq", 1, 0);
    team.waiting("second", "lq", 1, 0);
    team.schedule();
    assertThat(team.reserved()).containsExactly("urgent");
  }

  @Test
  void aSecondPreemptorFollowsWhenTheFirstIsGone() {
    queues();
    waiting();
    team.waiting("next", "lq", 2, 50);
    victim("victim", 1, "True", "True", message("uid-next", "/cq"));
    victim("second", 1, "True", "True", message("uid-urgent", "/cq"));
    team.schedule();
    team.state().workloads().deleted(key("urgent"), NOW);

    team.schedule();

    assertThat(team.decided()).containsExactly("Preempt urgent", "Preempt next");
  }

  /** As it is when the core that decided goes on. */
  @Test
  void aPreemptorThatBeginsToWaitAgainTakesItsPlace() {
    queues();
    waiting();
    victim();
    team.schedule();
    team.waiting("urgent", "lq-other", 2, 50);
    team.waiting("urgent", "lq", 2, 50);
    team.schedule();

    team.waiting("victim", "lq", 2, 0);
    team.schedule();

    assertThat(team.reserved()).containsExactly("rival");
  }

  /** It was deactivated, in backoff, or held, when the core took over. */
  @Test
  void aPreemptorThatBeginsToWaitLaterTakesItsPlace() {
    queues();
    team.waiting("urgent", "lq-none", 2, 50);
    team.holding("holder", "lq", "cq", 2, 50, 0, "]");
    victim();
    team.schedule();
    team.waiting("rival", "lq", 2, 60);
    team.waiting("urgent", "lq", 2, 50);
    team.state().workloads().deleted(key("victim"), NOW);
    team.state().workloads().deleted(key("holder"), NOW);
    team.schedule();

    assertThat(team.reserved()).containsExactly("rival");
  }

  @Test
  void anotherWorkloadOfItsNameIsNotThePreemptor() {
    queues();
    waiting();
    victim();
    team.schedule();
    team.anotherNamed("urgent", "lq", 2, 50);

    team.waiting("victim", "lq", 2, 0);
    team.schedule();

    assertThat(team.reserved()).containsExactly("rival");
  }

  /** Its victim, and that of the other, are in another queue of the Cohort. */
  @ParameterizedTest(name = "its victim still stops: {0}")
  @ValueSource(booleans = {true, false})
  void whatOthersMakeRoomForTooStaysFirstWhileAVictimOfItsOwnStops(boolean stops) {
    String reclaims = ", cohortName: c, preemption: {reclaimWithinCohort: Any}";
    team.clusterQueue("cq", cpus(2) + reclaims);
    team.localQueue("lq", "cq", 0);
    team.clusterQueue("other", cpus(2) + reclaims);
    team.localQueue("lq-other", "other", 0);
    team.clusterQueue("lender", cpus(0) + ", cohortName: c");
    team.localQueue("lq-lender", "lender", 0);
    victim("victim", "lq-lender", "lender", 4, "True", "True", message("uid-next", "/c/other"));
    victim("own", "lq-lender", "lender", 0, "True", "True", message("uid-urgent", "/c/cq"));
    team.waiting("urgent", "lq", 2, 50);
    team.waiting("next", "lq-other", 2, 60);
    team.state().takeOver();
    if (!stops) {
      team.state().workloads().deleted(key("own"), NOW);
    }
    team.schedule();
    assertThat(team.decided()).containsExactly("Preempt next", "Skipped urgent");

    team.waiting("rival", "lq", 2, 60);
    team.state().workloads().deleted(key("victim"), NOW);
    team.schedule();

    assertThat(team.reserved()).containsExactly("next", stops ? "urgent" : "rival");
  }
}
