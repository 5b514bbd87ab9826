// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import static io.github.kueue4j.core.testing.TeamState.NOW;
import static io.github.kueue4j.core.testing.TeamState.cpus;
import static io.github.kueue4j.core.testing.TeamState.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.testing.TeamState;
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
    team.holding(
        name,
        "lq",
        "cq",
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

  /** It has released its quota before the first decision. */
  @Test
  void aVictimThatStopsMeanwhileHasMadeRoomForItsPreemptor() {
    queues();
    waiting();
    victim();
    team.waiting("victim", "lq", 2, 0);

    team.schedule();

    assertThat(team.reserved()).containsExactly("urgent");
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
    victim();
    team.waiting("victim", "lq", 2, 0);
    team.state().workloads().deleted(key("urgent"), NOW);
    team.schedule();
    team.waiting("urgent", "lq", 2, 50);

    team.schedule();

    assertThat(team.decided()).containsExactly("Preempt rival");
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

  /** As it is when the core that decided goes on: an older one that comes waits. */
  @Test
  void aPreemptorThatBeginsToWaitAgainWhileItsVictimStopsGoesFirst() {
    queues();
    waiting();
    victim();
    team.schedule();
    team.waiting("urgent", "lq-other", 2, 50);
    team.waiting("urgent", "lq", 2, 50);

    team.waiting("victim", "lq", 2, 0);
    team.schedule();

    assertThat(team.reserved()).containsExactly("urgent");
  }
}
