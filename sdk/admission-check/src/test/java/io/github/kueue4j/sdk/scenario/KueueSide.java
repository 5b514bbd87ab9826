// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadStatus;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.apiserver.traffic.ApiRequest;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.github.kueue4j.runtime.patch.JsonPatch;
import io.github.kueue4j.sdk.rbac.Permissions;
import io.github.kueue4j.testkit.client.JsonApi;
import io.github.kueue4j.testkit.script.KueueScript;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import io.kubernetes.client.common.KubernetesObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Plays the queue controller on an embedded API server, one transition at a time, and reads the
 * results.
 */
final class KueueSide implements AutoCloseable {

  static final String NAMESPACE = "default";

  private final Queue<ApiRequest> requests = new ConcurrentLinkedQueue<>();
  private final EmbeddedApiServer server;
  private final ClusterConnection connection;
  private final ManualTime time;
  private final String version;
  private final JsonApi scriptApi;
  private final KueueScript script;

  KueueSide(ManualTime time) {
    this(time, KueueTypes.VERSION, UnaryOperator.identity());
  }

  /**
   * A server of another version.
   *
   * @param version the only version that it serves
   * @param definitions changes the definitions of its kinds, which are YAML
   */
  KueueSide(ManualTime time, String version, UnaryOperator<String> definitions) {
    this.server = EmbeddedApiServer.builder().secure().onRequest(requests::add).start();
    this.time = time;
    this.version = version;
    for (String definition : Crds.kueue()) {
      server.apply(definitions.apply(definition.replace(KueueTypes.VERSION, version)));
    }
    this.connection = ClusterConnection.builder("kueue-side").url(server.uri()).connect();
    this.scriptApi = JsonApi.at(server.uri());
    this.script = KueueScript.builder(scriptApi, time).version(version).start();
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

  /** Connects with the least permissions that a check needs, and no others. */
  ClusterConnection connect(String component) {
    return connect(component, UnaryOperator.identity());
  }

  /** Connects with the least permissions of a check that needs these too. */
  ClusterConnection connect(String component, UnaryOperator<Permissions> more) {
    server.apply(more.apply(Permissions.of(component, NAMESPACE)).yaml());
    try {
      Path file = Files.createTempFile(component, ".kubeconfig");
      try {
        server.kubeconfig(file, User.serviceAccount(NAMESPACE, component));
        return ClusterConnection.builder(component).kubeconfig(file, null).connect();
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All requests of all clients so far. */
  List<ApiRequest> requests() {
    return List.copyOf(requests);
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
    return script.workload(name).key();
  }

  /** A script for another namespace, which is made for it. */
  KueueScript namespace(String name) {
    server.apply(
        """
        apiVersion: v1
        kind: Namespace
        metadata:
          name: %s
        """
            .formatted(name));
    return KueueScript.builder(scriptApi, time).version(version).namespace(name).start();
  }

  private PlayedWorkload played(ObjectKey key) {
    return script.existing(key.name());
  }

  /** R1: quota is reserved, every check is asked; Pending entries keep their count. */
  void reserve(ObjectKey key, String... checks) {
    played(key).reserve(checks);
  }

  /** Evicting: the owner still holds the quota. */
  void evict(ObjectKey key, String reason) {
    played(key).evict(reason);
  }

  /** R4: the owner has stopped, the quota is free; in backoff if a check asked for it. */
  void release(ObjectKey key) {
    played(key).release();
  }

  /** R6: the delays pass, every entry is Pending again, a Retry counts. */
  void requeue(ObjectKey key) {
    played(key).requeue();
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

  /** Who wrote fields of the workload; the records have none of it. */
  List<String> managers(ObjectKey key) {
    JsonNode object = scriptApi.get(served(KueueTypes.WORKLOAD).path(key)).orElseThrow();
    return object.at("/metadata/managedFields").findValuesAsText("manager");
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
    script.close();
    scriptApi.close();
    connection.close();
    server.close();
  }
}
