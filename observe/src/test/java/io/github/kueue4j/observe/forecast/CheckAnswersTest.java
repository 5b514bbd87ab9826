// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.forecast;

import static io.github.kueue4j.jobs.testing.FromYaml.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.observe.dryrun.DryRunInput;
import io.github.kueue4j.observe.dryrun.ReadObjects;
import io.kubernetes.client.openapi.models.V1Namespace;
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
  private static final Instant NOW = Instant.parse("2026-01-05T10:00:00Z");
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
                NOW)
            .resampled(random);
    return IntStream.range(0, DRAWS)
        .mapToObj(
            any -> {
              Workload holds = workload("", conditions);
              return history
                  .retry(holds, "cq", held, random)
                  .or(() -> history.drawn(holds, "cq", held, random));
            })
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

  @Test
  void anAnswerWithinTheSameSecondCountsToo() {
    String atOnce = ADMITTED.replace("08:01", "08:00");
    String retries = "{reason: AdmissionCheck, count: 9}";
    QuotaHistory history =
        QuotaHistory.of(
            Stream.of(atOnce, atOnce, atOnce, ADMITTED, ADMITTED)
                .map(admitted -> workload(retries, RESERVED, admitted, FINISHED))
                .toList(),
            NOW);
    Random random = new Random(1);

    List<Duration> answers =
        IntStream.range(0, DRAWS)
            .mapToObj(
                any -> history.retry(workload("", RESERVED), "cq", Duration.ofMillis(9), random))
            .flatMap(Optional::stream)
            .toList();
    assertThat(answers).containsOnly(Duration.ZERO, ANSWER);
    assertThat(answers.stream().filter(Duration::isZero).count())
        .as("three of five of %d", answers.size())
        .isBetween(answers.size() / 2L, answers.size() * 7L / 10);
  }

  /** A queue for one Workload at a time, in which five have finished after so many Retries. */
  private static ReadObjects cluster(int retries) {
    ReadObjects objects = new ReadObjects();
    objects.put(
        KueueTypes.RESOURCE_FLAVOR, read(ResourceFlavor.class, "{metadata: {name: default}}"));
    objects.put(CoreTypes.NAMESPACE, read(V1Namespace.class, "{metadata: {name: team}}"));
    objects.put(
        KueueTypes.ADMISSION_CHECK,
        read(
            AdmissionCheck.class,
            "{metadata: {name: a}, status: {conditions: [{type: Active, status: 'True'}]}}"));
    objects.put(
        KueueTypes.CLUSTER_QUEUE,
        read(
            ClusterQueue.class,
            """
            {metadata: {name: cq}, spec: {namespaceSelector: {}, preemption: {withinClusterQueue: LowerPriority},
              admissionChecksStrategy: {admissionChecks: [{name: a}]}, resourceGroups: [{coveredResources: [cpu],
              flavors: [{name: default, resources: [{name: cpu, nominalQuota: 1}]}]}]}}
            """));
    objects.put(
        KueueTypes.LOCAL_QUEUE,
        read(
            LocalQueue.class, "{metadata: {name: lq, namespace: team}, spec: {clusterQueue: cq}}"));
    for (int number = 0; number < QuotaHistory.FEWEST; number++) {
      put(
          objects,
          "done" + number,
          0,
          "{reason: AdmissionCheck, count: %d}".formatted(retries),
          RESERVED,
          ADMITTED,
          FINISHED);
    }
    return objects;
  }

  /** A Workload that was created before others had finished, so that none is expected to come. */
  private static void put(
      ReadObjects objects, String name, int priority, String stats, String... conditions) {
    objects.put(
        KueueTypes.WORKLOAD,
        read(
            Workload.class,
            """
            {metadata: {name: %1$s, namespace: team, uid: %1$s, creationTimestamp: '2026-01-05T07:00:00Z'},
              spec: {queueName: lq, active: true, priority: %2$d, podSets: [{name: main, count: 1,
                template: {spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}}]},
              status: {%3$s schedulingStats: {evictions: [%4$s]}, conditions: [%5$s]}}
            """
                .formatted(
                    name,
                    priority,
                    conditions.length == 0
                        ? ""
                        : """
                        admissionChecks: [{name: a, state: Ready}], admission: {clusterQueue: cq, podSetAssignments: [
                          {name: main, count: 1, flavors: {cpu: default}, resourceUsage: {cpu: 1}}]},
                        """,
                    stats,
                    String.join(", ", conditions))));
  }

  private static QuotaForecast forecast(ReadObjects objects) {
    return Forecast.of(
        DryRunInput.of(objects, Configuration.defaults()), new ObjectKey("team", "next"), NOW);
  }

  /** When a Workload of priority 0 gets quota that two others precede. */
  private static QuotaForecast behindTwo(int priority, int retries) {
    ReadObjects objects = cluster(retries);
    put(objects, "a", priority, "");
    put(objects, "b", priority, "");
    put(objects, "next", 0, "");
    return forecast(objects);
  }

  @Test
  void onlyRetriesOfOthersThatAreQueuedBehindItHelp() {
    assertThat(behindTwo(9, 0).earliest()).hasValue(STAY.multipliedBy(2));
    assertThat(behindTwo(9, 3))
        .extracting(QuotaForecast::earliest, QuotaForecast::likely, QuotaForecast::latest)
        .allMatch(Optional.of(STAY.multipliedBy(2))::equals);
    assertThat(behindTwo(0, 3).likely()).get().matches(likely -> likely.compareTo(STAY) < 0);
  }

  @Test
  void aPreemptedOneIsAnsweredAfterItsNewReservation() {
    ReadObjects objects = cluster(9);
    put(
        objects,
        "a-runs",
        0,
        "",
        RESERVED.replace("08:00", "09:30"),
        ADMITTED.replace("08:01", "09:31"));
    put(objects, "high", 9, "");
    put(objects, "next", 0, "");

    assertThat(forecast(objects).likely()).hasValue(STAY.plus(ANSWER));
  }
}
