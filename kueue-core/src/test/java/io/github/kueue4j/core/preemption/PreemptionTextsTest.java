// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.queue.WorkloadPriority;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.testing.Candidates;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The texts that other tools match on in conditions and events. */
class PreemptionTextsTest {
  @ParameterizedTest
  @CsvSource({
    "IN_CLUSTER_QUEUE, InClusterQueue, prioritization in the ClusterQueue",
    "IN_COHORT_RECLAMATION, InCohortReclamation, reclamation within the cohort",
    "IN_COHORT_FAIR_SHARING, InCohortFairSharing, Fair Sharing within the cohort",
    "IN_COHORT_RECLAIM_WHILE_BORROWING, InCohortReclaimWhileBorrowing, reclamation within the cohort while borrowing"
  })
  void namePreemptorReasonAndPaths(PreemptionReason reason, String inCondition, String words) {
    Candidate victim =
        Candidates.of(new ObjectKey("team", "victim"), "cq-v", 3, Instant.EPOCH, Amounts.none());
    Target target = new Target(victim, reason);
    PreemptionTexts.PreemptorDescription preemptor =
        new PreemptionTexts.PreemptorDescription(
            "uid-w", "", "/root/dept/cq-w", new WorkloadPriority(4, 5));
    WorkloadPriority priority = new WorkloadPriority(3, 0);

    String message = PreemptionTexts.message(target, preemptor, "/root/cq-v");

    assertThat(PreemptionTexts.preemptorIn(message))
        .contains(new PreemptionTexts.NamedPreemptor("uid-w", "cq-w"));
    assertThat(reason.conditionReason()).isEqualTo(inCondition);
    assertThat(message)
        .isEqualTo(
            "Preempted to accommodate a workload (UID: uid-w, JobUID: UNKNOWN) due to "
                + words
                + "; preemptor path: /root/dept/cq-w; preemptee path: /root/cq-v");
    String priorities =
        "; preemptor effective priority: 9 (base: 4, boost: 5)"
            + "; preemptee effective priority: 3 (base: 3, boost: 0)";
    assertThat(PreemptionTexts.noteOnVictim(preemptor, priority, message))
        .isEqualTo(message + priorities);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Preempted to accommodate a workload",
        "Preempted to accommodate a workload (UID: , JobUID: j) due to x; preemptor path: /cq",
        "Preempted to accommodate a workload (UID: u, JobUID: j) due to x",
        "Preempted to accommodate a workload (UID: u, JobUID: j) due to x; preemptor path: cq",
        "Preempted to accommodate a workload (UID: u, JobUID: j) due to x; preemptor path: /cq/; more",
        "Preempted to accommodate a workload (UID: u; v, JobUID: j) due to x; preemptor path: /cq",
        "He said: Preempted to accommodate a workload (UID: u, JobUID: j) due to x; preemptor path: /cq"
      })
  void anotherMessageNamesNoPreemptor(String message) {
    assertThat(PreemptionTexts.preemptorIn(message)).isEmpty();
  }

  @Test
  void aPathOfAnyLengthIsRead() {
    String message =
        "Preempted to accommodate a workload (UID: u, JobUID: j) due to x; preemptor path: "
            + "/c".repeat(16_384);

    assertThat(PreemptionTexts.preemptorIn(message + "; preemptee path: /cq"))
        .contains(new PreemptionTexts.NamedPreemptor("u", "c"));
    assertThat(PreemptionTexts.preemptorIn(message + "/;")).isEmpty();
  }

  @Test
  void aVictimOfAnotherNamespaceHasNoNameInTheNoteOnThePreemptor() {
    assertThat(note(target("team", 1)))
        .isEqualTo(
            "Preempted workload team/w-1 (UID: uid-w-1) in ClusterQueue cq-1"
                + "; preemptor effective priority: 9 (base: 4, boost: 5)");
    assertThat(note(target("team", 1), target("other", 2)))
        .startsWith(
            "Preempted 2 workloads: (UID: uid-w-2) in ClusterQueue cq-2,"
                + " team/w-1 (UID: uid-w-1) in ClusterQueue cq-1; ");
  }

  @Test
  void theNoteOnThePreemptorIsTheSameInWhateverOrderTheVictimsComeAndNeverTooLong() {
    Target[] many = IntStream.range(0, 100).mapToObj(i -> target("team", i)).toArray(Target[]::new);

    assertThat(note(many))
        .startsWith("Preempted 100 workloads: team/w-0 (UID: uid-w-0) in ClusterQueue cq-0, ")
        .contains(" and 94 more; ")
        .isEqualTo(note(Arrays.asList(many).reversed().toArray(Target[]::new)))
        .hasSizeLessThan(1024);
  }

  private static String note(Target... targets) {
    return PreemptionTexts.noteOnPreemptor(
        new PreemptionTexts.PreemptorDescription(
            "uid-w", "", "/root/dept/cq-w", new WorkloadPriority(4, 5)),
        "team",
        List.of(targets));
  }

  private static Target target(String namespace, int number) {
    return new Target(
        Candidates.of(
            new ObjectKey(namespace, "w-" + number),
            "cq-" + number,
            3,
            Instant.EPOCH,
            Amounts.none()),
        PreemptionReason.IN_CLUSTER_QUEUE);
  }
}
