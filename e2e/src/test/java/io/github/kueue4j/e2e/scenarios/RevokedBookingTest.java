// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ProvisioningRequest;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.cli.components.CheckName;
import io.github.kueue4j.e2e.objects.QueueYaml;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.github.kueue4j.runtime.patch.MergePatch;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * KEP-993, a check that keeps an eye on what it has let through: a Job runs on capacity that was
 * booked for it, and the booking is revoked.
 */
class RevokedBookingTest {
  private static final String OBJECTS =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ProvisioningRequestConfig
      metadata: {name: room}
      spec:
        provisioningClassName: queued-provisioning.example.com
        parameters: {simulation.kueue4j.io/takes: 10ms}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: AdmissionCheck
      metadata: {name: room}
      spec:
        controllerName: kueue.x-k8s.io/provisioning-request
        parameters: {apiGroup: kueue.x-k8s.io, kind: ProvisioningRequestConfig, name: room}
      ---
      """
          + QueueYaml.ML.cpus(4, "admissionChecksStrategy: {admissionChecks: [{name: room}]}");

  private static final String JOB =
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: train, namespace: ml, labels: {kueue.x-k8s.io/queue-name: main}}
      spec:
        parallelism: 2
        completions: 2
        template:
          spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
            resources: {requests: {cpu: 2}}}]}
      """;

  @Test
  void aRunningJobIsStoppedAndRunsAgainOnANewBookingWhenAUserWantsIt() throws InterruptedException {
    try (Stage stage = new Stage(Set.of(CheckName.PROVISIONING), OBJECTS)) {
      stage.create(JOB);
      stage.until("it runs", () -> stage.jobs.ready("train", 2));
      ProvisioningRequest booked = request(stage).orElseThrow();

      revoke(stage, booked);

      stage.until("its Job is stopped", () -> stage.jobs.suspended("train"));
      stage.until("no pod is left", () -> stage.jobs.activePods("train").isEmpty());
      // Or "it runs again" would mean these.
      stage.until("its status shows no pod", () -> stage.jobs.ready("train", 0));
      stage.until("its quota is free", stage::quotaIsFree);
      stage.until("the booking is given up", () -> request(stage).isEmpty());
      assertThat(stage.jobs.workload("train").spec().active()).isFalse();
      assertThat(
              Conditions.find(
                  stage.jobs.workload("train").status().conditions(), WorkloadConditions.EVICTED))
          .hasValueSatisfying(
              evicted -> {
                assertThat(evicted.reason()).isEqualTo("DeactivatedDueToAdmissionCheck");
                assertThat(evicted.message()).contains("room", "The zone was lost.");
              });
      assertThat(stage.jobs.workload("train").status().admissionCheck("room"))
          .map(AdmissionCheckState::retryCount)
          .as("it begins anew")
          .isEmpty();

      stage.api.patch(
          KueueTypes.WORKLOAD,
          ObjectKey.of(stage.jobs.workload("train")),
          new MergePatch(
              JsonParser.parseString("{\"spec\": {\"active\": true}}").getAsJsonObject()));
      stage.until("it runs again", () -> stage.jobs.ready("train", 2));
      assertThat(request(stage).orElseThrow().metadata().getUid())
          .isNotEqualTo(booked.metadata().getUid());
    }
  }

  private static void revoke(Stage stage, ProvisioningRequest booked) {
    List<Condition> conditions =
        Conditions.set(
            booked.status().conditions(),
            Condition.isTrue(
                "CapacityRevoked", "ZoneLost", "The zone was lost.", stage.time.instant()));
    stage.api.patchStatus(
        KueueTypes.PROVISIONING_REQUEST,
        GuardedPatch.ofStatus(
            booked, booked.withStatus(booked.status().withConditions(conditions))));
  }

  private static Optional<ProvisioningRequest> request(Stage stage) {
    return stage
        .api
        .list(KueueTypes.PROVISIONING_REQUEST, ListOptions.inNamespace("ml"))
        .items()
        .stream()
        .findFirst();
  }
}
