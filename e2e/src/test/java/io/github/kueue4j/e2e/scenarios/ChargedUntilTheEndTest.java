// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.budget.books.BudgetLedger;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.ledger.Reservation;
import io.github.kueue4j.cli.components.CheckName;
import io.github.kueue4j.e2e.objects.QueueYaml;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.patch.MergePatch;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The budget check beside the core: what runs is charged until its pods have ended, and what is
 * admitted was charged.
 */
class ChargedUntilTheEndTest {
  private static final int STOP_SECONDS = 25;
  private static final ObjectKey LEDGER = ObjectKey.cluster("cpu-seconds.ml");

  /** A tick is a millionth of the unit per hour, for one second. */
  private static final BigInteger TICKS_OF_A_CPU_SECOND = BigInteger.valueOf(3_600_000_000L);

  private static final String MONEY =
      """
      apiVersion: checks.kueue4j.io/v1alpha1
      kind: BudgetPolicy
      metadata: {name: cpu-seconds}
      spec:
        limit: 100000
        unit: CPU-seconds
        prices: [{resource: cpu, price: "3600"}]
        window: {type: Monthly}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: AdmissionCheck
      metadata: {name: money}
      spec:
        controllerName: kueue4j.io/budget
        parameters: {apiGroup: checks.kueue4j.io, kind: BudgetPolicy, name: cpu-seconds}
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: AdmissionCheck, metadata: {name: license},
        spec: {controllerName: example.com/by-hand}}
      ---
      """;

  private static String queue(String checks) {
    return MONEY
        + QueueYaml.ML.cpus(10, "admissionChecksStrategy: {admissionChecks: [" + checks + "]}");
  }

  @Test
  void aJobThatIsDeletedIsChargedUntilItsPodsHaveEnded() throws InterruptedException {
    try (Stage stage = running()) {
      stage.api.delete(CoreTypes.JOB, stage.jobs.key("slow"), DeleteOptions.background());

      assertIsChargedUntilTheStop(stage);
    }
  }

  @Test
  void soIsOneThatIsEvicted() throws InterruptedException {
    try (Stage stage = running()) {
      patch(stage, ObjectKey.of(stage.jobs.workload("slow")), "{'spec': {'active': false}}");

      assertIsChargedUntilTheStop(stage);
    }
  }

  /** A tenant's trick: cheap when the budget is asked, dear when it starts. */
  @Test
  void aTimeThatIsRaisedBetweenReadyAndTheAdmissionIsReserved() throws InterruptedException {
    try (Stage stage =
        new Stage(Set.of(CheckName.BUDGET), queue("{name: money}, {name: license}"))) {
      stage.api.patchStatus(
          KueueTypes.ADMISSION_CHECK,
          ObjectKey.cluster("license"),
          merge(
              "{'status': {'conditions': [{'type': 'Active', 'status': 'True', 'reason': 'Active',"
                  + " 'message': '', 'lastTransitionTime': '2026-03-02T10:00:00Z'}]}}"));
      stage.create(job());
      stage.until("the budget lets it through", () -> says(stage, "money", CheckState.READY));

      stage.api.patch(
          CoreTypes.JOB,
          stage.jobs.key("slow"),
          merge("{'metadata': {'labels': {'kueue.x-k8s.io/max-exec-time-seconds': '90000'}}}"));
      stage.until("the Job is refused", () -> !stage.jobs.workload("slow").spec().active());

      assertThat(stage.jobs.suspended("slow")).isTrue();
      assertThat(stage.is("slow", WorkloadConditions.ADMITTED)).isFalse();
    }
  }

  private static boolean says(Stage stage, String check, CheckState state) {
    return stage
        .jobs
        .findWorkload("slow")
        .flatMap(workload -> workload.status().admissionCheck(check))
        .filter(entry -> entry.is(state))
        .isPresent();
  }

  private static Stage running() throws InterruptedException {
    Stage stage = new Stage(Set.of(CheckName.BUDGET), queue("{name: money}"));
    stage.create(job());
    stage.until("its pod runs", () -> stage.jobs.ready("slow", 1));
    stage.until("its run is entered", () -> open(stage).stream().anyMatch(one -> started(one)));
    return stage;
  }

  private static boolean started(Reservation one) {
    return one.startedAt() != null;
  }

  private static void assertIsChargedUntilTheStop(Stage stage) {
    Instant told = stage.toldToEnd("slow");
    Instant started = Objects.requireNonNull(open(stage).getFirst().startedAt());
    stage.letTimePass(Duration.ofSeconds(1));

    stage.until("it is settled", () -> open(stage).isEmpty());

    assertThat(stage.jobs.pods("slow")).as("its pods").isEmpty();
    assertThat(started.plusSeconds(cpuSeconds(stage) / 10))
        .as("until when it was charged")
        .isAfterOrEqualTo(told.plusSeconds(STOP_SECONDS));
  }

  private static List<Reservation> open(Stage stage) {
    return List.copyOf(ledger(stage).open().values());
  }

  private static Ledger ledger(Stage stage) {
    return stage.api.get(BudgetLedger.TYPE, LEDGER).map(BudgetLedger::ledger).orElseThrow();
  }

  private static long cpuSeconds(Stage stage) {
    return ledger(stage).spent().values().stream()
        .flatMap(queues -> queues.values().stream())
        .map(amount -> amount.ticks())
        .reduce(BigInteger.ZERO, BigInteger::add)
        .divide(TICKS_OF_A_CPU_SECOND)
        .longValueExact();
  }

  private static void patch(Stage stage, ObjectKey workload, String change) {
    stage.api.patch(KueueTypes.WORKLOAD, workload, merge(change));
  }

  private static MergePatch merge(String json) {
    return new MergePatch(JsonParser.parseString(json).getAsJsonObject());
  }

  private static String job() {
    return """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: slow
          namespace: ml
          labels:
            kueue.x-k8s.io/queue-name: main
            kueue.x-k8s.io/max-exec-time-seconds: "3600"
        spec:
          template:
            metadata: {annotations: {simulation.kueue4j.io/stop-time: %ds}}
            spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
              resources: {requests: {cpu: 10}}}]}
        """
        .formatted(STOP_SECONDS);
  }
}
