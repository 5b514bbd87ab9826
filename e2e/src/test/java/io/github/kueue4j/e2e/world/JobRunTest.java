// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1JobCondition;
import io.kubernetes.client.openapi.models.V1JobSpec;
import io.kubernetes.client.openapi.models.V1JobStatus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodCondition;
import io.kubernetes.client.openapi.models.V1PodStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JobRunTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Duration RUNTIME = Duration.ofMinutes(10);

  @Test
  void aSuspendedJobEndsItsPodsAndSaysSo() {
    V1Pod running = pod(0, "Running", NOW.minusSeconds(5));

    JobRun run = JobRun.decide(job(true, 2), List.of(running), NOW, RUNTIME);

    assertThat(run.delete()).containsExactly(running);
    assertThat(run.start()).isEmpty();
    assertThat(conditions(run)).containsEntry("Suspended", "True");
  }

  @Test
  void aSuspendedJobIsInactiveAtOnceAndCountsThePodsThatTerminate() {
    V1Pod running = pod(0, "Running", NOW.minusSeconds(5));
    V1Pod terminating = pod(1, "Running", NOW.minusSeconds(5));
    terminating.getMetadata().setDeletionTimestamp(NOW.plusSeconds(30).atOffset(ZoneOffset.UTC));

    JobRun run = JobRun.decide(job(true, 2), List.of(running, terminating), NOW, RUNTIME);

    assertThat(run.delete()).containsExactly(running);
    assertThat(run.status().getActive()).isNull();
    assertThat(run.status().getTerminating()).isEqualTo(2);
    assertThat(JobRun.decide(job(true, 2), List.of(), NOW, RUNTIME).status().getTerminating())
        .isZero();
  }

  @Test
  void aPodThatTerminatesIsReplacedAndKeepsTheJobFromEnding() {
    V1Pod terminating = pod(0, "Running", NOW.minusSeconds(5));
    terminating.getMetadata().setDeletionTimestamp(NOW.plusSeconds(30).atOffset(ZoneOffset.UTC));

    JobRun replaced = JobRun.decide(job(false, 1), List.of(terminating), NOW, RUNTIME);
    assertThat(replaced.start()).containsExactly(0);
    assertThat(replaced.status().getTerminating()).isEqualTo(1);

    V1Pod done = pod(0, "Succeeded", NOW);
    JobRun waiting = JobRun.decide(job(false, 1), List.of(terminating, done), NOW, RUNTIME);
    assertThat(conditions(waiting)).doesNotContainKey("Complete");
    assertThat(conditions(JobRun.decide(job(false, 1), List.of(done), NOW, RUNTIME)))
        .containsEntry("Complete", "True");
  }

  @Test
  void aResumedJobStartsItsClockAnew() {
    V1Job job = job(false, 1);
    job.getStatus()
        .startTime(NOW.minusSeconds(3600).atOffset(ZoneOffset.UTC))
        .conditions(List.of(new V1JobCondition().type("Suspended").status("True")));

    JobRun run = JobRun.decide(job, List.of(), NOW, RUNTIME);

    assertThat(run.start()).containsExactly(0);
    assertThat(run.status().getStartTime()).isEqualTo(NOW.atOffset(ZoneOffset.UTC));
    assertThat(conditions(run)).containsEntry("Suspended", "False");
  }

  @Test
  void aPodThatWaitsForItsImageIsActiveButNeverReadyAndNeverDone() {
    V1Pod waiting = pod(0, "Pending", NOW.minus(RUNTIME).minusSeconds(1));

    JobRun run = JobRun.decide(job(false, 1), List.of(waiting), NOW, RUNTIME);

    assertThat(run.succeed()).isEmpty();
    assertThat(run.wakeAt()).isEmpty();
    assertThat(run.start()).isEmpty();
    assertThat(run.status().getActive()).isEqualTo(1);
    assertThat(run.status().getReady()).isZero();
  }

  @Test
  void podsRunTogetherUpToTheParallelism() {
    V1Job job = job(false, 2);
    job.getSpec().setCompletions(5);

    JobRun run = JobRun.decide(job, List.of(pod(0, "Succeeded", NOW)), NOW, RUNTIME);

    assertThat(run.start()).containsExactly(1, 2);
    assertThat(run.status().getSucceeded()).isEqualTo(1);
  }

  @Test
  void aPodSucceedsWhenItsTimeIsUpAndNotBefore() {
    V1Pod early = pod(0, "Running", NOW.minus(RUNTIME).plusSeconds(1));
    V1Pod due = pod(1, "Running", NOW.minus(RUNTIME));

    JobRun run = JobRun.decide(job(false, 2), List.of(early, due), NOW, RUNTIME);

    assertThat(run.succeed()).containsExactly(due);
    assertThat(run.status().getActive()).isEqualTo(2);
  }

  @Test
  void theNextLookIsWhenTheFirstPodEnds() {
    V1Pod first = pod(0, "Running", NOW.minusSeconds(60));
    V1Pod second = pod(1, "Running", NOW);

    assertThat(JobRun.decide(job(false, 2), List.of(first, second), NOW, RUNTIME).wakeAt())
        .contains(NOW.minusSeconds(60).plus(RUNTIME));
  }

  @Test
  void allCompletionsMakeTheJobComplete() {
    JobRun run =
        JobRun.decide(
            job(false, 2),
            List.of(pod(0, "Succeeded", NOW), pod(1, "Succeeded", NOW)),
            NOW,
            RUNTIME);

    assertThat(conditions(run))
        .containsEntry("SuccessCriteriaMet", "True")
        .containsEntry("Complete", "True");
    assertThat(run.status().getSucceeded()).isEqualTo(2);
    assertThat(run.status().getActive()).isNull();
    assertThat(run.status().getCompletionTime()).isEqualTo(NOW.atOffset(ZoneOffset.UTC));
  }

  @Test
  void aFinishedJobIsLeftAlone() {
    V1Job job = job(false, 1);
    job.getStatus().conditions(List.of(new V1JobCondition().type("Complete").status("True")));

    JobRun run = JobRun.decide(job, List.of(), NOW, RUNTIME);

    assertThat(run.start()).isEmpty();
    assertThat(run.status()).isEqualTo(job.getStatus());
  }

  @Test
  void aFailedPodIsCountedAndReplaced() {
    V1Job job = job(false, 2);

    JobRun run =
        JobRun.decide(job, List.of(pod(0, "Failed", NOW), pod(1, "Running", NOW)), NOW, RUNTIME);

    assertThat(run.start()).containsExactly(0);
    assertThat(run.status().getFailed()).isEqualTo(1);
    assertThat(run.status().getSucceeded()).isNull();
    assertThat(run.status().getActive()).isEqualTo(1);
  }

  @Test
  void tooManyFailuresEndThePodsAndThenTheJob() {
    V1Job job = job(false, 2);
    job.getSpec().setBackoffLimit(0);
    V1Pod failed = pod(0, "Failed", NOW);
    V1Pod running = pod(1, "Running", NOW);

    JobRun ending = JobRun.decide(job, List.of(failed, running), NOW, RUNTIME);
    assertThat(ending.delete()).containsExactly(running);
    assertThat(ending.start()).isEmpty();
    assertThat(conditions(ending)).containsOnlyKeys("FailureTarget");

    JobRun ended = JobRun.decide(job, List.of(failed), NOW, RUNTIME);
    assertThat(conditions(ended)).containsEntry("Failed", "True");
    assertThat(ended.status().getActive()).isNull();
  }

  @Test
  void onlyPodsThatSaySoAreReady() {
    V1Pod ready = pod(0, "Running", NOW);
    ready.getStatus().conditions(List.of(new V1PodCondition().type("Ready").status("True")));
    V1Pod unready = pod(1, "Running", NOW);
    unready.getStatus().conditions(List.of(new V1PodCondition().type("Ready").status("False")));

    JobRun run = JobRun.decide(job(false, 2), List.of(ready, unready), NOW, RUNTIME);

    assertThat(run.status().getActive()).isEqualTo(2);
    assertThat(run.status().getReady()).isEqualTo(1);
  }

  private static Map<String, String> conditions(JobRun run) {
    return run.status().getConditions().stream()
        .collect(
            java.util.stream.Collectors.toMap(V1JobCondition::getType, V1JobCondition::getStatus));
  }

  private static V1Job job(boolean suspend, int parallelism) {
    return new V1Job()
        .metadata(new V1ObjectMeta().namespace("team").name("train"))
        .spec(new V1JobSpec().suspend(suspend).parallelism(parallelism))
        .status(new V1JobStatus());
  }

  private static V1Pod pod(int index, String phase, Instant started) {
    return new V1Pod()
        .metadata(
            new V1ObjectMeta()
                .name("train-" + index)
                .labels(Map.of(JobRun.INDEX, Integer.toString(index))))
        .status(new V1PodStatus().phase(phase).startTime(started.atOffset(ZoneOffset.UTC)));
  }
}
