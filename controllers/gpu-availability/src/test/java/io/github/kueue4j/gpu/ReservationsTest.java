// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import static io.github.kueue4j.gpu.GpuWorld.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ReclaimablePod;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.Verdict;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1Pod;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A Ready keeps room until the pods are bound, and nothing is given away twice. */
class ReservationsTest {

  private static final Duration TIMEOUT = GpuPolicy.defaults().reservationTimeout();
  private final GpuWorld world = new GpuWorld();

  private void ready(String name, long gpus) {
    assertThat(world.ask(name, gpus)).as(name).isInstanceOf(Verdict.Ready.class);
    world.workloads.remove(new ObjectKey("team-a", name));
  }

  private void sentBack(String name, long gpus) {
    assertThat(world.ask(name, gpus)).as(name).isInstanceOf(Verdict.Retry.class);
    world.workloads.remove(new ObjectKey("team-a", name));
  }

  @Test
  void whatWasLetThroughCountsBeforeAndAfterItsPodsRunAndOnlyOnce() {
    world.node("n1", 8);
    world.letThrough(workload("first", CheckState.PENDING, 6));
    sentBack("second", 3);
    ready("third", 2);

    world.pod("n1", 6, "job-first");
    sentBack("second", 3);
    ready("fourth", 2);
  }

  @Test
  void whatWasJustGivenAwayIsNotGivenAwayAgainBeforeTheWatchShowsIt() {
    world.node("n1", 8);
    Workload first = workload("first", CheckState.PENDING, 8);
    assertThat(world.ask(first)).isInstanceOf(Verdict.Ready.class);

    sentBack("second", 1);
    assertThat(world.ask(first)).isInstanceOf(Verdict.Ready.class);
  }

  @Test
  void whatAnotherCheckOfTheControllerGaveAwayCounts() {
    world.node("n1", 8);
    Workload other = workload("first", CheckState.READY, 8);
    world.workloads.put(
        other.withStatus(
            other
                .status()
                .withAdmissionChecks(
                    List.of(
                        AdmissionCheckState.pending("gpu-of-others", GpuWorld.START)
                            .withState(CheckState.READY)))));
    sentBack("second", 1);

    world.checks.remove(ObjectKey.cluster("gpu-of-others"));
    world.restart();
    ready("third", 8);
  }

  @Test
  void theRoomMovesWhenPodsAreBoundElsewhere() {
    world.node("n1", 4);
    world.node("n2", 4);
    world.letThrough(workload("first", CheckState.PENDING, 4, 1, "a100"));
    ready("both-nodes-are-half-free", 4);

    for (int i = 0; i < 2; i++) {
      world.pod("p" + i, "n1", 1, "Running", "job-first");
      world.pod("q" + i, "n2", 1, "Running", "job-first");
    }
    sentBack("second", 3);
    ready("third", 2);
  }

  @Test
  void theRoomMovesWhenOnlySoAnotherFits() {
    world.node("n1", 4);
    world.node("n2", 6);
    world.pod("n1", 2, "former");
    world.letThrough(workload("first", CheckState.PENDING, 2));
    world.pods.remove(new ObjectKey("team-a", "pod-former"));

    ready("needs-most-of-n2", 6);
    world.letThrough(workload("second", CheckState.PENDING, 6));
    ready("third", 2);
    sentBack("fourth", 3);
  }

  @Test
  void theRoomMovesWhenItsNodeIsLost() {
    world.node("n1", 4);
    world.letThrough(workload("first", CheckState.PENDING, 4));
    world.node("n2", 4);
    world.nodes.remove(ObjectKey.cluster("n1"));

    sentBack("second", 1);
  }

  @Test
  void roomIsKeptUntilTheTimeoutIsOver() {
    world.node("n1", 8);
    world.letThrough(workload("first", CheckState.PENDING, 8));
    sentBack("second", 1);

    world.now = world.now.plus(TIMEOUT).minusSeconds(1);
    sentBack("second", 1);
    world.now = world.now.plusSeconds(1);
    long version = world.capacity.version();
    world.offers.offer(world.now);
    assertThat(world.capacity.version()).as("the metrics count anew").isGreaterThan(version);
    ready("second", 8);
  }

  @Test
  void roomIsKeptNoLongerThoughTheClockIsSetBack() {
    world.node("n1", 8);
    world.letThrough(workload("first", CheckState.PENDING, 8));
    sentBack("second", 1);

    world.now = world.now.minus(Duration.ofHours(1));
    sentBack("second", 1);
    world.now = world.now.plus(TIMEOUT);
    ready("second", 8);
  }

  @Test
  void theAdmissionBeginsTheTimeoutAnew() {
    world.node("n1", 8);
    world.letThrough(workload("first", CheckState.PENDING, 8));
    world.now = world.now.plus(TIMEOUT).plusSeconds(1);
    Workload there = world.workloads.get(new ObjectKey("team-a", "first")).orElseThrow();
    world.workloads.put(
        GpuWorld.with(there, Condition.isTrue("Admitted", "Admitted", "", world.now)));

    sentBack("second", 1);
    world.now = world.now.plus(TIMEOUT);
    ready("third", 1);
  }

  @Test
  void roomIsKeptForThePodThatFollowsOne() {
    world.node("n1", 8);
    world.letThrough(workload("first", CheckState.PENDING, 8));
    world.pod("n1", 8, "job-first");
    world.now = world.now.plus(TIMEOUT).plusSeconds(1);
    sentBack("second", 1);

    world.pods.remove(new ObjectKey("team-a", "pod-job-first"));
    sentBack("second", 1);
    world.now = world.now.plus(TIMEOUT);
    ready("third", 1);
  }

  @Test
  void noRoomIsKeptForPodsThatEndedForGood() {
    world.node("n1", 8);
    world.letThrough(workload("first", CheckState.PENDING, 2, 4, "a100"));
    Workload there = world.workloads.get(new ObjectKey("team-a", "first")).orElseThrow();
    world.workloads.put(
        there.withStatus(
            there.status().withReclaimablePods(List.of(new ReclaimablePod("main", 1)))));

    sentBack("second", 5);
    ready("third", 4);
  }

  @Test
  void podsCountForWhatTheyTakeBeyondTheReservation() {
    world.node("n1", 8);
    world.letThrough(workload("first", CheckState.PENDING, 2));
    world.pod("n1", 5, "job-first");

    sentBack("second", 4);
    ready("third", 3);
  }

  @Test
  void aPodWithoutGpusEndsNoReservationOfOne() {
    world.node("n1", 8);
    world.letThrough(workload("first", CheckState.PENDING, 8));
    world.pod("n1", 0, "job-first");

    sentBack("second", 1);
  }

  /** JobSet, Job, Pod: the Workload is the JobSet's, the pod the Job's; the Job is seen last. */
  @Test
  void podsBelowTheWorkloadsOwnerCountOnce() {
    world.node("n1", 8);
    world.letThrough(workload("first", CheckState.PENDING, 4));
    world.pod("n1", 4, "below");
    sentBack("second", 4);

    world.jobs.put(
        Trimming.job(
            KueueJson.fromJson(
                """
                {"metadata": {"namespace": "team-a", "name": "j", "uid": "below", "ownerReferences":
                   [{"controller": true, "uid": "job-first", "name": "first", "kind": "JobSet",
                     "apiVersion": "jobset.x-k8s.io/v1alpha2"}]}}
                """,
                V1Job.class)));
    ready("next", 4);
  }

  @Test
  void aWorkloadsOwnPodsThatEndSlowlyDontStandInItsWay() {
    world.node("n1", 8);
    world.pod("n1", 8, "job-first");

    assertThat(world.ask("first", 8)).isInstanceOf(Verdict.Ready.class);
    sentBack("second", 1);
  }

  @Test
  void whatIsAdmittedCountsWhetherThisCheckWasAskedOrNot() {
    world.node("n1", 8);
    Workload plain = workload("of-another-queue", CheckState.PENDING, 6);
    Workload asked = plain.withStatus(plain.status().withAdmissionChecks(List.of()));
    world.workloads.put(asked);
    ready("it-may-never-start", 8);

    world.workloads.put(
        GpuWorld.with(asked, Condition.isTrue("Admitted", "Admitted", "", GpuWorld.START)));
    sentBack("second", 3);
    ready("third", 2);
  }

  @Test
  void whatFinishedOrWasEvictedCountsNoMore() {
    world.node("n1", 8);
    world.workloads.put(
        GpuWorld.with(
            workload("finished", CheckState.READY, 8),
            Condition.isTrue("Finished", "Succeeded", "", GpuWorld.START)));
    Workload released = workload("released", CheckState.READY, 8);
    world.workloads.put(
        released.withStatus(
            released
                .status()
                .withConditions(
                    List.of(Condition.isFalse("QuotaReserved", "Pending", "", GpuWorld.START)))));

    ready("next", 8);
  }

  @Test
  void equalPodSetsKeepAPlaceForEachOfTheirPods() {
    world.node("n1", 2);
    world.node("n2", 2);
    world.letThrough(Pods.inTwoSets("first", 2, "{nvidia.com/gpu: 1}"));

    world.nodes.remove(ObjectKey.cluster("n1"));
    world.node("n3", 2);
    sentBack("second", 1);
  }

  @Test
  void asManyPlacesAreKeptAsFit() {
    world.node("n1", 4);
    world.letThrough(workload("first", CheckState.PENDING, 2, 2, "a100"));

    world.node("n2", 3);
    world.nodes.remove(ObjectKey.cluster("n1"));

    sentBack("second", 2);
    ready("third", 1);
  }

  @Test
  void whatIsWrittenOnPodsByHandOverflowsNothing() {
    world.node("n1", 8);
    for (int i = 0; i < 100; i++) {
      world.pods.put(
          Trimming.pod(
              KueueJson.fromJson(
                  """
                  {"metadata": {"namespace": "team-a", "name": "huge-%d", "uid": "%d"},
                   "spec": {"nodeName": "n1", "containers": [{"name": "c", "resources":
                     {"requests": {"cpu": "9E", "nvidia.com/gpu": "9E"}}}]}}
                  """
                      .formatted(i, i),
                  V1Pod.class)));
    }
    sentBack("train", 1);

    for (int i = 0; i < 100; i++) {
      world.pods.remove(new ObjectKey("team-a", "huge-" + i));
    }
    ready("train", 8);
  }

  @Test
  void trimmingKeepsWhatIsCounted() {
    V1Pod full =
        KueueJson.fromJson(
            """
            {"metadata": {"namespace": "team-a", "name": "p", "labels": {"big": "x"},
               "annotations": {"big": "x", "kueue.x-k8s.io/workload": "job"}},
             "spec": {"nodeName": "n1",
               "initContainers": [
                 {"name": "sidecar", "restartPolicy": "Always",
                  "resources": {"requests": {"nvidia.com/gpu": "1"}}},
                 {"name": "init", "resources": {"requests": {"nvidia.com/gpu": "2"}}}],
               "overhead": {"cpu": "1"},
               "containers": [{"name": "c", "resources": {"limits": {"nvidia.com/gpu": "4"}}}]}}
            """,
            V1Pod.class);

    V1Pod kept = Trimming.pod(full);

    assertThat(kept.getMetadata().getLabels()).isNullOrEmpty();
    assertThat(BoundPod.of(kept)).isEqualTo(BoundPod.of(full));
    assertThat(BoundPod.of(kept).orElseThrow().requests().byName())
        .containsEntry("nvidia.com/gpu", 5L)
        .containsEntry("cpu", 1000L);
  }
}
