// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ProvisioningRequest;
import io.github.kueue4j.api.ProvisioningRequestStatus;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.DeleteOptions;
import io.github.kueue4j.runtime.GuardedPatch;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.sdk.controller.CheckController;
import io.github.kueue4j.sdk.controller.CheckEnvironment;
import io.kubernetes.client.openapi.models.V1PodTemplate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The check on an API server, with the autoscaler and the queue controller played by hand. */
class ProvisioningScenarioTest {

  private static final ObjectKey KEY = new ObjectKey("default", "train");
  private final ManualTime time = ManualTime.create();
  private final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final ClusterConnection byHand = connect();
  private final ClusterConnection cluster = connect();
  private final KubernetesApi api = byHand.api();
  private final CheckController controller =
      ProvisioningCheck.controller(
          CheckEnvironment.of(cluster, time), ProvisioningOptions.defaults());

  private ClusterConnection connect() {
    return ClusterConnection.builder("test").url(server.uri()).open();
  }

  @BeforeEach
  void start() throws InterruptedException {
    Crds.kueue().forEach(server::apply);
    Crds.external().forEach(server::apply);
    server.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ProvisioningRequestConfig
        metadata:
          name: spot
        spec:
          provisioningClassName: spot-class
          parameters:
            zone: a
            size: small
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: AdmissionCheck
        metadata:
          name: spot
        spec:
          controllerName: kueue.x-k8s.io/provisioning-request
          parameters:
            apiGroup: kueue.x-k8s.io
            kind: ProvisioningRequestConfig
            name: spot
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata:
          namespace: default
          name: train
          annotations:
            provreq.kueue.x-k8s.io/size: large
        spec:
          queueName: lq
          podSets:
          - name: main
            count: 2
            template:
              spec:
                restartPolicy: Never
                containers:
                - name: c
                  image: example.com/c
                  resources:
                    requests:
                      cpu: "1"
        """);
    controller.start();
  }

  @AfterEach
  void stop() {
    controller.close();
    cluster.close();
    byHand.close();
    server.close();
  }

  @Test
  void asksOncePerAttemptAndConsumesWhatIsProvisioned() {
    reserve(null);
    ProvisioningRequest first = awaitRequest("train-spot-1");
    assertThat(first.spec().provisioningClassName()).isEqualTo("spot-class");
    assertThat(first.spec().parameters()).isEqualTo(Map.of("zone", "a", "size", "large"));
    assertThat(first.spec().podSets()).hasSize(1);
    assertThat(first.spec().podSets().get(0).count()).isEqualTo(2);
    assertThat(first.metadata().getOwnerReferences())
        .extracting("kind", "name")
        .containsExactly(org.assertj.core.groups.Tuple.tuple("Workload", "train"));
    ObjectKey template = new ObjectKey("default", "ppt-train-spot-1-main");
    await().until(() -> api.get(CoreTypes.POD_TEMPLATE, template).isPresent());
    V1PodTemplate created = api.get(CoreTypes.POD_TEMPLATE, template).orElseThrow();
    assertThat(created.getMetadata().getOwnerReferences())
        .extracting("kind", "uid")
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("ProvisioningRequest", first.metadata().getUid()));

    answer("train-spot-1", Condition.isFalse("Provisioned", "Wait", "ETA 5m", time.instant()));
    await().until(() -> entry().message().equals("ETA 5m"));
    answer("train-spot-1", Condition.isTrue("Failed", "OutOfResources", "none", time.instant()));
    await().until(() -> entry().is(CheckState.RETRY));
    assertThat(entry().message()).isEqualTo("Retrying after failure: none");
    assertThat(entry().requeueAfterSeconds()).isBetween(60, 61);

    time.advance(Duration.ofMinutes(2));
    reserve(1);
    awaitRequest("train-spot-2");
    answer("train-spot-2", Condition.isTrue("Provisioned", "Provisioned", "here", time.instant()));
    await().until(() -> entry().is(CheckState.READY));
    assertThat(entry().podSetUpdates().get(0).annotations())
        .containsEntry("autoscaling.x-k8s.io/consume-provisioning-request", "train-spot-2");

    answer("train-spot-2", Condition.isTrue("CapacityRevoked", "Spot", "gone", time.instant()));
    await().until(() -> entry().is(CheckState.REJECTED));
    assertThat(entry().message()).isEqualTo("gone");
  }

  @Test
  void theRequestGoesWhenTheWorkloadHasFinished() {
    reserve(null);
    ProvisioningRequest request = awaitRequest("train-spot-1");
    answer("train-spot-1", Condition.isTrue("Provisioned", "Provisioned", "here", time.instant()));
    await().until(() -> entry().is(CheckState.READY));
    assertThat(api.get(KueueTypes.PROVISIONING_REQUEST, request.key())).isPresent();

    Workload workload = read();
    api.patchStatus(
        KueueTypes.WORKLOAD,
        GuardedPatch.ofStatus(
            workload,
            workload.withStatus(
                workload
                    .status()
                    .withConditions(
                        List.of(
                            workload.status().conditions().get(0),
                            Condition.isTrue("Finished", "Succeeded", "", time.instant()))))));

    await().until(() -> api.get(KueueTypes.PROVISIONING_REQUEST, request.key()).isEmpty());
    ObjectKey template = new ObjectKey("default", "ppt-train-spot-1-main");
    await().until(() -> api.get(CoreTypes.POD_TEMPLATE, template).isEmpty());
  }

  @Test
  void aRequestOfAFormerReservationIsReplaced() {
    reserve(null);
    ProvisioningRequest old = awaitRequest("train-spot-1");
    answer("train-spot-1", Condition.isTrue("Provisioned", "Provisioned", "here", time.instant()));
    await().until(() -> entry().is(CheckState.READY));

    // Preempted, and reserved again with the same count.
    time.advance(Duration.ofMinutes(1));
    reserve(null);
    await()
        .until(
            () -> {
              time.advance(Duration.ofSeconds(1));
              return api.get(KueueTypes.PROVISIONING_REQUEST, old.key())
                  .filter(now -> !now.metadata().getUid().equals(old.metadata().getUid()))
                  .isPresent();
            });
    assertThat(entry().is(CheckState.PENDING)).isTrue();
  }

  /** It is told, tried again, and not forgotten when the way is free. */
  @Test
  void aRequestOfAnotherOwnerStandsInTheWayUntilItIsGone() {
    server.apply(
        """
        apiVersion: autoscaling.x-k8s.io/v1
        kind: ProvisioningRequest
        metadata: {namespace: default, name: train-spot-1}
        spec:
          provisioningClassName: check-capacity.autoscaling.x-k8s.io
          podSets: [{count: 1, podTemplateRef: {name: by-hand}}]
        """);
    reserve(null);
    await()
        .until(
            () ->
                entry()
                    .message()
                    .contains(
                        "the ProvisioningRequest 'default/train-spot-1' has the name that a new"
                            + " request needs and does not belong to this workload; delete it"));
    ObjectKey request = new ObjectKey("default", "train-spot-1");
    ProvisioningRequest byHand = awaitRequest(request.name());
    time.advance(Duration.ofSeconds(30));
    assertThat(awaitRequest(request.name()).metadata().getUid())
        .isEqualTo(byHand.metadata().getUid());

    api.delete(KueueTypes.PROVISIONING_REQUEST, request, DeleteOptions.background());
    await()
        .until(
            () -> {
              time.advance(Duration.ofSeconds(1));
              return api.get(KueueTypes.PROVISIONING_REQUEST, request).isPresent();
            });
    assertThat(awaitRequest(request.name()).metadata().getOwnerReferences())
        .extracting("kind", "name")
        .containsExactly(org.assertj.core.groups.Tuple.tuple("Workload", "train"));
    await().until(() -> entry().message().equals(Answer.NONE_YET));
  }

  /** Longer than by default: a machine may be slow. */
  private static ConditionFactory await() {
    return Awaitility.await().atMost(Duration.ofSeconds(60));
  }

  private ProvisioningRequest awaitRequest(String name) {
    ObjectKey key = new ObjectKey("default", name);
    await().until(() -> api.get(KueueTypes.PROVISIONING_REQUEST, key).isPresent());
    return api.get(KueueTypes.PROVISIONING_REQUEST, key).orElseThrow();
  }

  private void answer(String name, Condition... conditions) {
    ProvisioningRequest request =
        api.get(KueueTypes.PROVISIONING_REQUEST, new ObjectKey("default", name)).orElseThrow();
    api.patchStatus(
        KueueTypes.PROVISIONING_REQUEST,
        GuardedPatch.ofStatus(
            request,
            request.withStatus(new ProvisioningRequestStatus(List.of(conditions), Map.of()))));
  }

  private AdmissionCheckState entry() {
    return read().status().admissionCheck("spot").orElseThrow();
  }

  private Workload read() {
    return api.get(KueueTypes.WORKLOAD, KEY).orElseThrow();
  }

  /** Quota is reserved now, and the check is asked with this count. */
  private void reserve(@org.jspecify.annotations.Nullable Integer retryCount) {
    Instant now = time.instant();
    Workload workload = read();
    var admission =
        io.github.kueue4j.api.KueueJson.fromJson(
            """
            {"clusterQueue": "cq", "podSetAssignments": [{"name": "main", "count": 2,
             "flavors": {"cpu": "any"}, "resourceUsage": {"cpu": "2"}}]}
            """,
            io.github.kueue4j.api.Admission.class);
    api.patchStatus(
        KueueTypes.WORKLOAD,
        GuardedPatch.ofStatus(
            workload,
            workload.withStatus(
                workload
                    .status()
                    .withConditions(
                        List.of(Condition.isTrue("QuotaReserved", "QuotaReserved", "", now)))
                    .withAdmission(admission)
                    .withAdmissionChecks(
                        List.of(
                            AdmissionCheckState.pending("spot", now)
                                .withRetryCount(retryCount))))));
    assertThat(Optional.ofNullable(read().status().admission())).isPresent();
  }
}
