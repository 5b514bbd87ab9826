// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.e2e.assembly.Playground;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.e2e.objects.QueueYaml;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.testdefaults.Patience;
import io.kubernetes.client.openapi.models.V1Job;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What goes on while no core answers the API server's questions, and what waits. */
class CoreDownTest {
  private static final Duration PATIENCE = Patience.LIMIT;
  private static final ObjectKey WAITING = new ObjectKey("default", "waiting");

  private static final ObjectKey FLAVOR = ObjectKey.cluster("default");
  private static final String CHECKED =
      "admissionChecksStrategy: {admissionChecks: [{name: manual}]}";

  private final TimeSource time = TimeSource.system();
  private Playground playground;
  private ClusterConnection connection;
  private KubernetesApi api;

  @BeforeEach
  void aReservedWorkloadWaitsForItsCheck() throws InterruptedException {
    playground =
        Playground.start(
            new Playground.Options(
                0, Playground.quietConfiguration(), Set.of(), Duration.ofSeconds(1)),
            time);
    connection = playground.target().connect("users");
    api = connection.api();
    api.create(
        KueueTypes.ADMISSION_CHECK,
        KueueJson.fromJson(
            """
            {"metadata": {"name": "manual"}, "spec": {"controllerName": "example.com/manual"}}
            """,
            AdmissionCheck.class));
    api.patchStatus(
        KueueTypes.ADMISSION_CHECK,
        ObjectKey.cluster("manual"),
        merge(
            """
            {"status": {"conditions": [{"type": "Active", "status": "True", "reason": "Active",
              "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}
            """));
    Manifests.parse(new QueueYaml("default", "cq", "lq").cpus(5, CHECKED)).createIn(api);
    api.create(
        KueueTypes.WORKLOAD,
        KueueJson.fromJson(
            """
            {"metadata": {"name": "waiting", "namespace": "default"}, "spec": {"queueName": "lq",
              "podSets": [{"template": {"spec": {"containers": [{"name": "c", "image": "i",
                "resources": {"requests": {"cpu": 1}}}]}}}]}}
            """,
            Workload.class));
    await().atMost(PATIENCE).until(() -> is("QuotaReserved"));
    await().atMost(PATIENCE).until(this::theFlavorIsInUse);
  }

  /** Else it would be gone as soon as it is deleted. */
  private boolean theFlavorIsInUse() {
    return api.get(KueueTypes.RESOURCE_FLAVOR, FLAVOR)
        .map(flavor -> flavor.metadata().getFinalizers())
        .filter(finalizers -> !finalizers.isEmpty())
        .isPresent();
  }

  @AfterEach
  void close() {
    connection.close();
    playground.close();
    time.close();
  }

  private static MergePatch merge(String json) {
    return new MergePatch(JsonParser.parseString(json).getAsJsonObject());
  }

  private void createClusterQueue(String name, int cpus) {
    Manifests.parse(QueueYaml.clusterQueue(name, cpus, CHECKED)).createIn(api);
  }

  private boolean is(String condition) {
    return api.get(KueueTypes.WORKLOAD, WAITING)
        .filter(found -> Conditions.isTrue(found.status().conditions(), condition))
        .isPresent();
  }

  private V1Job job(String namespace, String name, String labels, boolean suspend) {
    return api.create(
        CoreTypes.JOB,
        KueueJson.fromJson(
            """
            {"metadata": {"name": "%s", "namespace": "%s", "labels": {%s}}, "spec": {
              "suspend": %s, "template": {"spec": {"restartPolicy": "Never", "containers": [
                {"name": "c", "image": "i", "resources": {"requests": {"cpu": 1}}}]}}}}
            """
                .formatted(name, namespace, labels, suspend),
            V1Job.class));
  }

  private void theCheckIsReady() {
    api.patchStatus(
        KueueTypes.WORKLOAD,
        WAITING,
        merge(
            """
            {"status": {"admissionChecks": [{"name": "manual", "state": "Ready", "message": "",
              "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}
            """));
  }

  @Test
  void nothingIsWedged() throws InterruptedException {
    String queue = "\"kueue.x-k8s.io/queue-name\": \"lq\"";
    playground.crashCore();

    // Whatever has nothing to do with queues.
    assertThat(job("default", "unmanaged", "", false).getSpec().getSuspend()).isFalse();
    assertThat(job("kube-system", "system", queue, false).getSpec().getSuspend()).isFalse();
    // It can't run anyway before the core starts it.
    job("default", "patient", queue, true);
    // It would run without quota.
    assertThatThrownBy(() -> job("default", "hasty", queue, false))
        .isInstanceOf(KubernetesApiException.class)
        .hasMessageContaining("failed calling webhook \"mjob.kb.io\"");
    // Checks go on.
    theCheckIsReady();
    // So does cleaning up by hand, but not what gives out quota.
    assertThatThrownBy(() -> createClusterQueue("other", 1))
        .hasMessageContaining("failed calling webhook \"vclusterqueue.kb.io\"");
    api.delete(KueueTypes.RESOURCE_FLAVOR, FLAVOR, DeleteOptions.background());
    api.patch(KueueTypes.RESOURCE_FLAVOR, FLAVOR, merge("{\"metadata\": {\"finalizers\": null}}"));
    assertThat(api.get(KueueTypes.RESOURCE_FLAVOR, FLAVOR)).isEmpty();

    playground.startCore();
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> createClusterQueue("worse", -1))
                    .isInstanceOf(KubernetesApiException.Invalid.class)
                    .hasMessageContaining("nominalQuota: Invalid value: \"-1\""));
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                api.list(KueueTypes.WORKLOAD, ListOptions.inNamespace("default")).items().stream()
                    .anyMatch(
                        workload -> workload.metadata().getName().startsWith("job-patient-")));
  }

  @Test
  void aVerdictThatCameMeanwhileCounts() throws InterruptedException {
    playground.crashCore();
    theCheckIsReady();

    playground.startCore();

    await().atMost(PATIENCE).until(() -> is("Admitted"));
  }
}
