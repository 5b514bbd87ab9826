// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.cli.install.Definitions;
import io.github.kueue4j.e2e.assembly.Playground;
import io.github.kueue4j.e2e.cluster.ClusterWait;
import io.github.kueue4j.e2e.cluster.Jobs;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.e2e.objects.QueueYaml;
import io.github.kueue4j.e2e.world.SimulatedWorld;
import io.github.kueue4j.gpu.GpuAvailabilityCheck;
import io.github.kueue4j.gpu.GpuOptions;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.testdefaults.Patience;
import io.kubernetes.client.openapi.models.V1Pod;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs without GPUs whose pods start in one zone, with the real core, on two nodes of 16 CPUs. */
class OneDomainTest {
  private static final String ZONE = "topology.kubernetes.io/zone";

  private static final String CHECK =
      """
      apiVersion: checks.kueue4j.io/v1alpha1
      kind: GpuAvailabilityPolicy
      metadata: {name: one-zone}
      spec: {resources: [cpu], domain: {label: topology.kubernetes.io/zone}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: AdmissionCheck
      metadata: {name: one-zone}
      spec:
        controllerName: kueue4j.io/gpu-availability
        parameters: {apiGroup: checks.kueue4j.io, kind: GpuAvailabilityPolicy, name: one-zone}
      """;

  @TempDir private Path folder;

  @Test
  void jobsRunInOneZoneAndWaitForOneAcrossARestart() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        TimeSource time = TimeSource.system()) {
      Path kubeconfig = server.kubeconfig(folder.resolve("kubeconfig"));
      Target target = Target.of(kubeconfig);
      try (ClusterConnection connection = target.connect("administrator")) {
        KubernetesApi api = connection.api();
        Definitions.installKueueUnconverted(api);
        Definitions.installExternal(api);
        server.applyCrds(GpuAvailabilityCheck.crds());
        try (RunningCore core = RunningCore.start(target, Playground.quietConfiguration(), time);
            SimulatedWorld world = SimulatedWorld.start(kubeconfig, time, Duration.ofHours(1))) {
          assertThat(core).isNotNull();
          assertThat(world).isNotNull();
          label(api, "worker-1", "a");
          label(api, "worker-2", "b");
          server.apply(CHECK);
          Manifests.parse(
                  QueueYaml.ML.cpus(
                      1000, "admissionChecksStrategy: {admissionChecks: [{name: one-zone}]}"))
              .createIn(api);
          live(api, target);
        }
      }
    }
  }

  private static void live(KubernetesApi api, Target target) throws InterruptedException {
    Jobs jobs = new Jobs(api, "ml");
    ClusterWait wait = ClusterWait.on(api, Patience.LIMIT);
    try (ClusterConnection own = target.connect("check");
        CheckController check = start(own)) {
      assertThat(check).isNotNull();
      create(api, "first", 3);
      wait.until("the first Job runs", () -> jobs.ready("first", 3));
      create(api, "second", 3);
      wait.until("the second Job runs", () -> jobs.ready("second", 3));
      requireZone(jobs, "first", "a", "worker-1");
      requireZone(jobs, "second", "b", "worker-2");

      create(api, "late", 2);
      wait.until(
          "the late Job is sent back, though each zone has room for a pod",
          () ->
              jobs.findWorkload("late")
                  .filter(
                      workload ->
                          hasAnswered(
                              workload,
                              "No domain of topology.kubernetes.io/zone has room for 2 pods of 4"
                                  + " cpu; now the best, a, has room for 1."))
                  .isPresent());
    }

    try (ClusterConnection own = target.connect("check");
        CheckController check = start(own)) {
      assertThat(check).isNotNull();
      api.delete(CoreTypes.JOB, jobs.key("second"), DeleteOptions.background());
      wait.until("the late Job runs", () -> jobs.ready("late", 2));
      requireZone(jobs, "late", "b", "worker-2");
    }
  }

  private static CheckController start(ClusterConnection own) throws InterruptedException {
    CheckController check =
        GpuAvailabilityCheck.controller(CheckEnvironment.of(own), GpuOptions.defaults());
    check.start();
    return check;
  }

  private static boolean hasAnswered(Workload workload, String message) {
    return workload
        .status()
        .admissionCheck("one-zone")
        .filter(entry -> entry.is(CheckState.RETRY) && entry.message().startsWith(message))
        .isPresent();
  }

  private static void requireZone(Jobs jobs, String job, String zone, String node) {
    assertThat(jobs.activePods(job))
        .isNotEmpty()
        .allSatisfy(
            (V1Pod pod) -> {
              assertThat(pod.getSpec().getNodeSelector()).containsEntry(ZONE, zone);
              assertThat(pod.getSpec().getNodeName()).isEqualTo(node);
            });
  }

  private static void label(KubernetesApi api, String node, String zone) {
    api.patch(
        CoreTypes.NODE,
        ObjectKey.cluster(node),
        new MergePatch(
            JsonParser.parseString(
                    "{\"metadata\": {\"labels\": {\"%s\": \"%s\"}}}".formatted(ZONE, zone))
                .getAsJsonObject()));
  }

  private static void create(KubernetesApi api, String name, int pods) {
    Manifests.parse(
            """
            apiVersion: batch/v1
            kind: Job
            metadata:
              name: %s
              namespace: ml
              labels: {kueue.x-k8s.io/queue-name: main}
            spec:
              parallelism: %d
              completions: %d
              suspend: true
              template:
                spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
                  resources: {requests: {cpu: 4}}}]}
            """
                .formatted(name, pods, pods))
        .createIn(api);
  }
}
