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
package io.github.kueue4j.e2e.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.e2e.cluster.Cluster;
import io.github.kueue4j.e2e.observer.Report;
import io.github.kueue4j.e2e.scenarios.ScenarioCluster;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many Workloads, two checks that answer at random moments and one built with the SDK, and a core
 * that is killed every few seconds: all are admitted and finish, and no promise is broken.
 *
 * <p>Small by default; {@code -Dkueue4j.torture=full} takes 200 Workloads in 5 rounds.
 */
class TortureTest {
  private static final Instant START = Instant.parse("2026-03-02T10:00:00Z");

  /** Simulated seconds in a real one, where the cluster's clock can be ours. */
  private static final double SPEED = 10;

  @ParameterizedTest
  @EnumSource(ScenarioCluster.class)
  void everyWorkloadIsAdmittedAndNoPromiseIsBroken(ScenarioCluster kind)
      throws InterruptedException {
    boolean full = "full".equals(System.getProperty("kueue4j.torture"));
    int workloads = full ? 200 : 40;
    int rounds = full ? 5 : 2;
    long seed = Long.getLong("kueue4j.torture.seed", 42);
    Storm.Size size =
        new Storm.Size(
            workloads,
            workloads / 4,
            new NaiveCheck.Style(
                2, 4, Duration.ofSeconds(full ? 120 : 60), Duration.ofSeconds(10), 0.1),
            full ? Duration.ofSeconds(5) : Duration.ofSeconds(2),
            full ? Duration.ofMinutes(3) : Duration.ofMinutes(1),
            seed);
    long begin = System.nanoTime();
    try (TimeSource time = TimeSource.scaled(START, SPEED);
        Cluster cluster = kind.start(time);
        Storm storm = Storm.start(cluster, time, size)) {
      for (int round = 1; round <= rounds; round++) {
        assertThat(storm.round(round))
            .withFailMessage(() -> "stuck: " + String.join("\n", storm.unfinished()))
            .isTrue();
      }
      Report report = storm.audit();
      System.out.printf(
          "torture on %s: %d workloads x %d rounds in %d s, seed %d, %d kills, %s, %d violations%n",
          cluster.name(),
          workloads,
          rounds,
          Duration.ofNanos(System.nanoTime() - begin).toSeconds(),
          seed,
          storm.kills(),
          report.tally(),
          report.violations().size());
      assertThat(report.violations()).isEmpty();
      assertThat(report.tally().finished()).isEqualTo(workloads * rounds);
      assertThat(report.tally().retries()).isGreaterThanOrEqualTo(workloads * rounds);
      assertThat(report.tally().late()).isPositive();
      assertThat(storm.kills()).isPositive();
    }
  }
}
