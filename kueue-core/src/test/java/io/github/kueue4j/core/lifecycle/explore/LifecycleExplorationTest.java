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
package io.github.kueue4j.core.lifecycle.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.core.lifecycle.LifecycleSettings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every order of events, up to a bound. With {@code -Dexplore.states=N} the bound is N per
 * exploration instead of the one that fits into a build.
 */
class LifecycleExplorationTest {
  private static final Logger log = LoggerFactory.getLogger(LifecycleExplorationTest.class);
  private static final int BOUND = Integer.getInteger("explore.states", 12_000);

  private static Explorer.Report explore(String name, Rules rules) {
    return explore(name, rules, BOUND);
  }

  private static Explorer.Report explore(String name, Rules rules, int bound) {
    Explorer.Report report = new Explorer().explore(rules, bound);
    log.atInfo()
        .addKeyValue("exploration", name)
        .addKeyValue("states", report.states())
        .addKeyValue("transitions", report.transitions())
        .addKeyValue("depth", report.depth())
        .addKeyValue("complete", report.complete())
        .addKeyValue("took", report.took())
        .log("explored");
    assertThat(report.states()).isGreaterThan(1_000);
    return report;
  }

  /** A small world, but all of it. */
  @Test
  void everyWorldOfOneRoundWithTwoChecksAndACrash() {
    Rules rules = Rules.of(3, Map.of("sdk", 1, "naive", 1, Actors.CRASH, 1));
    assertThat(explore("one round, two checks", rules, 100_000).complete()).isTrue();
  }

  @Test
  void everyWorldOfTwoVerdictsAndACrash() {
    Rules rules =
        Rules.of(4, Map.of("naive", 2, Actors.CRASH, 1)).withChecks("naive").withDelays(-1, 0, 2);
    assertThat(explore("two verdicts, one check", rules, 100_000).complete()).isTrue();
  }

  @Test
  void lateVerdictsAndCrashes() {
    explore("late verdicts", Rules.of(5, Map.of("sdk", 2, "naive", 2, Actors.CRASH, 1)));
  }

  @Test
  void staleReads() {
    explore(
        "stale reads", Rules.of(3, Map.of("sdk", 1, "naive", 2, Actors.SLOW, 2, Actors.CRASH, 1)));
  }

  @Test
  void aUserWhoDeactivatesAndReactivates() {
    explore("user", Rules.of(4, Map.of("sdk", 1, "naive", 2, Actors.USER, 2, Actors.CRASH, 1)));
  }

  @Test
  void anExecutionTimeLimit() {
    Rules rules =
        Rules.of(3, Map.of("naive", 2, Actors.LIMIT, 1, Actors.USER, 1, Actors.CRASH, 1))
            .withChecks("naive");
    explore("limit", rules);
  }

  @Test
  void aQueueThatIsStoppedAndStarted() {
    explore("queue", Rules.of(4, Map.of("sdk", 1, "naive", 2, Actors.ADMIN, 2, Actors.CRASH, 1)));
  }

  @Test
  void preemptionAndPodsReadyTimeout() {
    explore(
        "preemption",
        Rules.of(
            6, Map.of("sdk", 2, "naive", 2, Actors.PREEMPT, 1, Actors.PODS, 1, Actors.CRASH, 1)));
  }

  @Test
  void clocksThatAreOff() {
    explore(
        "skew",
        Rules.of(5, Map.of("sdk", 1, "naive", 2))
            .withSkews(0, -3600, 3600, -3)
            .withDelays(0, 2)
            .withCoreClockMillis(400));
  }

  @Test
  void theGateOff() {
    explore(
        "gate off",
        Rules.of(4, Map.of("sdk", 2, "naive", 2, Actors.CRASH, 1, Actors.USER, 1))
            .withSettings(LifecycleSettings.defaults().withAcRequeueAfter(false)));
  }

  @Test
  void checksThatNeverAnswer() {
    explore(
        "pending timeout",
        Rules.of(8, Map.of("sdk", 1, "naive", 1, Actors.CRASH, 1))
            .withPendingTimeout(Duration.ofSeconds(3)));
  }
}
