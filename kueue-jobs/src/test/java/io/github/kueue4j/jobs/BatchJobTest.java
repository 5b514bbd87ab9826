// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import static io.github.kueue4j.jobs.testing.FromYaml.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1JobStatus;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BatchJobTest {
  private static final BatchJob KIND = new BatchJob();
  private static final String POD =
      "{metadata: {labels: {app: x}}, spec: {nodeSelector: {zone: a}, tolerations: [{key: t,"
          + " operator: Exists}], containers: [{name: c}]}}";

  @ParameterizedTest
  @CsvSource({
    "'', 1",
    "'parallelism: 3,', 3",
    "'parallelism: 3, completions: 2,', 2",
    "'completions: 5,', 1",
    "'parallelism: 0,', 0"
  })
  void requestsAsManyPodsAsRunInParallel(String spec, int expected) {
    assertThat(KIND.podSets(job("{spec: {" + spec + " template: " + POD + "}}")))
        .singleElement()
        .satisfies(podSet -> assertThat(podSet.count()).isEqualTo(expected));
  }

  @Test
  void thePodSetHasNoLabelsOfTheJobItselfAndTheJobIsNotTouched() {
    V1Job job =
        job(
            "{spec: {template: {metadata: {labels: {app: x, controller-uid: u, job-name: n,"
                + " batch.kubernetes.io/job-name: n}}}}}");
    PodSet podSet = KIND.podSets(job).getFirst();

    assertThat(Objects.requireNonNull(podSet.template().getMetadata()).getLabels())
        .isEqualTo(Map.of("app", "x", "batch.kubernetes.io/job-name", "n"));
    assertThat(template(job).getMetadata().getLabels()).hasSize(4);
  }

  @Test
  void startsWithTheAdditionsOfFlavorsAndChecks() {
    V1Job before = job("{metadata: {name: j}, spec: {suspend: true, template: " + POD + "}}");
    V1Job started = start(before, workload("{nodeSelector: {rack: r7}, annotations: {pr: x}}"));

    assertThat(Objects.requireNonNull(started.getSpec()).getSuspend()).isFalse();
    assertThat(template(started).getSpec().getNodeSelector())
        .isEqualTo(Map.of("zone", "a", "tier", "spot", "rack", "r7"));
    assertThat(template(started).getSpec().getTolerations())
        .extracting(toleration -> toleration.getKey())
        .containsExactly("t", "spot");
    assertThat(template(started).getMetadata().getLabels())
        .isEqualTo(
            Map.of(
                "app", "x",
                "kueue.x-k8s.io/podset", "main",
                "kueue.x-k8s.io/local-queue-name", "lq",
                "kueue.x-k8s.io/cluster-queue-name", "cq"));
    assertThat(template(started).getMetadata().getAnnotations())
        .isEqualTo(Map.of("pr", "x", "kueue.x-k8s.io/workload", "job-j-1"));
    assertThat(before)
        .isEqualTo(job("{metadata: {name: j}, spec: {suspend: true, template: " + POD + "}}"));
  }

  @Test
  void doesNotStartWithContradictingNodeLabels() {
    V1Job job = job("{spec: {suspend: true, template: {spec: {nodeSelector: {tier: reserved}}}}}");

    assertThat(
            KIND.start(
                job,
                PodSetAdditions.of(
                    workload("{}"), admission(workload("{}")), BatchJobTest::flavor)))
        .isEqualTo(
            new JobKind.Start.Impossible<V1Job>(
                "pod set main: node selector tier is \"reserved\" for the pod template, but"
                    + " \"spot\" for ResourceFlavor \"spot\""));
  }

  /**
   * A user ran and suspended the Job before it was queued; the Job controller keeps the start time.
   */
  @Test
  void losesItsStartTimeBeforeItIsStarted() {
    V1Job job = job("{metadata: {name: j}, spec: {suspend: true, template: " + POD + "}}");
    job.setStatus(new V1JobStatus().startTime(OffsetDateTime.parse("2026-01-05T08:00:00Z")));

    assertThat(
            KIND.start(
                job,
                PodSetAdditions.of(
                    workload("{}"), admission(workload("{}")), BatchJobTest::flavor)))
        .isInstanceOfSatisfying(
            JobKind.Start.ResetFirst.class,
            reset ->
                assertThat(reset.after())
                    .isEqualTo(
                        job("{metadata: {name: j}, spec: {suspend: true, template: " + POD + "}}")
                            .status(new V1JobStatus())));
  }

  @Test
  void stopsInThreeStepsAndIsRestored() {
    V1Job original = job("{metadata: {name: j}, spec: {suspend: true, template: " + POD + "}}");
    V1Job running = start(original, workload("{nodeSelector: {rack: r7}}"));
    Objects.requireNonNull(running)
        .setStatus(
            new V1JobStatus().active(2).startTime(OffsetDateTime.parse("2026-01-05T08:00:00Z")));

    V1Job suspending = step(running, original, false);
    assertThat(KIND.suspended(suspending)).isFalse();
    assertThat(template(suspending)).isEqualTo(template(running));
    assertThat(KIND.nextStopStep(suspending, KIND.podSets(original)))
        .as("until its pods are gone")
        .hasValueSatisfying(step -> assertThat(step.possible()).isFalse());
    Objects.requireNonNull(suspending.getStatus()).setActive(0);
    V1Job cleared = step(suspending, original, true);
    assertThat(Objects.requireNonNull(cleared.getStatus()).getStartTime()).isNull();
    V1Job restored = step(cleared, original, false);

    assertThat(template(restored)).isEqualTo(template(original));
    assertThat(KIND.suspended(restored)).isTrue();
    assertThat(KIND.nextStopStep(restored, KIND.podSets(original))).isEmpty();
    assertThat(KIND.stopped(restored)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "'parallelism: 3, completions: 9,', 'succeeded: 5', 0",
    "'parallelism: 3, completions: 9,', 'succeeded: 8', 2",
    "'parallelism: 3, completions: 9,', 'succeeded: 9', 3",
    "'parallelism: 3,', 'succeeded: 1', 1",
    "'parallelism: 9, completions: 3,', 'succeeded: 1', 1",
    "'parallelism: 1, completions: 9,', 'succeeded: 9', 0",
    "'parallelism: 3, completions: 5, completionMode: Indexed,', 'completedIndexes: \"0,2-3\"', 1",
    "'parallelism: 3, completions: 5, completionMode: Indexed,', 'completedIndexes: \"0,2\", failedIndexes: \"2,4\"', 1",
    "'parallelism: 3, completions: 5, completionMode: Indexed,', 'completedIndexes: \"\", succeeded: 4', 0",
    "'parallelism: 3, completions: 5, completionMode: Indexed,', 'completedIndexes: \"3-x,y\"', 0",
    "'parallelism: 3, completions: 5, completionMode: Indexed,', 'completedIndexes: \"0-2147483647\"', 3",
    "'parallelism: 3, completions: 5, completionMode: Indexed,', 'completedIndexes: \"5-2147483647,7\"', 0",
    "'parallelism: 3, completions: 5, completionMode: Indexed,', 'completedIndexes: \"9999999999-0,4-1\"', 0",
    "'parallelism: 3, completions: 5, completionMode: Indexed,', 'completedIndexes: \"3-4,1-3,3\"', 2",
    "'parallelism: 3, completions: 2147483647, completionMode: Indexed,', 'completedIndexes: \"0-2147483645\"', 2",
    "'parallelism: 3, completions: 2147483647, completionMode: Indexed,', 'completedIndexes: \"0-2147483647\"', 3"
  })
  void podsThatWillNotRunAgainAreReclaimable(String spec, String status, int expected) {
    V1Job job = job("{spec: {%s template: %s}, status: {%s}}".formatted(spec, POD, status));

    assertThat(KIND.reclaimablePods(job).getOrDefault("main", 0)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "'', false",
    "'ready: 2', false",
    "'ready: 3', true",
    "'ready: 1, succeeded: 2', true",
    "'ready: 1, succeeded: 1, uncountedTerminatedPods: {succeeded: [u]}', true",
    "'ready: 1, succeeded: 1, uncountedTerminatedPods: {failed: [u]}', false",
    "'active: 3', false"
  })
  void itsPodsAreReadyWhenAsManyAsRunAtOnceAreReadyOrHaveSucceeded(
      String status, boolean expected) {
    V1Job job =
        job(
            "{spec: {parallelism: 3, completions: 9, template: %s}, status: {%s}}"
                .formatted(POD, status));

    assertThat(KIND.podsReady(job)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"2, 2", "003, 3", "4, ", "9, ", "0, ", "-1, ", "many, ", "99999999999, "})
  void mayRunWithFewerPodsByAnnotation(String annotation, Integer expected) {
    V1Job job =
        job(
            "{metadata: {annotations: {kueue.x-k8s.io/job-min-parallelism: '%s'}}, spec: {parallelism: 4, completions: 8, template: %s}}"
                .formatted(annotation, POD));

    assertThat(KIND.podSets(job).getFirst().minCount()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"'true', 1", "'false', 4"})
  void runsWithFewerPodsAndIsRestoredToAllWhenStopped(String equal, int completions) {
    V1Job original =
        job(
            "{metadata: {name: j, annotations: {kueue.x-k8s.io/job-min-parallelism: '1', kueue.x-k8s.io/job-completions-equal-parallelism: '%s'}}, spec: {suspend: true, completionMode: Indexed, parallelism: 4, completions: 4, template: %s}}"
                .formatted(equal, POD));

    V1Job running = start(original, workload("{}"));

    assertThat(Objects.requireNonNull(running.getSpec()).getParallelism()).isEqualTo(1);
    assertThat(running.getSpec().getCompletions()).isEqualTo(completions);
    V1Job restored = step(step(running, original, false), original, false);
    assertThat(restored.getSpec()).isEqualTo(original.getSpec());
  }

  /** The API server refuses other completions of the first; the second would lose four of them. */
  @ParameterizedTest
  @CsvSource({"NonIndexed, 4", "Indexed, 8"})
  void completionsThatCannotEqualTheParallelismStay(String mode, int completions) {
    V1Job original =
        job(
            "{metadata: {name: j, annotations: {kueue.x-k8s.io/job-min-parallelism: '1', kueue.x-k8s.io/job-completions-equal-parallelism: 'true'}}, spec: {suspend: true, completionMode: %s, parallelism: 4, completions: %d, template: %s}}"
                .formatted(mode, completions, POD));

    V1Job running = start(original, workload("{}"));

    assertThat(Objects.requireNonNull(running.getSpec()).getParallelism()).isEqualTo(1);
    assertThat(running.getSpec().getCompletions()).isEqualTo(completions);
    V1Job restored = step(step(running, original, false), original, false);
    assertThat(restored.getSpec()).isEqualTo(original.getSpec());
  }

  /**
   * Two of four are done: no more than the two admitted can run, so the parallelism needn't change.
   */
  @ParameterizedTest
  @CsvSource({"3, 4", "2, 4", "1, 1"})
  void runsWithFewerPodsOnlyIfMoreCouldRun(int admitted, int parallelism) {
    V1Job original =
        job(
            "{metadata: {name: j, annotations: {kueue.x-k8s.io/job-min-parallelism: '1'}}, spec: {suspend: true, parallelism: 4, completions: 4, template: %s}, status: {succeeded: 2}}"
                .formatted(POD));

    V1Job running = start(original, workload("{}", admitted));

    assertThat(Objects.requireNonNull(running.getSpec()).getParallelism()).isEqualTo(parallelism);
    assertThat(running.getSpec().getCompletions()).isEqualTo(4);
  }

  /** With one completion for one admitted pod, the Job would count as complete. */
  @ParameterizedTest
  @CsvSource({"'true', '', 1", "'true', '0,1', ", "'false', '0,1', 1"})
  void cannotReduceCompletionsOnceSomeAreDone(String equal, String done, Integer expected) {
    V1Job job =
        job(
            "{metadata: {annotations: {kueue.x-k8s.io/job-min-parallelism: '1', kueue.x-k8s.io/job-completions-equal-parallelism: '%s'}}, spec: {completionMode: Indexed, parallelism: 4, completions: 4, template: %s}, status: {completedIndexes: '%s'}}"
                .formatted(equal, POD, done));

    assertThat(KIND.podSets(job).getFirst().minCount()).isEqualTo(expected);
  }

  @Test
  void aJobThatNeedsAllItsPodsIsNotResized() {
    V1Job original = job("{spec: {suspend: true, parallelism: 4, template: " + POD + "}}");

    assertThat(Objects.requireNonNull(start(original, workload("{}")).getSpec()).getParallelism())
        .isEqualTo(4);
  }

  @ParameterizedTest
  @CsvSource({"Complete,True,Succeeded", "Failed,True,Failed", "Failed,False,", "Suspended,True,"})
  void finishesWithItsCondition(String type, String status, String reason) {
    V1Job job =
        job(
            "{status: {conditions: [{type: %s, status: '%s', message: m}]}}"
                .formatted(type, status));

    assertThat(KIND.finished(job))
        .isEqualTo(Optional.ofNullable(reason).map(r -> new FinishedOwner(r, "m")));
  }

  @Test
  void namesOfWorkloadsFitAndDistinguishJobsOfTheSameName() {
    V1Job first = job("{metadata: {name: j, namespace: ns, uid: u1}}");
    V1Job second = job("{metadata: {name: j, namespace: ns, uid: u2}}");
    V1Job longest = job("{metadata: {name: " + "x".repeat(250) + ", namespace: ns, uid: u}}");

    // The first five digits of sha1("Job\nbatch\nj\nu1"), computed with another tool.
    assertThat(JobWorkloadKeys.of(CoreTypes.JOB, first))
        .isEqualTo(new ObjectKey("ns", "job-j-b3065"));
    assertThat(JobWorkloadKeys.of(CoreTypes.JOB, second))
        .isNotEqualTo(JobWorkloadKeys.of(CoreTypes.JOB, first));
    assertThat(JobWorkloadKeys.of(CoreTypes.JOB, longest).name())
        .hasSize(253)
        .isLowerCase()
        .isEqualTo(JobWorkloadKeys.of(CoreTypes.JOB, longest).name().toLowerCase(Locale.ROOT));
  }

  private static V1Job start(V1Job job, Workload workload) {
    return KIND.start(job, PodSetAdditions.of(workload, admission(workload), BatchJobTest::flavor))
            instanceof JobKind.Start.Ready<V1Job> ready
        ? ready.after()
        : new V1Job();
  }

  private static V1Job step(V1Job job, V1Job original, boolean inStatus) {
    JobKind.StopStep<V1Job> step = KIND.nextStopStep(job, KIND.podSets(original)).orElseThrow();
    assertThat(step.write() == JobKind.StopWrite.STATUS).isEqualTo(inStatus);
    assertThat(step.possible()).isTrue();
    return step.after();
  }

  private static Admission admission(Workload workload) {
    return Objects.requireNonNull(workload.status().admission());
  }

  private static Workload workload(String update) {
    return workload(update, 1);
  }

  private static Workload workload(String update, int count) {
    return read(
        Workload.class,
        """
        {metadata: {name: job-j-1, namespace: ns}, spec: {queueName: lq}, status: {
          admission: {clusterQueue: cq, podSetAssignments: [
            {name: main, flavors: {cpu: spot, memory: spot}, count: %d}]},
          admissionChecks: [{name: c, state: Ready, podSetUpdates: [
            {name: main}, {name: other, nodeSelector: {no: no}}]},
            {name: d, state: Ready, podSetUpdates: [%s]}]}}
        """
            .formatted(count, "{name: main, " + update.substring(1)));
  }

  private static ResourceFlavor flavor(String name) {
    return read(
        ResourceFlavor.class,
        "{metadata: {name: %s}, spec: {nodeLabels: {tier: spot}, tolerations: [{key: spot}]}}"
            .formatted(name));
  }

  private static V1PodTemplateSpec template(V1Job job) {
    return Objects.requireNonNull(job.getSpec()).getTemplate();
  }

  private static V1Job job(String yaml) {
    return read(V1Job.class, yaml);
  }
}
