// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.forecast;

import static io.github.kueue4j.jobs.testing.FromYaml.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.CheckGroup;
import io.github.kueue4j.api.CheckMode;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.EvictionReasons;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.observe.dryrun.ReadObjects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is said of a delay, by the checks that count. */
class CheckDelayTest {
  private static final String A_FOR_1_HOUR =
      "{name: a, state: Retry, lastTransitionTime: '2026-01-05T08:00:00Z', requeueAfterSeconds:"
          + " 3600}";
  private static final String B_FOR_8_HOURS =
      A_FOR_1_HOUR.replace("name: a", "name: b").replace("3600", "28800");

  private final ReadObjects objects = new ReadObjects();

  private void check(String name, String annotation, String value) {
    objects.put(
        KueueTypes.ADMISSION_CHECK,
        read(
            AdmissionCheck.class,
            "{metadata: {name: %s, annotations: {'%s': '%s'}}}"
                .formatted(name, annotation, value)));
  }

  private Optional<String> words(String heldFor, String requeueState, String... entries) {
    Workload waiting =
        read(
            Workload.class,
            """
            {metadata: {name: w, namespace: team}, status: {requeueState: %s, admissionChecks: [%s],
              conditions: [{type: Requeued, status: 'False', reason: %s}]}}
            """
                .formatted(requeueState, String.join(", ", entries), heldFor));
    ClusterQueue queue =
        read(
            ClusterQueue.class,
            """
            {metadata: {name: cq}, spec: {admissionChecksStrategy: {admissionChecks: [{name: a}, {name: b}]},
              resourceGroups: [{coveredResources: [cpu], flavors: [{name: default, resources: []}]}]}}
            """);
    return CheckDelay.of(waiting, queue, objects).map(CheckDelay::words);
  }

  @Test
  void theLastOfSeveralCounts() {
    assertThat(words(EvictionReasons.ADMISSION_CHECK, "{}", A_FOR_1_HOUR, B_FOR_8_HOURS))
        .hasValue(
            "Its checks a, b delay it until 2026-01-05T16:00:00Z unless they change that."
                + " It then waits for quota again, and with that they are asked again.");
  }

  @Test
  void theFirstOfAlternativesCounts() {
    check("a", CheckGroup.ANNOTATION, "capacity");
    check("b", CheckGroup.ANNOTATION, "capacity");

    assertThat(words(EvictionReasons.ADMISSION_CHECK, "{}", A_FOR_1_HOUR, B_FOR_8_HOURS))
        .hasValueSatisfying(
            said -> assertThat(said).startsWith("Its checks a, b delay it until 2026-01-05T09:"));
  }

  @Test
  void aCheckThatOnlyObservesDelaysNothing() {
    check("b", CheckMode.ANNOTATION, "Observe");

    assertThat(words(EvictionReasons.ADMISSION_CHECK, "{}", A_FOR_1_HOUR, B_FOR_8_HOURS))
        .hasValueSatisfying(
            said ->
                assertThat(said).startsWith("Its check a delays it until 2026-01-05T09:00:00Z "));
    assertThat(words(EvictionReasons.ADMISSION_CHECK, "{}", B_FOR_8_HOURS))
        .hasValue(
            "Its check b delayed it until 2026-01-05T16:00:00Z and doesn't count any more."
                + " It then waits for quota again.");
  }

  @Test
  void theBackoffOfPodsThatWereNotReadyIsNamedWhereItEndsLast() {
    assertThat(
            words(
                EvictionReasons.PODS_READY_TIMEOUT,
                "{requeueAt: '2026-01-05T10:00:00Z'}",
                A_FOR_1_HOUR))
        .hasValue(
            "Its check a delays it. Its pods didn't get ready in time, and the backoff of"
                + " waitForPodsReady is the last to end, at 2026-01-05T10:00:00Z. It then waits for"
                + " quota again, and with that the check is asked again.");
    assertThat(words(EvictionReasons.PODS_READY_TIMEOUT, "{requeueAt: '2026-01-05T10:00:00Z'}", ""))
        .isEmpty();
  }
}
