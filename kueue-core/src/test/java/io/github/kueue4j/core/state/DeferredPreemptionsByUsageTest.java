// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import static io.github.kueue4j.core.testing.TeamState.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObservedAnswer;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.testing.TeamState;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * On whose quota a deferred preemption counts where past usage orders (KEP-993 and KEP-4136): on
 * that of the LocalQueue that has used most, as any other preemption. By the time of its
 * reservation alone it would be another's: {@code of-light} is the younger one.
 */
class DeferredPreemptionsByUsageTest {
  private static final String ADMITTED =
      ", {type: Admitted, status: 'True', reason: Admitted, message: '',"
          + " lastTransitionTime: '2026-01-05T07:30:00Z'}]";

  private final TeamState team = new TeamState(TeamState.LASTING, PreemptionSettings.classical());

  @BeforeEach
  void queues() {
    team.deferringCheck("nodes");
    team.clusterQueue(
        "cq",
        10,
        "preemption: {withinClusterQueue: LowerPriority}, admissionChecksStrategy: {admissionChecks:"
            + " [{name: nodes}]}, admissionScope: {admissionMode:"
            + " UsageBasedAdmissionFairSharing}, "
            + TeamState.cpus(2));
    team.localQueue("light", "cq", 1);
    team.localQueue("heavy", "cq", 9);
    team.localQueue("own", "cq", 0);
  }

  private void victims() {
    team.holding("of-heavy", "heavy", "cq", 1, 0, 1, ADMITTED);
    team.holding("of-light", "light", "cq", 1, 0, 2, ADMITTED);
  }

  private void claims(String answer) {
    claims(answer, "");
  }

  private void claims(String answer, String message) {
    team.holding(
        "claimant",
        "own",
        "cq",
        1,
        5,
        1_000,
        "], admissionChecks: [{name: nodes, state: %s, message: '%s'}]".formatted(answer, message));
  }

  private List<String> ordered() {
    return Stream.of("of-heavy", "of-light")
        .filter(name -> team.outbox().preemption(key(name)) != null)
        .toList();
  }

  @Test
  void aReservationThatIsFoundCountsOnWhoseQueueHasUsedMost() {
    victims();
    team.schedule();

    claims("Pending");
    team.schedule();
    assertThat(ordered()).isEmpty();
    claims("Ready");

    assertThat(ordered()).containsExactly("of-heavy");
  }

  /** It hears of the objects first, and only then of what the queues have used. */
  @Test
  void aCoreThatTakesOverDecidesTheSame() {
    victims();
    claims("Ready");

    team.schedule();

    assertThat(ordered()).containsExactly("of-heavy");
  }

  /** The check observed when it answered, and is enforced now: the core asks it again. */
  @Test
  void aRecordIsNoPassedCheck() {
    victims();

    claims("Ready", new ObservedAnswer(CheckState.RETRY, "Full", "no nodes").text());
    team.schedule();

    assertThat(ordered()).isEmpty();
  }
}
