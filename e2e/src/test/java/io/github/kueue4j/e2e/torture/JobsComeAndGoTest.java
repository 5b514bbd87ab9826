// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.cli.install.Definitions;
import io.github.kueue4j.e2e.assembly.Playground;
import io.github.kueue4j.e2e.assembly.WindableTime;
import io.github.kueue4j.e2e.cluster.Cluster;
import io.github.kueue4j.e2e.cluster.ClusterWait;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.e2e.objects.QueueYaml;
import io.github.kueue4j.e2e.scenarios.ScenarioCluster;
import io.github.kueue4j.e2e.world.SimulatedWorld;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.testdefaults.Nightly;
import io.github.kueue4j.testdefaults.Patience;
import io.github.kueue4j.testdefaults.PossibleLog;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1JobCondition;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many Jobs, a third of them deleted midway in whatever phase they are, the core killed twice: what
 * is left runs to its end, and nothing else is left behind. With {@code -Dkueue4j.soak.jobs=1000}
 * it is a soak of some minutes.
 */
@PossibleLog(
    logger = "GuardedReconciler",
    message = "Reconcile failed; retrying",
    because = "a Job may go while its status is written")
class JobsComeAndGoTest {
  private static final Instant START = Instant.parse("2026-03-02T10:00:00Z");
  private static final int JOBS = Integer.getInteger("kueue4j.soak.jobs", Nightly.bound(30, 150));
  private static final int CPUS = 24;

  private static final Duration PATIENCE = Patience.LIMIT.plusSeconds(JOBS);

  /** A Job runs for half a minute. */
  private static final Duration AT_EACH_LOOK = Duration.ofSeconds(5);

  @ParameterizedTest
  @EnumSource(names = {"EMBEDDED", "BINARIES"})
  void nothingIsLeftBehind(ScenarioCluster kind) throws InterruptedException {
    kind.requireGarbageCollection();
    try (WindableTime time = new WindableTime(START);
        Cluster server = kind.start(time);
        ClusterConnection users = Target.of(server.kubeconfig()).connect("users")) {
      KubernetesApi api = users.api();
      ClusterWait wait = ClusterWait.on(api, PATIENCE).passing(time, AT_EACH_LOOK);
      Definitions.installKueueUnconverted(api);
      Definitions.installExternal(api);
      createQueues(api);
      Target cluster = Target.of(server.kubeconfig());
      SimulatedWorld world =
          SimulatedWorld.start(server.kubeconfig(), time, Duration.ofSeconds(30));
      RunningCore core = RunningCore.start(cluster, Playground.quietConfiguration(), time);
      try {
        create(api, 0, JOBS / 3);
        core.crash();
        create(api, JOBS / 3, JOBS * 2 / 3);
        wait.until("all that run without a core are done", () -> running(api).findAny().isEmpty());
        core = RunningCore.start(cluster, Playground.quietConfiguration(), time);
        create(api, JOBS * 2 / 3, JOBS);
        wait.until(
            "a quarter is done, and the core has started others",
            () ->
                complete(api) >= JOBS / 4
                    && running(api)
                        .map(job -> job.getMetadata().getName())
                        .anyMatch(name -> !startsByItself(name)));
        delete(api, 0, JOBS / 2);
        core.crash();
        delete(api, JOBS / 2, JOBS);
        wait.until("all that run without a core are done", () -> running(api).findAny().isEmpty());
        core = RunningCore.start(cluster, Playground.quietConfiguration(), time);

        int left = JOBS - (JOBS + 2) / 3;
        wait.until("the others are done", () -> complete(api) == left);
        wait.until("and so are their Workloads", () -> settled(api));
        assertThat(jobs(api)).hasSize(left);

        jobs(api).forEach(job -> delete(api, ObjectKey.of(job)));
        wait.until("no Workload is left", () -> workloads(api).isEmpty());
        wait.until("no quota is used", () -> unused(api));
        Manifests.parse(TortureCluster.job("all-of-it", CPUS)).createIn(api);
        wait.until("a Job that needs all of it is done", () -> complete(api) == 1);
      } finally {
        core.close();
        world.close();
      }
    }
  }

  private static void createQueues(KubernetesApi api) {
    QueueYaml queue =
        new QueueYaml(TortureCluster.NAMESPACE, TortureCluster.QUEUE, TortureCluster.QUEUE);
    Manifests.parse(queue.cpus(CPUS)).createIn(api);
  }

  /** Some are created running, as users do who don't know of queues: the core suspends them. */
  private static void create(KubernetesApi api, int from, int to) {
    for (int i = from; i < to; i++) {
      String name = "job-" + i;
      String job = TortureCluster.job(name, 1 + i % 3);
      Manifests.parse(startsByItself(name) ? job.replace("suspend: true", "suspend: false") : job)
          .createIn(api);
    }
  }

  private static boolean startsByItself(String job) {
    return Integer.parseInt(job.substring("job-".length())) % 4 == 0;
  }

  private static void delete(KubernetesApi api, int from, int to) {
    for (int i = from; i < to; i++) {
      if (i % 3 == 0) {
        delete(api, new ObjectKey(TortureCluster.NAMESPACE, "job-" + i));
      }
    }
  }

  private static void delete(KubernetesApi api, ObjectKey job) {
    api.delete(CoreTypes.JOB, job, DeleteOptions.background());
  }

  /**
   * Workloads of Jobs that are there, finished, without a finalizer; a Job without Workload was
   * created running, and done before a core had seen it.
   */
  private static boolean settled(KubernetesApi api) {
    Map<String, String> jobsByUid =
        jobs(api).stream()
            .map(V1Job::getMetadata)
            .collect(Collectors.toMap(V1ObjectMeta::getUid, V1ObjectMeta::getName));
    for (Workload workload : workloads(api)) {
      String job = jobsByUid.remove(workload.metadata().getOwnerReferences().getFirst().getUid());
      if (job == null
          || !Conditions.isTrue(workload.status().conditions(), WorkloadConditions.FINISHED)
          || !Optional.ofNullable(workload.metadata().getFinalizers())
              .orElse(List.of())
              .isEmpty()) {
        return false;
      }
    }
    return jobsByUid.values().stream().allMatch(JobsComeAndGoTest::startsByItself);
  }

  private static boolean unused(KubernetesApi api) {
    ClusterQueue queue = api.list(KueueTypes.CLUSTER_QUEUE, ListOptions.all()).items().getFirst();
    return Integer.valueOf(0).equals(queue.status().reservingWorkloads())
        && Integer.valueOf(0).equals(queue.status().admittedWorkloads())
        && Integer.valueOf(0).equals(queue.status().pendingWorkloads())
        && queue.status().flavorsReservation().stream()
            .flatMap(flavor -> flavor.resources().stream())
            .allMatch(resource -> resource.total() == null || resource.total().isZero());
  }

  /** The Jobs that go on without a core. */
  private static Stream<V1Job> running(KubernetesApi api) {
    return jobs(api).stream().filter(job -> !job.getSpec().getSuspend() && !isComplete(job));
  }

  private static long complete(KubernetesApi api) {
    return jobs(api).stream().filter(JobsComeAndGoTest::isComplete).count();
  }

  private static boolean isComplete(V1Job job) {
    List<V1JobCondition> conditions =
        job.getStatus() == null || job.getStatus().getConditions() == null
            ? List.of()
            : job.getStatus().getConditions();
    return conditions.stream()
        .anyMatch(
            condition ->
                condition.getType().equals("Complete") && condition.getStatus().equals("True"));
  }

  private static List<V1Job> jobs(KubernetesApi api) {
    return api.list(CoreTypes.JOB, ListOptions.inNamespace(TortureCluster.NAMESPACE)).items();
  }

  private static List<Workload> workloads(KubernetesApi api) {
    return api.list(KueueTypes.WORKLOAD, ListOptions.inNamespace(TortureCluster.NAMESPACE)).items();
  }
}
