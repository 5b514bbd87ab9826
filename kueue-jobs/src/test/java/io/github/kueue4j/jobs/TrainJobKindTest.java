// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.jobs.testing.FromYaml;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the core reads of a TrainJob and its JobSet, and what it writes. */
@Tag("quick")
class TrainJobKindTest {
  private static final TrainJobKind KIND = new TrainJobKind();

  private static final String FOREIGN =
      "{manager: example.com/a, time: '2026-01-05T08:00:00Z', trainingRuntimeSpec: {template: {spec:"
          + " {replicatedJobs: [{name: node, template: {spec: {template: {spec: {nodeSelector: {a:"
          + " b}, volumes: [{name: v, emptyDir: {}}]}}}}}]}}}}";

  private static final String MANAGER = "kueue.x-k8s.io/manager";

  /** As Kueue's webhook writes it into each TrainJob. */
  private static final String EMPTY =
      "{manager: " + MANAGER + ", trainingRuntimeSpec: {template: {spec: {}}}}";

  private static final PodSetAdditions ADDITIONS =
      new PodSetAdditions(
          "node",
          2,
          Map.of(),
          Map.of(Keys.WORKLOAD, new PodSetAdditions.Addition("w", "the core")),
          Map.of("flavor", new PodSetAdditions.Addition("spot", "a flavor")),
          List.of(),
          null);

  private static TrainJob job(boolean suspend, String patches, String pod, String jobSet) {
    TrainJob job =
        FromYaml.read(
            TrainJob.class,
            """
            apiVersion: trainer.kubeflow.org/v1alpha1
            kind: TrainJob
            metadata: {name: train, namespace: team, uid: u, resourceVersion: "1"}
            spec: {suspend: %s, trainer: {numNodes: 2}, runtimePatches: [%s]}
            """
                .formatted(suspend, patches));
    JobSet made =
        FromYaml.read(
            JobSet.class,
            """
            metadata: {name: train, namespace: team,
              ownerReferences: [{apiVersion: a/v1, kind: TrainJob, name: train, uid: u, controller: true}]}
            spec: {suspend: true, replicatedJobs: [{name: node, replicas: 1, template: {spec: {
              parallelism: 2, completions: 2, template: {spec: {%s containers: [{name: a}]}}}}}]}
            """
                .formatted(pod));
    return KIND.completed(
        job,
        type ->
            Optional.of(made)
                .map(there -> jobSet.isEmpty() ? there : FromYaml.read(JobSet.class, jobSet)));
  }

  private static TrainJob job(boolean suspend, String patches) {
    return job(suspend, patches, "", "");
  }

  private static JsonElement spec(TrainJob job) {
    return job.body().get("spec");
  }

  private static List<JsonElement> entries(TrainJob job) {
    return PATCHES.in(job.body()).orElseThrow().getAsJsonArray().asList();
  }

  private static TrainJob started(TrainJob job) {
    return KIND.start(job, List.of(ADDITIONS)) instanceof JobKind.Start.Ready<TrainJob> ready
        ? KIND.resumption(ready.after()).orElseThrow()
        : job;
  }

  /** What another manager has written stays as it is; the core's entry is left empty. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"''", FOREIGN, EMPTY, EMPTY + ", " + FOREIGN})
  void aStopTakesBackWhatAStartHasWritten(String foreign) {
    TrainJob before = KIND.trimmed(job(true, foreign));
    TrainJob started = started(before);
    assertThat(spec(started).toString())
        .contains("\"flavor\":\"spot\"", "\"kueue.x-k8s.io/job-uid\":\"u\"", "\"suspend\":false");
    JobKind.StopStep<TrainJob> first = KIND.nextStopStep(started, List.of()).orElseThrow();
    assertThat(PATCHES.in(first.after().body())).isEqualTo(PATCHES.in(started.body()));
    JobKind.StopStep<TrainJob> second = KIND.nextStopStep(first.after(), List.of()).orElseThrow();

    List<JsonElement> restored = entries(second.after());
    List<JsonElement> others = new ArrayList<>(entries(before));
    others.removeIf(entry -> entry.toString().contains(MANAGER));
    assertThat(restored.subList(0, restored.size() - 1)).isEqualTo(others);
    assertThat(restored.getLast()).isEqualTo(FromYaml.read(JsonObject.class, EMPTY));
    assertThat(KIND.suspended(second.after())).isTrue();
    assertThat(KIND.nextStopStep(second.after(), List.of())).isEmpty();
  }

  private static final FieldPath PATCHES = FieldPath.parse("spec.runtimePatches");

  @Test
  void anEntryWithoutAdditionsIsNoneOfAStart() {
    TrainJob job = job(true, EMPTY + ", " + FOREIGN);

    assertThat(KIND.nextStopStep(job, List.of())).isEmpty();
    JsonArray patches = PATCHES.in(started(job).body()).orElseThrow().getAsJsonArray();
    assertThat(patches).hasSize(2);
    assertThat(patches.get(1).toString())
        .as("no entry overrides it")
        .contains("kueue.x-k8s.io/manager", "job-uid");
  }

  /** A toleration that is written replaces those of the runtime. */
  @Test
  void tolerationsOfTheRuntimeStay() {
    TrainJob job = job(true, "", "tolerations: [{key: own, operator: Exists}],", "");
    PodSetAdditions tolerating =
        new PodSetAdditions(
            "node",
            2,
            Map.of(),
            Map.of(),
            Map.of(),
            List.of(
                FromYaml.read(
                    io.kubernetes.client.openapi.models.V1Toleration.class, "{key: spot}")),
            null);

    JobKind.Start<TrainJob> start = KIND.start(job, List.of(tolerating));

    assertThat(start).isInstanceOf(JobKind.Start.Ready.class);
    assertThat(spec(((JobKind.Start.Ready<TrainJob>) start).after()).toString())
        .contains("\"tolerations\":[{\"key\":\"own\",\"operator\":\"Exists\"},{\"key\":\"spot\"}]");
    assertThat(spec(started(job)).toString()).doesNotContain("tolerations");
  }

  /** Each is told, and nothing is decided by pods that aren't what the user asks for. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{metadata: {name: train}, spec: {suspend: true}} | its JobSet train doesn't exist yet",
        "{metadata: {name: train, ownerReferences: [{uid: u, controller: true}]}, spec: {suspend: false}} | its JobSet train isn't suspended",
        "{metadata: {name: train, ownerReferences: [{uid: u, controller: true}]}, spec: {suspend: true, replicatedJobs: [{name: node, template: {spec: {template: {metadata: {annotations: {kueue.x-k8s.io/workload: w}}}}}}]}} | or has what an earlier start has added",
        "'' | ''",
      })
  void podsThatAreNotKnownAreTold(String jobSet, String told) {
    Optional<String> why = KIND.unknownPods(job(true, "", "", jobSet));

    assertThat(why.orElse("")).contains(told);
    assertThat(why.isEmpty()).isEqualTo(jobSet.isEmpty());
  }

  @Test
  void aGateOfAnotherCoreIsRefusedSinceNoStartTakesItOff() {
    assertThat(
            KIND.refusal(job(true, "", "schedulingGates: [{name: kueue.x-k8s.io/topology}],", "")))
        .hasValueSatisfying(
            why -> assertThat(why).contains("pods of node", "kueue.x-k8s.io/topology"));
    assertThat(KIND.refusal(job(true, "", "schedulingGates: [{name: own}],", ""))).isEmpty();
  }

  @Test
  void itStopsOnlyWhenNoJobOfItsJobSetIsActive() {
    String active =
        "{metadata: {name: train, ownerReferences: [{uid: u, controller: true}]}, spec: {suspend:"
            + " true}, status: {replicatedJobsStatus: [{name: node, active: 1}]}}";
    String entry = EMPTY.replace("spec: {}", "spec: {replicatedJobs: [{name: node}]}");

    assertThat(KIND.stopped(job(true, "", "", active))).isFalse();
    assertThat(KIND.stopped(job(true, ""))).isTrue();
    assertThat(KIND.nextStopStep(job(true, entry, "", active), List.of()).orElseThrow().possible())
        .isFalse();
    assertThat(KIND.nextStopStep(job(true, entry), List.of()).orElseThrow().possible()).isTrue();
  }

  /** While its JobSet isn't known, its own status tells. */
  @ParameterizedTest
  @CsvSource({"0, true", "1, false"})
  void withoutItsJobSetItsOwnStatusTellsWhetherItRuns(int active, boolean stopped) {
    TrainJob job =
        FromYaml.read(
            TrainJob.class,
            "{spec: {suspend: true}, status: {jobsStatus: [{name: a, active: 0}, {name: b, active:"
                + " %d}]}}".formatted(active));

    assertThat(KIND.stopped(job)).isEqualTo(stopped);
  }

  @ParameterizedTest
  @CsvSource({
    "Complete, True, Succeeded",
    "Failed, True, Failed",
    "Failed, False, ''",
    "Suspended, True, ''"
  })
  void itsConditionsTellOfItsEnd(String type, String status, String result) {
    TrainJob job =
        FromYaml.read(
            TrainJob.class,
            "{status: {conditions: [{type: %s, status: '%s', message: m}]}}"
                .formatted(type, status));

    assertThat(KIND.finished(job).map(FinishedOwner::reason).orElse("")).isEqualTo(result);
  }

  /** An owner reference alone proves nothing. */
  @Test
  void onlyTheJobSetOfItsNameIsItsOwn() {
    TrainJob job = job(false, "");

    assertThat(KIND.creates(job, new ChildJob(JobSet.TYPE, "train", List.of(), true))).isTrue();
    assertThat(
            List.of(
                new ChildJob(JobSet.TYPE, "other", List.of(), true),
                new ChildJob(CoreTypes.JOB, "train", List.of(), true)))
        .noneMatch(forged -> KIND.creates(job, forged));
  }
}
