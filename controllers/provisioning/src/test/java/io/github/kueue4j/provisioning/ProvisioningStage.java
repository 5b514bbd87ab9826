// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.provisioning;

import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ProvisioningRequest;
import io.github.kueue4j.api.ProvisioningRequestStatus;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadStatus;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The check on an API server, with a Workload that asks it; the autoscaler and the queue controller
 * are played by hand.
 */
final class ProvisioningStage implements AutoCloseable {

  static final ObjectKey WORKLOAD = new ObjectKey("default", "train");

  private static final String OBJECTS =
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
      """;

  final ManualTime time = ManualTime.create();
  final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final ClusterConnection byHand = connect();
  private final ClusterConnection cluster = connect();
  final KubernetesApi api = byHand.api();
  private final CheckController controller;

  /** Everything is there but the check doesn't run yet. */
  ProvisioningStage() {
    Crds.kueue().forEach(server::apply);
    server.apply(OBJECTS);
    controller =
        ProvisioningCheck.controller(
            CheckEnvironment.of(cluster, time), ProvisioningOptions.defaults());
  }

  /** The check runs, on a server that has its kinds. */
  static ProvisioningStage started() throws InterruptedException {
    ProvisioningStage stage = new ProvisioningStage();
    Crds.external().forEach(stage.server::apply);
    stage.controller.start();
    return stage;
  }

  private ClusterConnection connect() {
    return ClusterConnection.builder("test").url(server.uri()).open();
  }

  CheckController controller() {
    return controller;
  }

  @Override
  public void close() {
    controller.close();
    cluster.close();
    byHand.close();
    server.close();
  }

  Optional<ProvisioningRequest> request(String name) {
    return api.get(KueueTypes.PROVISIONING_REQUEST, new ObjectKey("default", name));
  }

  ProvisioningRequest awaitRequest(String name) {
    await().until(() -> request(name).isPresent());
    return request(name).orElseThrow();
  }

  /** Waits until another object has this name, while the check's clock goes on. */
  ProvisioningRequest awaitAnother(ProvisioningRequest before) {
    String name = before.key().name();
    String uid = String.valueOf(before.metadata().getUid());
    await()
        .until(
            () -> {
              time.advance(Duration.ofSeconds(1));
              return request(name).filter(now -> !uid.equals(now.metadata().getUid())).isPresent();
            });
    return request(name).orElseThrow();
  }

  void awaitNoRequest(String name) {
    await().until(() -> request(name).isEmpty());
  }

  /** What the autoscaler says about a request. */
  void answer(String name, Condition... conditions) {
    ProvisioningRequest request = awaitRequest(name);
    api.patchStatus(
        KueueTypes.PROVISIONING_REQUEST,
        GuardedPatch.ofStatus(
            request,
            request.withStatus(new ProvisioningRequestStatus(List.of(conditions), Map.of()))));
  }

  Condition now(String type, String message) {
    return Condition.isTrue(type, type, message, time.instant());
  }

  AdmissionCheckState entry() {
    return read().status().admissionCheck("spot").orElseThrow();
  }

  Workload read() {
    return api.get(KueueTypes.WORKLOAD, WORKLOAD).orElseThrow();
  }

  /**
   * Waits until the check has seen all that is in Workloads now, its own answers too: what it sees
   * comes in order, and a Workload that is reserved now comes last. The check's clock stands still.
   */
  void awaitSeen() {
    ObjectKey last = new ObjectKey("default", "last");
    server.apply(
        OBJECTS
            .substring(OBJECTS.lastIndexOf("---"))
            .replace("name: " + WORKLOAD.name(), "name: " + last.name()));
    patchStatus(last, status -> reserved(status, null));
    awaitRequest("last-spot-1");
  }

  void patchStatus(UnaryOperator<WorkloadStatus> change) {
    patchStatus(WORKLOAD, change);
  }

  /** The check may write at the same time. */
  private void patchStatus(ObjectKey key, UnaryOperator<WorkloadStatus> change) {
    await()
        .ignoreExceptionsInstanceOf(KubernetesApiException.Conflict.class)
        .untilAsserted(
            () -> {
              Workload workload = api.get(KueueTypes.WORKLOAD, key).orElseThrow();
              api.patchStatus(
                  KueueTypes.WORKLOAD,
                  GuardedPatch.ofStatus(
                      workload, workload.withStatus(change.apply(workload.status()))));
            });
  }

  /** One more condition on the Workload. */
  void add(Condition condition) {
    patchStatus(status -> status.withConditions(Conditions.set(status.conditions(), condition)));
  }

  /** What a person or the core writes. */
  void setActive(boolean active) {
    JsonObject document =
        JsonParser.parseString("{'spec': {'active': " + active + "}}").getAsJsonObject();
    api.patch(KueueTypes.WORKLOAD, WORKLOAD, new MergePatch(document));
  }

  void applyConfig(String name, String provisioningClass) {
    server.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ProvisioningRequestConfig
        metadata: {name: %s}
        spec: {provisioningClassName: %s}
        """
            .formatted(name, provisioningClass));
  }

  void applyOriginalConfig() {
    server.apply(OBJECTS.substring(0, OBJECTS.indexOf("---")));
  }

  /** Which configuration the AdmissionCheck refers to. */
  void nameConfig(String name) {
    server.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: AdmissionCheck
        metadata: {name: spot}
        spec:
          controllerName: kueue.x-k8s.io/provisioning-request
          parameters: {apiGroup: kueue.x-k8s.io, kind: ProvisioningRequestConfig, name: %s}
        """
            .formatted(name));
  }

  /** Quota is reserved now, and the check is asked with this count. */
  void reserve(@Nullable Integer retryCount) {
    patchStatus(status -> reserved(status, retryCount));
  }

  private WorkloadStatus reserved(WorkloadStatus status, @Nullable Integer retryCount) {
    Instant now = time.instant();
    Admission admission =
        KueueJson.fromJson(
            """
            {"clusterQueue": "cq", "podSetAssignments": [{"name": "main", "count": 2,
             "flavors": {"cpu": "any"}, "resourceUsage": {"cpu": "2"}}]}
            """,
            Admission.class);
    return status
        .withConditions(List.of(Condition.isTrue("QuotaReserved", "QuotaReserved", "", now)))
        .withAdmission(admission)
        .withAdmissionChecks(
            List.of(AdmissionCheckState.pending("spot", now).withRetryCount(retryCount)));
  }
}
