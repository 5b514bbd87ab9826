/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.sdk.scenario;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadStatus;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.GuardedPatch;
import io.github.kueue4j.runtime.JsonPatch;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.runtime.KubernetesApiException;
import io.github.kueue4j.testkit.EmbeddedApiServer;
import io.kubernetes.client.common.KubernetesObject;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Plays Kueue's part on an embedded API server, one transition at a time, by hand. */
final class KueueSide implements AutoCloseable {

  static final String NAMESPACE = "default";

  private final EmbeddedApiServer server;
  private final ClusterConnection connection;
  private final InstantSource time;
  private final String version;

  KueueSide(InstantSource time) {
    this(time, KueueTypes.VERSION, UnaryOperator.identity());
  }

  /**
   * A server of another age.
   *
   * @param version the only version that it serves
   * @param definitions changes the definitions of its kinds, which are YAML
   */
  KueueSide(InstantSource time, String version, UnaryOperator<String> definitions) {
    this.server = EmbeddedApiServer.start();
    this.time = time;
    this.version = version;
    for (String definition : Crds.kueue()) {
      server.apply(definitions.apply(definition.replace(KueueTypes.VERSION, version)));
    }
    this.connection = connect("kueue-side");
    apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ResourceFlavor
        metadata:
          name: any
        """);
  }

  private void apply(String yaml) {
    server.apply(yaml.replace(KueueTypes.VERSION, version));
  }

  private <T extends KubernetesObject> ResourceType<T> served(ResourceType<T> type) {
    return type.inVersion(version);
  }

  EmbeddedApiServer server() {
    return server;
  }

  KubernetesApi api() {
    return connection.api();
  }

  ClusterConnection connect(String component) {
    return ClusterConnection.builder(component).url(server.uri()).connect();
  }

  void admissionCheck(String name, String controllerName) {
    apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: AdmissionCheck
        metadata:
          name: %s
        spec:
          controllerName: %s
        """
            .formatted(name, controllerName));
  }

  /** A workload of one pod with one cpu, not yet reserved. */
  ObjectKey workload(String name) {
    apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata:
          namespace: default
          name: %s
        spec:
          queueName: lq
          podSets:
          - name: main
            count: 1
            template:
              spec:
                restartPolicy: Never
                containers:
                - name: c
                  image: example.com/c
                  resources:
                    requests:
                      cpu: "1"
        """
            .formatted(name));
    return new ObjectKey(NAMESPACE, name);
  }

  /** R1: quota is reserved, every check is asked; Pending entries keep their count. */
  void reserve(ObjectKey key, String... checks) {
    Instant now = time.instant();
    status(
        key,
        status -> {
          Instant since =
              Conditions.find(status.conditions(), "QuotaReserved")
                  .map(condition -> condition.lastTransitionTime().plusSeconds(1))
                  .filter(next -> next.isAfter(now))
                  .orElse(now);
          return with(status, "QuotaReserved", true, "QuotaReserved", since)
              .withConditions(
                  with(
                          with(status, "QuotaReserved", true, "QuotaReserved", since),
                          "Evicted",
                          false,
                          "QuotaReserved",
                          since)
                      .conditions())
              .withRequeueState(null)
              .withAdmission(
                  new Admission(
                      "cq",
                      List.of(
                          new PodSetAssignment(
                              "main", Map.of("cpu", "any"), Map.of("cpu", Quantity.ONE), 1))))
              .withAdmissionChecks(
                  Stream.of(checks).map(check -> asked(status, check, since)).toList());
        });
  }

  private static AdmissionCheckState asked(WorkloadStatus status, String check, Instant since) {
    return AdmissionCheckState.pending(check, since)
        .withRetryCount(
            status.admissionCheck(check).map(AdmissionCheckState::retryCount).orElse(null));
  }

  /** Evicting: the owner still holds the quota. */
  void evict(ObjectKey key, String reason) {
    status(key, status -> with(status, "Evicted", true, reason, time.instant()));
  }

  /** R4: the owner has stopped, the quota is free; in backoff if a check asked for it. */
  void release(ObjectKey key) {
    Instant now = time.instant();
    status(
        key,
        status -> {
          boolean retry =
              status.admissionChecks().stream().anyMatch(entry -> entry.is(CheckState.RETRY));
          WorkloadStatus released =
              with(status, "QuotaReserved", false, "PendingEvaluation", now).withAdmission(null);
          return retry
              ? with(released, "Requeued", false, "AdmissionCheck", now)
              : with(released, "Requeued", true, "Preempted", now);
        });
  }

  /** R6: every entry is Pending again, those in Retry with one more in their count. */
  void requeue(ObjectKey key) {
    Instant now = time.instant();
    status(
        key,
        status ->
            with(status, "Requeued", true, "BackoffFinished", now)
                .withAdmissionChecks(
                    status.admissionChecks().stream()
                        .map(
                            entry ->
                                AdmissionCheckState.pending(entry.name(), now)
                                    .withRetryCount(
                                        entry.is(CheckState.RETRY)
                                            ? Objects.requireNonNullElse(entry.retryCount(), 0) + 1
                                            : null))
                        .toList()));
  }

  void condition(ObjectKey key, String type, boolean holds, String reason) {
    status(key, status -> with(status, type, holds, reason, time.instant()));
  }

  void entry(ObjectKey key, String check, UnaryOperator<AdmissionCheckState> change) {
    status(
        key,
        status ->
            status.withAdmissionCheck(change.apply(status.admissionCheck(check).orElseThrow())));
  }

  /** Changes the status as it is on the server now. */
  void status(ObjectKey key, UnaryOperator<WorkloadStatus> change) {
    for (int attempt = 0; attempt < 20; attempt++) {
      Workload live = read(key);
      try {
        connection
            .api()
            .patchStatus(
                served(KueueTypes.WORKLOAD),
                GuardedPatch.ofStatus(live, live.withStatus(change.apply(live.status()))));
        return;
      } catch (KubernetesApiException.Conflict e) {
        // The check wrote in between, which these tests provoke: decide again on what it wrote.
      }
    }
    throw new AssertionError("no quiet moment for " + key);
  }

  Workload read(ObjectKey key) {
    return connection.api().get(served(KueueTypes.WORKLOAD), key).orElseThrow();
  }

  AdmissionCheckState entry(ObjectKey key, String check) {
    return read(key).status().admissionCheck(check).orElseThrow();
  }

  Condition active(String check) {
    AdmissionCheck object =
        connection
            .api()
            .get(served(KueueTypes.ADMISSION_CHECK), ObjectKey.cluster(check))
            .orElseThrow();
    return Conditions.find(object.status().conditions(), "Active")
        .orElseGet(() -> Condition.isFalse("Active", "Unset", "", Instant.EPOCH));
  }

  /** Changes an AdmissionCheck's spec. */
  void patchCheck(String name, JsonPatch patch) {
    connection.api().patch(served(KueueTypes.ADMISSION_CHECK), ObjectKey.cluster(name), patch);
  }

  private static WorkloadStatus with(
      WorkloadStatus status, String type, boolean holds, String reason, Instant since) {
    Condition condition =
        holds
            ? Condition.isTrue(type, reason, "", since)
            : Condition.isFalse(type, reason, "", since);
    List<Condition> others = Conditions.remove(status.conditions(), type);
    return status.withConditions(Stream.concat(others.stream(), Stream.of(condition)).toList());
  }

  @Override
  public void close() {
    connection.close();
    server.close();
  }
}
