// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.forecast;

import static io.github.kueue4j.jobs.testing.FromYaml.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A Workload gives its quota back when a check answers with Retry. */
class CheckAnswersTest {
  private static final Duration ANSWER = Duration.ofMinutes(1);
  private static final Duration STAY = Duration.ofHours(1);
  private static final int DRAWS = 600;

  private static final String RESERVED =
      "{type: QuotaReserved, status: 'True', lastTransitionTime: '2026-01-05T08:00:00Z'}";
  private static final String ADMITTED =
      "{type: Admitted, status: 'True', lastTransitionTime: '2026-01-05T08:01:00Z'}";
  private static final String FINISHED =
      "{type: Finished, status: 'True', lastTransitionTime: '2026-01-05T09:00:00Z'}";

  private static Workload workload(String stats, String... conditions) {
    return read(
        Workload.class,
        """
        {metadata: {name: w, namespace: team}, spec: {queueName: lq}, status: {
          admission: {clusterQueue: cq}, admissionChecks: [{name: a, state: Pending}],
          schedulingStats: {evictions: [%s]}, conditions: [%s]}}
        """
            .formatted(stats, String.join(", ", conditions)));
  }

  /** The lengths of a Workload that holds quota, where five have finished with these evictions. */
  private static List<Duration> drawn(String stats, Duration held, String... conditions) {
    Random random = new Random(1);
    QuotaHistory history =
        QuotaHistory.of(
                Stream.generate(() -> workload(stats, RESERVED, ADMITTED, FINISHED))
                    .limit(QuotaHistory.FEWEST)
                    .toList(),
                Instant.parse("2026-01-05T10:00:00Z"))
            .resampled(random);
    return IntStream.range(0, DRAWS)
        .mapToObj(any -> history.drawn(workload("", conditions), "cq", held, random))
        .flatMap(Optional::stream)
        .toList();
  }

  @Test
  void asManyAreSentAwayAsWere() {
    List<Duration> lengths =
        drawn("{reason: AdmissionCheck, count: 2}", Duration.ofSeconds(10), RESERVED);

    assertThat(lengths).hasSize(DRAWS).containsOnly(ANSWER, STAY);
    // Each of the five had two answers of Retry, and one of Ready.
    assertThat(lengths.stream().filter(ANSWER::equals).count()).isBetween(350L, 450L);
  }

  @Test
  void onesThatWaitLongerThanAnyAreAnsweredNow() {
    Duration held = ANSWER.plusSeconds(1);

    assertThat(drawn("{reason: AdmissionCheck, count: 2}", held, RESERVED))
        .hasSize(DRAWS)
        .containsOnly(held, STAY);
  }

  @Test
  void admittedOnesAndOtherEvictionsStay() {
    assertThat(drawn("{reason: AdmissionCheck, count: 2}", ANSWER, RESERVED, ADMITTED))
        .hasSize(DRAWS)
        .containsOnly(STAY);
    assertThat(drawn("{reason: Preempted, count: 2}", Duration.ZERO, RESERVED))
        .hasSize(DRAWS)
        .containsOnly(STAY);
  }
}
