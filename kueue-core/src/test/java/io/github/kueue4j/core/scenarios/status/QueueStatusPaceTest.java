// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** However fast the objects' time runs, a queue's status is written at the server's pace. */
@Simulated
class QueueStatusPaceTest {
  private static final RequestMatcher WRITES =
      RequestMatcher.verbs("patch")
          .and(RequestMatcher.resource("clusterqueues"))
          .and(RequestMatcher.subresource("status"));

  @Test
  void timeThatIsSimulatedBringsNoWriteThatPaceDoesNotAllow() {
    try (TestCluster cluster = new TestCluster();
        ManualTime pace = ManualTime.create()) {
      cluster.queue("", "default=10");
      cluster.startCore("", pace);
      cluster.awaitThat("the queue is active", world -> active(world));
      cluster.settle();
      pace.advance(Duration.ofSeconds(3));
      cluster.settle();
      long before = cluster.server.requests().count(WRITES);

      for (int i = 0; i < 5; i++) {
        cluster.job("job-" + i, 1);
        cluster.awaitSuspended("job-" + i, false);
        cluster.awaitThat(
            "the first change is written at once",
            world -> world.server.requests().count(WRITES) > before);
        cluster.pass(Duration.ofHours(1));
      }

      assertThat(cluster.server.requests().count(WRITES) - before).isEqualTo(1);
      pace.advance(Duration.ofSeconds(3));
      cluster.awaitThat(
          "the status is up to date",
          world -> Integer.valueOf(5).equals(world.clusterQueue().status().admittedWorkloads()));
      assertThat(cluster.server.requests().count(WRITES) - before).isEqualTo(2);
    }
  }

  @Test
  void howeverMuchHappensAStatusIsWrittenEveryThreeSecondsAndNeverOlderThanFour() {
    try (TestCluster cluster = new TestCluster();
        ManualTime pace = ManualTime.create()) {
      cluster.queue("", "default=100");
      cluster.startCore("", pace);
      cluster.awaitThat("the queue is active", world -> active(world));
      cluster.settle();
      long before = cluster.server.requests().count(WRITES);
      Instant start = pace.instant();
      NavigableMap<Instant, Integer> admitted = new TreeMap<>(Map.of(start, 0));

      for (int i = 1; i <= 12; i++) {
        cluster.job("job-" + i, 1);
        cluster.awaitSuspended("job-" + i, false);
        cluster.settle();
        admitted.put(pace.instant(), i);
        pace.advance(Duration.ofMillis(700));
        cluster.settle();

        int past =
            Optional.ofNullable(admitted.floorEntry(pace.instant().minusSeconds(4)))
                .map(Map.Entry::getValue)
                .orElse(0);
        assertThat(cluster.clusterQueue().status().admittedWorkloads())
            .as("after %s", Duration.between(start, pace.instant()))
            .isGreaterThanOrEqualTo(past);
      }

      // 8.4 s have passed, in steps of 0.7 s: a write in three seconds, after one that was before.
      assertThat(cluster.server.requests().count(WRITES) - before).isBetween(2L, 3L);
    }
  }

  private static boolean active(TestCluster cluster) {
    return cluster.clusterQueue().status().conditions().stream()
        .anyMatch(condition -> condition.type().equals("Active") && condition.isTrue());
  }
}
