// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.jobs.BatchJob;
import io.github.kueue4j.runtime.client.EventRecorder;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Status;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is remembered of Jobs that run on although they were suspended. */
class UnheededStopsTest {
  private static final V1Job JOB = job("train", "u1");
  private static final V1Job OTHER = job("other", "u2");

  private final List<String> events = new ArrayList<>();
  private final BatchJob kind = new BatchJob();
  private Instant now = Instant.parse("2026-03-01T08:00:00Z");
  private Workload workload = Workload.named("team", "w");
  private final UnheededStops stops =
      new UnheededStops(new Recorder(events), new Unlistened(), () -> now);

  private static V1Job job(String name, String uid) {
    return new V1Job().metadata(new V1ObjectMeta().namespace("team").name(name).uid(uid));
  }

  private void pass(Duration duration) {
    now = now.plus(duration);
  }

  /** The condition of the Workload, after what is to be written is. */
  private Optional<Condition> written() {
    workload = stops.told(workload, Optional.of(JOB)).orElse(workload);
    return workload.conditions().find(WorkloadConditions.SUSPENSION_UNHEEDED);
  }

  @Test
  @ExpectedLog(logger = "UnheededStops", message = "A Job runs on although it was suspended")
  void theConditionNamesTheJobAndIsGoneWhenItHasStopped() {
    stops.runs(kind, JOB);
    pass(Duration.ofMinutes(4));
    stops.runs(kind, JOB);
    assertThat(written()).isEmpty();
    assertThat(stops.nextLook(JOB)).contains(now.plus(Duration.ofMinutes(1)));

    pass(Duration.ofMinutes(1));
    stops.runs(kind, JOB);
    assertThat(written())
        .hasValueSatisfying(
            condition -> {
              assertThat(condition.isTrue()).isTrue();
              assertThat(condition.reason()).isEqualTo("PodsRunOn");
              assertThat(condition.message())
                  .startsWith("Job train: Its controller has not ended its pods in the 5 minutes")
                  .endsWith("heeds spec.suspend");
            });
    pass(Duration.ofMinutes(9));
    stops.runs(kind, JOB);
    assertThat(stops.told(workload, Optional.of(JOB))).as("it says so already").isEmpty();
    assertThat(events).as("told once each").containsExactly("V1Job", "Workload");

    stops.forget(JOB);
    assertThat(written()).isEmpty();
  }

  @Test
  @ExpectedLog(logger = "UnheededStops", message = "A Job runs on although it was suspended")
  void whatAnEarlierCoreHasToldStaysWhileThatIsSo() {
    stops.dropped(kind, JOB);
    Condition told = written().orElseThrow();
    assertThat(told.reason()).isEqualTo("SuspensionDropped");
    UnheededStops next = new UnheededStops(new Recorder(events), new Unlistened(), () -> now);

    next.runs(kind, JOB);

    assertThat(next.told(workload, Optional.of(JOB))).isEmpty();
    assertThat(next.told(workload, Optional.of(OTHER)))
        .hasValueSatisfying(
            without ->
                assertThat(without.conditions().find(WorkloadConditions.SUSPENSION_UNHEEDED))
                    .isEmpty());
  }

  /** Of Jobs that are deleted while they run on, nothing tells that they have stopped. */
  @Test
  @ExpectedLog(logger = "UnheededStops", message = "A Job runs on although it was suspended")
  void aJobThatIsNotLookedAtForAnHourIsForgotten() {
    stops.dropped(kind, JOB);
    assertThat(written()).isPresent();
    pass(Duration.ofMinutes(60));
    stops.runs(kind, OTHER);
    assertThat(written()).as("remembered for an hour").isPresent();

    pass(Duration.ofMinutes(6));
    stops.runs(kind, OTHER);

    assertThat(written()).isEmpty();
    assertThat(stops.nextLook(OTHER)).as("one that is looked at isn't").isEmpty();
    assertThat(events).containsExactly("V1Job", "Workload", "V1Job");
  }

  /** Words of RBAC, of a webhook, and of one whose account lacks a right. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "jobs.batch \"train\" is forbidden: User \"core\" cannot patch resource \"jobs\"; Give the core's",
        "admission webhook \"w\" denied the request: no; names a webhook",
        "admission webhook \"w\" denied the request: jobs \"a\" is forbidden: User \"w\" cannot get; names a webhook"
      })
  @ExpectedLog(logger = "UnheededStops", message = "The API server refuses the stop of a Job")
  void aStopThatIsRefusedForAMinuteIsToldWithItsRemedyAndTriedAgain(String words, String remedy) {
    KubernetesApiException refusal =
        new KubernetesApiException.Forbidden("patch: 403", new V1Status().message(words));
    stops.refused(kind, JOB, refusal);
    assertThat(written()).as("it may be refused since a controller is behind").isEmpty();
    assertThat(stops.nextLook(JOB)).contains(now.plus(Duration.ofMinutes(1)));

    pass(Duration.ofMinutes(1));
    stops.refused(kind, JOB, refusal);
    assertThat(written().orElseThrow().message()).contains(words, remedy);
    assertThat(stops.nextLook(JOB)).contains(now.plus(Duration.ofMinutes(1)));

    stops.runs(kind, JOB);
    assertThat(stops.nextLook(JOB))
        .as("it was suspended now, and its pods have time to end")
        .contains(now.plus(Duration.ofMinutes(5)));
  }

  /** Its pods are in their grace period, of which nothing is told. */
  @Test
  @ExpectedLog(logger = "UnheededStops", message = "The API server refuses the stop of a Job")
  void aStopThatIsAcceptedAtLastIsToldNoMore() {
    KubernetesApiException refusal = new KubernetesApiException.Forbidden("no", null);
    stops.refused(kind, JOB, refusal);
    pass(Duration.ofMinutes(1));
    stops.refused(kind, JOB, refusal);
    assertThat(written()).isPresent();

    stops.accepted(JOB);

    assertThat(written()).isEmpty();
    assertThat(stops.nextLook(JOB)).isEmpty();
  }

  private record Recorder(List<String> events) implements EventRecorder {
    @Override
    public void normal(KubernetesObject regarding, String reason, String action, String note) {
      throw new AssertionError(note);
    }

    @Override
    public void warning(KubernetesObject regarding, String reason, String action, String note) {
      assertThat(reason).isEqualTo("SuspensionUnheeded");
      events.add(regarding.getClass().getSimpleName());
    }

    @Override
    public void close() {}
  }

  private static final class Unlistened implements JobListener {
    @Override
    public void workloadCreated(ResourceType<?> type, KubernetesObject job) {}

    @Override
    public void suspensionUnheeded(String framework) {}
  }
}
