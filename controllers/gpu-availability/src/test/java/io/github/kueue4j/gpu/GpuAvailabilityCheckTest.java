// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import static io.github.kueue4j.sdk.fixture.Evaluations.retry;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.AssignedFlavor;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.PodWorkloads;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.fixture.Evaluations;
import io.github.kueue4j.sdk.fixture.FakeObjects;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GpuAvailabilityCheckTest {

  private static final Instant NOW = Instant.parse("2026-06-01T08:00:00Z");
  private static final Map<String, String> A100 =
      Map.of("nvidia.com/gpu.product", "NVIDIA-A100-SXM4-80GB");

  private final FakeObjects<V1Node> nodes = new FakeObjects<>();
  private final FakeObjects<V1Pod> pods = new FakeObjects<>();
  private final FakeObjects<V1Job> jobs = new FakeObjects<>();
  private final FakeObjects<Workload> workloads = new FakeObjects<>();
  private final GpuAvailabilityCheck check =
      new GpuAvailabilityCheck(GpuOptions.defaults(), nodes, pods, jobs, workloads);

  @Test
  void aWorkloadWithoutGpusIsLetThrough() {
    assertThat(check.evaluate(evaluation(workload("cpu-only", CheckState.PENDING, 0), 0)))
        .isEqualTo(Verdict.ready("The workload needs no GPUs."));
  }

  @Test
  void noGpusGiveTheMessageAndDelayOfTheEnhancementProposal() {
    node("n1", A100, 8, "Ready", false);
    pod("n1", 8, "Running", "another-job");

    Verdict.Retry retry =
        retry(check.evaluate(evaluation(workload("train", CheckState.PENDING, 4), 4)));

    assertThat(retry.message())
        .isEqualTo("No A100 GPUs available. Retrying in {delay} (attempt {attempt})");
    assertThat(retry.reason()).hasToString("GpusUnavailable");
    assertThat(retry.delay().resolve(4, NOW, new Random(1)).orElseThrow())
        .isBetween(Duration.ofMinutes(8), Duration.ofSeconds(576));
  }

  @Test
  void tooFewGpusAreCounted() {
    node("n1", A100, 8, "Ready", false);
    pod("n1", 5, "Running", "another-job");

    assertThat(
            retry(check.evaluate(evaluation(workload("train", CheckState.PENDING, 4), 0)))
                .message())
        .isEqualTo("Only 3 of 4 A100 GPUs available. Retrying in {delay} (attempt {attempt})");
  }

  @ParameterizedTest
  @CsvSource({
    "ready, false, Running, 4, false",
    "ready, false, Running, 5, false",
    "ready, false, Succeeded, 5, true",
    "ready, false, Failed, 5, true",
    "ready, false, Running, 3, true",
    "not ready, false, Succeeded, 1, false",
    "ready, true, Succeeded, 1, false",
    "silent, false, Succeeded, 1, true",
  })
  void nodesAndPodsCountAsTheyAre(
      String node, boolean unschedulable, String podPhase, int used, boolean fits) {
    node("n1", A100, 8, node, unschedulable);
    node("h100", Map.of("nvidia.com/gpu.product", "NVIDIA-H100"), 64, "ready", false);
    pod("n1", used, podPhase, "another-job");

    Verdict verdict = check.evaluate(evaluation(workload("train", CheckState.PENDING, 5), 0));

    assertThat(verdict instanceof Verdict.Ready).isEqualTo(fits);
  }

  @Test
  void whatWasLetThroughCountsBeforeAndAfterItsPodsRunAndOnlyOnce() {
    node("n1", A100, 8, "ready", false);
    workloads.put(workload("first", CheckState.READY, 6));

    assertThat(check.evaluate(evaluation(workload("second", CheckState.PENDING, 3), 0)))
        .isInstanceOf(Verdict.Retry.class);
    assertThat(check.evaluate(evaluation(workload("third", CheckState.PENDING, 2), 0)))
        .isInstanceOf(Verdict.Ready.class);

    pod("n1", 6, "Running", "job-first");
    assertThat(check.evaluate(evaluation(workload("fourth", CheckState.PENDING, 2), 0)))
        .isInstanceOf(Verdict.Ready.class);
  }

  /** JobSet, Job, Pod: the Workload is the JobSet's, the pod the Job's. */
  @Test
  void podsBelowTheWorkloadsOwnerCountOnce() {
    node("n1", A100, 8, "ready", false);
    workloads.put(workload("first", CheckState.READY, 4));
    jobs.put(
        Trimming.job(
            KueueJson.fromJson(
                """
                {"metadata": {"namespace": "team-a", "name": "j", "uid": "below", "ownerReferences":
                   [{"controller": true, "uid": "job-first", "name": "first", "kind": "JobSet",
                     "apiVersion": "jobset.x-k8s.io/v1alpha2"}]}}
                """,
                V1Job.class)));
    pod("n1", 4, "Running", "below");

    assertThat(check.evaluate(evaluation(workload("next", CheckState.PENDING, 4), 0)))
        .isInstanceOf(Verdict.Ready.class);
  }

  @Test
  void podsCountForWhatTheyTakeBeyondTheReservation() {
    node("n1", A100, 8, "ready", false);
    workloads.put(workload("first", CheckState.READY, 2));
    pod("n1", 5, "Running", "job-first");

    assertThat(check.evaluate(evaluation(workload("second", CheckState.PENDING, 4), 0)))
        .isInstanceOf(Verdict.Retry.class);
    assertThat(check.evaluate(evaluation(workload("third", CheckState.PENDING, 3), 0)))
        .isInstanceOf(Verdict.Ready.class);
  }

  @Test
  void whatIsAdmittedCountsWhetherThisCheckWasAskedOrNot() {
    node("n1", A100, 8, "ready", false);
    Workload plain = workload("of-another-queue", CheckState.PENDING, 6);
    Workload asked = plain.withStatus(plain.status().withAdmissionChecks(List.of()));
    workloads.put(asked);
    assertThat(check.evaluate(evaluation(workload("first", CheckState.PENDING, 8), 0)))
        .as("it may never start")
        .isInstanceOf(Verdict.Ready.class);

    List<Condition> conditions = new ArrayList<>(asked.status().conditions());
    conditions.add(Condition.isTrue("Admitted", "Admitted", "", NOW));
    workloads.put(asked.withStatus(asked.status().withConditions(conditions)));
    assertThat(check.evaluate(evaluation(workload("second", CheckState.PENDING, 3), 0)))
        .isInstanceOf(Verdict.Retry.class);
    assertThat(check.evaluate(evaluation(workload("third", CheckState.PENDING, 2), 0)))
        .isInstanceOf(Verdict.Ready.class);
  }

  @Test
  void whatFinishedOrWasEvictedCountsNoMore() {
    node("n1", A100, 8, "ready", false);
    Workload finished = workload("finished", CheckState.READY, 8);
    List<Condition> conditions = new ArrayList<>(finished.status().conditions());
    conditions.add(Condition.isTrue("Finished", "Succeeded", "", NOW));
    workloads.put(finished.withStatus(finished.status().withConditions(conditions)));
    Workload released = workload("released", CheckState.READY, 8);
    workloads.put(
        released.withStatus(
            released
                .status()
                .withConditions(List.of(Condition.isFalse("QuotaReserved", "Pending", "", NOW)))));

    assertThat(check.evaluate(evaluation(workload("next", CheckState.PENDING, 8), 0)))
        .isInstanceOf(Verdict.Ready.class);
  }

  @Test
  void whatWasJustGivenAwayIsNotGivenAwayAgainBeforeTheWatchShowsIt() {
    node("n1", A100, 8, "ready", false);
    Workload first = workload("first", CheckState.PENDING, 8);
    workloads.put(first);

    assertThat(check.evaluate(evaluation(first, 0))).isInstanceOf(Verdict.Ready.class);
    assertThat(check.evaluate(evaluation(workload("second", CheckState.PENDING, 1), 0)))
        .isInstanceOf(Verdict.Retry.class);
    assertThat(check.evaluate(evaluation(first, 0))).isInstanceOf(Verdict.Ready.class);
  }

  @Test
  void aVerdictThatBecomesVisibleWhileGpusAreCountedCountsOnce() {
    node("n1", A100, 8, "ready", false);
    Workload first = workload("first", CheckState.PENDING, 6);
    workloads.put(first);
    assertThat(check.evaluate(evaluation(first, 0))).isInstanceOf(Verdict.Ready.class);

    workloads.afterNextRead(() -> workloads.put(workload("first", CheckState.READY, 6)));
    assertThat(check.evaluate(evaluation(workload("second", CheckState.PENDING, 3), 0)))
        .isInstanceOf(Verdict.Retry.class);
    workloads.put(first);
    workloads.afterNextRead(() -> workloads.put(workload("first", CheckState.READY, 6)));
    assertThat(check.evaluate(evaluation(workload("third", CheckState.PENDING, 2), 0)))
        .isInstanceOf(Verdict.Ready.class);
  }

  @Test
  void wokenInBackoffItSaysWhetherThereIsRoomNow() {
    node("n1", A100, 8, "ready", false);
    pod("n1", 8, "Running", "another-job");
    sendBack("a", 3);
    sendBack("b", 2);

    pod("n1", 6, "Running", "another-job");

    assertThat(wake("a", 3)).isInstanceOf(Verdict.Unchanged.class);
    assertThat(wake("b", 2)).isInstanceOf(Verdict.EndDelay.class);
  }

  @Test
  void wokenInBackoffGpusOfAnotherModelDoNotCount() {
    node("t4", Map.of("nvidia.com/gpu.product", "Tesla-T4"), 4, "ready", false);
    sendBack("train", 4);

    assertThat(wake("train", 4)).isInstanceOf(Verdict.Unchanged.class);

    node("n1", A100, 4, "ready", false);
    assertThat(wake("train", 4)).isInstanceOf(Verdict.EndDelay.class);
  }

  @Test
  void wokenInBackoffWhatIsPromisedToOthersCounts() {
    node("n1", A100, 8, "ready", false);
    workloads.put(workload("first", CheckState.READY, 6));
    sendBack("train", 4);

    assertThat(wake("train", 4))
        .as("its pods have yet to start")
        .isInstanceOf(Verdict.Unchanged.class);

    workloads.remove(new ObjectKey("team-a", "first"));
    Workload second = workload("second", CheckState.PENDING, 5);
    workloads.put(second);
    assertThat(check.evaluate(evaluation(second, 0))).isInstanceOf(Verdict.Ready.class);
    assertThat(wake("train", 4)).as("just granted").isInstanceOf(Verdict.Unchanged.class);

    workloads.remove(new ObjectKey("team-a", "second"));
    assertThat(wake("train", 4)).isInstanceOf(Verdict.EndDelay.class);
  }

  @Test
  void aDelayWhoseFlavorsAreNotKnownEndsByItself() {
    node("n1", A100, 8, "ready", false);
    assertThat(wake("of-a-former-controller", 1)).isInstanceOf(Verdict.Unchanged.class);

    pod("n1", 8, "Running", "another-job");
    sendBack("made-anew", 1);
    pods.remove(new ObjectKey("team-a", "pod-another-job"));
    Workload anew = waiting("made-anew", 1);
    anew.metadata().setUid("another");
    assertThat(check.evaluate(unassigned(anew))).isInstanceOf(Verdict.Unchanged.class);
    assertThat(wake("made-anew", 1)).isInstanceOf(Verdict.EndDelay.class);

    assertThat(check.evaluate(evaluation(workload("made-anew", CheckState.PENDING, 1), 1)))
        .isInstanceOf(Verdict.Ready.class);
    assertThat(wake("made-anew", 1)).as("it waits no more").isInstanceOf(Verdict.Unchanged.class);
  }

  @ParameterizedTest
  @CsvSource({
    "nvidia.com/gpu.product, NVIDIA-A100-SXM4-80GB, A100",
    "cloud.google.com/gke-accelerator, nvidia-tesla-t4, t4",
    "gpu-type, H100, H100",
    "some/label, x, spot"
  })
  void theModelIsNamedAsPeopleDo(String label, String value, String name) {
    assertThat(GpuModel.of(Map.of(label, value), "spot")).isEqualTo(name);
  }

  @Test
  void trimmingKeepsWhatIsCounted() {
    pod("n1", 6, "Running", "job-1");
    V1Pod full = pods.list().get(0);
    full.getMetadata().putLabelsItem("big", "x".repeat(1000));
    full.getMetadata().putAnnotationsItem("big", "x".repeat(1000));
    full.getMetadata().putAnnotationsItem("kueue.x-k8s.io/workload", "job");

    V1Pod kept = Trimming.pod(full);

    assertThat(kept.getMetadata().getLabels()).isNullOrEmpty();
    V1Node node = KueueJson.fromJson("{\"metadata\": {\"name\": \"n1\"}}", V1Node.class);
    Inventory inventory = new Inventory(List.of(node), List.of(kept));
    assertThat(
            inventory.used(
                "nvidia.com/gpu", Map.of(), Map.of(), PodWorkloads.of(List.of(), List.of())))
        .isEqualTo(6);
    assertThat(kept.getMetadata().getOwnerReferences())
        .isEqualTo(full.getMetadata().getOwnerReferences());
    assertThat(kept.getMetadata().getAnnotations())
        .containsExactly(Map.entry("kueue.x-k8s.io/workload", "job"));
  }

  @Test
  void aTrimmedNodeCountsAsItDidBefore() {
    node("n1", A100, 8, "ready", false);
    node("n2", A100, 8, "not ready", false);
    node("n3", A100, 8, "ready", true);
    List<V1Node> kept = nodes.list().stream().map(Trimming::node).toList();

    assertThat(new Inventory(kept, List.of()).allocatable("nvidia.com/gpu", A100)).isEqualTo(8);
  }

  private void node(
      String name, Map<String, String> labels, int gpus, String readiness, boolean unschedulable) {
    String conditions =
        switch (readiness) {
          case "not ready" -> "[{\"type\": \"Ready\", \"status\": \"False\"}]";
          case "silent" -> "[]";
          default -> "[{\"type\": \"Ready\", \"status\": \"True\"}]";
        };
    V1Node node =
        KueueJson.fromJson(
            """
            {"metadata": {"name": "%s"}, "spec": {"unschedulable": %s},
             "status": {"allocatable": {"nvidia.com/gpu": "%d"}, "conditions": %s}}
            """
                .formatted(name, unschedulable, gpus, conditions),
            V1Node.class);
    node.getMetadata().setLabels(labels);
    nodes.put(node);
  }

  private void pod(String node, int gpus, String phase, String owner) {
    pods.put(
        KueueJson.fromJson(
            """
            {"metadata": {"namespace": "team-a", "name": "%s", "ownerReferences":
               [{"controller": true, "uid": "%s", "name": "o", "kind": "Job",
                 "apiVersion": "batch/v1"}]},
             "spec": {"nodeName": "%s", "containers": [{"name": "c", "resources":
               {"limits": {"nvidia.com/gpu": "%d"}}}]},
             "status": {"phase": "%s"}}
            """
                .formatted("pod-" + owner, owner, node, gpus, phase),
            V1Pod.class));
  }

  private void sendBack(String name, long gpus) {
    workloads.put(workload(name, CheckState.PENDING, gpus));
    assertThat(check.evaluate(evaluation(workload(name, CheckState.PENDING, gpus), 0)))
        .isInstanceOf(Verdict.Retry.class);
    workloads.put(waiting(name, gpus));
  }

  private Verdict wake(String name, long gpus) {
    return check.evaluate(unassigned(waiting(name, gpus)));
  }

  /** In its delay: the reservation is gone. */
  private static Workload waiting(String name, long gpus) {
    Workload reserved = workload(name, CheckState.RETRY, gpus);
    return reserved.withStatus(
        reserved
            .status()
            .withConditions(List.of(Condition.isFalse("QuotaReserved", "Pending", "", NOW))));
  }

  private static Evaluation<NoParameters> unassigned(Workload workload) {
    return Evaluations.of(
        workload,
        workload.status().admissionCheck("gpu").orElseThrow().withRetryCount(1),
        Map.of(),
        NOW);
  }

  private static Workload workload(String name, CheckState state, long gpus) {
    Workload reserved =
        Evaluations.reserved(
            "team-a",
            name,
            new PodSetAssignment(
                "main",
                Map.of("nvidia.com/gpu", "a100"),
                Map.of("nvidia.com/gpu", Quantity.of(gpus)),
                1),
            AdmissionCheckState.pending("gpu", NOW).withState(state),
            NOW);
    reserved.metadata().addOwnerReferencesItem(new V1OwnerReference().uid("job-" + name));
    return reserved;
  }

  private static Evaluation<NoParameters> evaluation(Workload workload, int retryCount) {
    return Evaluations.of(
        workload,
        workload.status().admissionCheck("gpu").orElseThrow().withRetryCount(retryCount),
        Map.of("nvidia.com/gpu", new AssignedFlavor("a100", A100, List.of())),
        NOW);
  }
}
