// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.observe.explain.Actor;
import io.github.kueue4j.observe.explain.Evidence;
import io.github.kueue4j.observe.explain.Explanation;
import io.github.kueue4j.observe.explain.Reason;
import io.github.kueue4j.observe.explain.WhoActs;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExplanationTextTest {
  private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");

  /** Clears the screen and names the window, as a check's message might. */
  private static final String HOSTILE = "No\u001b[2J\u001b]0;root\u0007 license.\r\nnow";

  @Test
  void aMessageCannotChangeTheTerminal() {
    Explanation explanation =
        new Explanation(
            new ObjectKey("team", "job"),
            Reason.CHECK_PENDING,
            HOSTILE,
            List.of(new Evidence("Workload/team/job", "status.admissionChecks[0]", HOSTILE)),
            new WhoActs(Actor.CHECK_OPERATOR, HOSTILE),
            null);

    assertThat(ExplanationText.text(explanation, NOW).lines())
        .contains("  No [2J ]0;root  license. now", "      No [2J ]0;root  license. now")
        .contains("Next wake: when the check's controller answers")
        .allSatisfy(line -> assertThat(line).doesNotContainPattern("\\p{Cc}"));
  }
}
