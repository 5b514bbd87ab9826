// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.recording;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** What the real core did on the embedded server is recorded, and a replay does the same. */
@Simulated
class RecordAndReplayTest {
  private static final Duration STEP = Duration.ofSeconds(10);

  @Test
  void aReplayWithoutChangesReservesTheSameInTheSameOrder() throws InterruptedException {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=3");
      cluster.startCore();
      try (RecordedCluster recorded = new RecordedCluster(cluster).start()) {
        for (int job = 0; job < 10; job++) {
          recorded.job("job-" + job, 1 + job % 2, Duration.ofSeconds(20 + 10 * (job % 3)), "");
          recorded.pass(STEP);
        }
        while (!recorded.allDone()) {
          recorded.pass(STEP);
        }
        byte[] file = recorded.end();

        ReplayReport report =
            MemoryRecording.replay(file, Configuration.defaults(), ReplayChanges.none());

        assertThat(report.differences()).isEmpty();
        assertThat(report.assumptions()).isEmpty();
        assertThat(report.recorded()).isEqualTo(10);
        assertThat(report.same()).isEqualTo(10);
        assertThat(MemoryRecording.said(report.replayed()))
            .isEqualTo(MemoryRecording.decisions(file));
        var queue = Objects.requireNonNull(report.queues().get("cq"));
        assertThat(queue.replayed().admitted()).isEqualTo(10);
        assertThat(queue.recorded().waits().getLast()).isGreaterThan(STEP);
        assertThat(queue.replayed().waits().getLast())
            .isBetween(
                queue.recorded().waits().getLast().minusSeconds(1),
                queue.recorded().waits().getLast().plusSeconds(1));

        ReplayReport more =
            MemoryRecording.replay(
                file,
                Configuration.defaults(),
                new ReplayChanges(Map.of("cq/cpu", "20"), List.of()));
        assertThat(Objects.requireNonNull(more.queues().get("cq")).replayed().waits().getLast())
            .isZero();
      }
    }
  }

  /** A recorder that comes later, a check that asks for a delay, a priority that preempts. */
  @Test
  void aRecordingMayBeginWhileJobsWaitAndRun() throws InterruptedException {
    try (TestCluster cluster = new TestCluster()) {
      cluster.apply(
          """
          {apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass,
            metadata: {name: high}, value: 10}
          """);
      cluster.check("budget");
      cluster.queue(
          "preemption: {withinClusterQueue: LowerPriority},"
              + " admissionChecksStrategy: {admissionChecks: [{name: budget}]}",
          "default=2");
      cluster.startCore();
      RecordedCluster jobs = new RecordedCluster(cluster);
      jobs.job("runs", 2, Duration.ofSeconds(60), "");
      cluster.answer("runs", "budget", CheckState.READY, null);
      jobs.pass(STEP);
      jobs.job("waits", 1, Duration.ofSeconds(30), "");
      jobs.pass(STEP);
      try (RecordedCluster recorded = jobs.start()) {
        recorded.pass(STEP);
        recorded.job(
            "preempts", 1, Duration.ofSeconds(20), ", kueue.x-k8s.io/priority-class: high");
        for (int step = 0; step < 40 && !recorded.allDone(); step++) {
          recorded.pass(STEP);
          for (String job : List.of("runs", "waits", "preempts")) {
            answer(cluster, job, step);
            recorded.settle();
          }
        }
        assertThat(recorded.allDone()).isTrue();
        byte[] file = recorded.end();

        ReplayReport report =
            MemoryRecording.replay(file, Configuration.defaults(), ReplayChanges.none());

        assertThat(report.differences()).isEmpty();
        assertThat(MemoryRecording.said(report.replayed()))
            .isEqualTo(MemoryRecording.decisions(file))
            .anyMatch(decision -> decision.contains("was evicted: Preempted"))
            .anyMatch(decision -> decision.contains("was evicted: AdmissionCheck"));
        // What the Jobs' containers carry is in the Workload, and not in the file.
        assertThat(KueueJson.toJson(cluster.workload("runs"))).contains("s3cr3t-marker");
        assertThat(unzipped(file))
            .contains("job-runs", "{\"reason\":\"AdmissionCheck\",\"count\":")
            .doesNotContain("s3cr3t-marker");

        ReplayReport free =
            MemoryRecording.replay(
                file, Configuration.defaults(), new ReplayChanges(Map.of(), List.of("budget")));
        assertThat(MemoryRecording.said(free.replayed()))
            .noneMatch(decision -> decision.contains("evicted: AdmissionCheck"));
      }
    }
  }

  @Test
  void whatACheckRejectedDoesNotWaitToTheEnd() throws InterruptedException {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue("admissionChecksStrategy: {admissionChecks: [{name: budget}]}", "default=1");
      cluster.startCore();
      try (RecordedCluster recorded = new RecordedCluster(cluster).start()) {
        recorded.job("rejected", 1, Duration.ofHours(1), "");
        recorded.pass(STEP);
        cluster.answer("rejected", "budget", CheckState.REJECTED, null);
        recorded.pass(STEP);
        recorded.job("runs", 1, Duration.ofHours(1), "");
        recorded.pass(STEP);
        cluster.answer("runs", "budget", CheckState.READY, null);
        recorded.pass(STEP);
        recorded.job("waits", 1, Duration.ofHours(1), "");
        recorded.pass(STEP);

        ReplayReport report =
            MemoryRecording.replay(recorded.end(), Configuration.defaults(), ReplayChanges.none());

        var queue = Objects.requireNonNull(report.queues().get("cq"));
        assertThat(List.of(queue.recorded(), queue.replayed()))
            .allSatisfy(
                figures -> {
                  assertThat(figures.admitted()).isEqualTo(1);
                  assertThat(figures.notAdmitted()).as("the one that waits").isEqualTo(1);
                  assertThat(figures.deactivated()).as("the rejected one").isEqualTo(1);
                });
      }
    }
  }

  /** The check delays the second Job at first, and lets all others through. */
  private static void answer(TestCluster cluster, String job, int step) {
    boolean asked =
        cluster.workload(job).conditions().holdsQuota()
            && cluster
                .workload(job)
                .status()
                .admissionCheck("budget")
                .filter(entry -> entry.is(CheckState.PENDING))
                .isPresent();
    if (asked) {
      boolean delays = job.equals("waits") && step < 15;
      cluster.answer(
          job, "budget", delays ? CheckState.RETRY : CheckState.READY, delays ? 40 : null);
    }
  }

  private static String unzipped(byte[] file) {
    try (GZIPInputStream zip = new GZIPInputStream(new ByteArrayInputStream(file))) {
      return new String(zip.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
