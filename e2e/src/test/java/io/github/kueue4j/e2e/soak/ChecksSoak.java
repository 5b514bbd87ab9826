// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.cli.components.CheckName;
import io.github.kueue4j.cli.components.RunningCheck;
import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.e2e.assembly.Playground;
import io.github.kueue4j.e2e.ledger.UseRecorder;
import io.github.kueue4j.e2e.world.SimulatedWorld;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.testdefaults.Notices;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Five reference checks with the real core, on queues that ask several of them at once, while their
 * backends fail and the checks are restarted. When the backends are well again, every Workload runs
 * and finishes, nothing is held for any of them, and the ledger of the budget says what an
 * independent recorder has seen.
 */
final class ChecksSoak {

  /**
   * Few enough that the history of each kind is full, and the memory for it taken, within a minute.
   */
  private static final int CHANGES_TO_WATCH = 200;

  private static final Instant START = Instant.parse("2026-03-02T10:00:00Z");

  /** Half a simulated minute a second. */
  private static final double FACTOR = 30;

  private static final long JOB_EVERY_MILLIS = 400;
  private static final int RESTART_EVERY = 5;
  private static final long SEED = 16;

  private record Whose(String policy, String namespace) {}

  private record Kept(Summary summary) {}

  private record Summary(String spent, String reserved) {}

  private static final ResourceType<CustomResource<Whose>> LEDGERS =
      ResourceType.clusterScoped("checks.kueue4j.io/v1alpha1", "BudgetLedger", Whose.class);

  private final Duration trouble;
  private final Duration patience;
  private final Runnable eachJob;
  private final Map<CheckName, RunningCheck> checks = new EnumMap<>(CheckName.class);
  private final Random random = new Random(SEED);
  private int created;

  /**
   * A soak.
   *
   * @param trouble how long Jobs come and backends fail, in real time
   * @param patience how long all may take to finish afterwards
   * @param eachJob runs after each Job was created
   */
  ChecksSoak(Duration trouble, Duration patience, Runnable eachJob) {
    this.trouble = trouble;
    this.patience = patience;
    this.eachJob = eachJob;
  }

  /** Runs; fails where something is stuck or held. */
  void run(Path folder) throws Exception {
    try (TimeSource time = TimeSource.scaled(START, FACTOR);
        UnreliableBackends backends = new UnreliableBackends(SEED);
        EmbeddedApiServer server =
            EmbeddedApiServer.builder()
                .clock(time)
                .kubelets()
                .objects(definitions())
                .historyWindow(CHANGES_TO_WATCH)
                .start()) {
      Target target = Target.of(server.kubeconfig(folder.resolve("kubeconfig")));
      server.apply(objects(backends));
      try (ClusterConnection users = target.connect("users");
          UseRecorder recorder = new UseRecorder(users, time);
          RunningCore core = RunningCore.start(target, Playground.quietConfiguration(), time);
          SimulatedWorld world =
              SimulatedWorld.start(folder.resolve("kubeconfig"), time, Duration.ofMinutes(1))) {
        assertThat(core).isNotNull();
        assertThat(world).isNotNull();
        for (CheckName check : CheckName.values()) {
          checks.put(check, RunningCheck.start(check, target, time));
        }
        Retention retention = new Retention(users.api(), time);
        trouble(server, retention, target, time);
        backends.repair();
        awaitFinished(users.api(), created - retention.deletedJobs());
        nothingIsHeld(users.api(), recorder);
        Notices.nightly(
            ("soak: %d Workloads, %d versions of them, %d faults of backends, %s CPU-seconds;"
                    + " nothing stuck, nothing held")
                .formatted(
                    created,
                    recorder.seen(),
                    backends.faults(),
                    recorder.cpuSeconds().toPlainString()));
      } finally {
        checks.values().forEach(RunningCheck::close);
      }
    }
  }

  /** Creates Jobs and restarts a check now and then, until the time is over. */
  private void trouble(
      EmbeddedApiServer server, Retention retention, Target target, TimeSource time)
      throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    long end = System.nanoTime() + trouble.toNanos();
    List<CheckName> names = List.of(CheckName.values());
    while (System.nanoTime() < end) {
      server.apply(job(created));
      created++;
      if (created % RESTART_EVERY == 0) {
        CheckName victim = names.get(random.nextInt(names.size()));
        Objects.requireNonNull(checks.remove(victim)).close();
        checks.put(victim, RunningCheck.start(victim, target, time));
        retention.deleteOld();
      }
      eachJob.run();
      assertThat(never.await(JOB_EVERY_MILLIS, TimeUnit.MILLISECONDS)).isFalse();
    }
  }

  private String job(int number) {
    boolean gpu = random.nextInt(3) == 0;
    String requests =
        gpu
            ? "{cpu: 1, nvidia.com/gpu: %d}".formatted(1 + random.nextInt(4))
            : "{cpu: %d}".formatted(1 + random.nextInt(4));
    return """
    apiVersion: batch/v1
    kind: Job
    metadata:
      name: job-%d
      namespace: team
      labels:
        kueue.x-k8s.io/queue-name: %s
        kueue.x-k8s.io/max-exec-time-seconds: "600"
      annotations: {simulation.kueue4j.io/runtime: %ds}
    spec:
      suspend: true
      template:
        spec:
          restartPolicy: Never
          containers:
            - {name: main, image: "example.invalid/job:1", resources: {requests: %s}}
    """
        .formatted(number, gpu ? "gpus" : "cpus", 20 + random.nextInt(60), requests);
  }

  private void awaitFinished(KubernetesApi api, int kept) {
    await("all have finished")
        .atMost(patience)
        .untilAsserted(
            () -> {
              List<Workload> all =
                  api.list(KueueTypes.WORKLOAD, ListOptions.inNamespace("team")).items();
              assertThat(all).hasSize(kept);
              assertThat(all)
                  .filteredOn(one -> !Retention.isFinished(one))
                  .extracting(one -> one.key() + " " + one.status().admissionChecks())
                  .isEmpty();
            });
  }

  private void nothingIsHeld(KubernetesApi api, UseRecorder recorder) {
    await("the ledger is settled and says what ran")
        .atMost(patience)
        .untilAsserted(
            () -> {
              Summary summary =
                  api.get(LEDGERS, ObjectKey.cluster("cpu-seconds.team"))
                      .orElseThrow()
                      .status(Kept.class)
                      .orElseThrow()
                      .summary();
              assertThat(summary.reserved()).isEqualTo("0 CPU-seconds");
              assertThat(new BigDecimal(summary.spent().replace(" CPU-seconds", "")))
                  .isEqualByComparingTo(recorder.cpuSeconds());
            });
    await("no request for capacity is left")
        .atMost(patience)
        .untilAsserted(
            () ->
                assertThat(
                        api.list(KueueTypes.PROVISIONING_REQUEST, ListOptions.inNamespace("team"))
                            .items())
                    .isEmpty());
    await("the queue reports that nothing is reserved")
        .atMost(patience)
        .untilAsserted(
            () ->
                assertThat(
                        api.get(KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster("cpus")).orElseThrow())
                    .satisfies(
                        queue ->
                            assertThat(queue.status().flavorsReservation())
                                .isNotEmpty()
                                .allSatisfy(
                                    flavor ->
                                        assertThat(flavor.resources())
                                            .allSatisfy(
                                                one ->
                                                    assertThat(one.total())
                                                        .isEqualTo(Quantity.ZERO)))));
  }

  private static List<String> definitions() {
    List<String> all = new ArrayList<>(Crds.kueue());
    all.addAll(Crds.external());
    for (CheckName check : CheckName.values()) {
      all.addAll(check.crds());
    }
    return all;
  }

  private static String objects(UnreliableBackends backends) {
    return """
    {apiVersion: v1, kind: Namespace, metadata: {name: team}}
    ---
    {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: plain}}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: a100}
    spec: {nodeLabels: {accelerator: nvidia-a100}}
    ---
    apiVersion: checks.kueue4j.io/v1alpha1
    kind: BudgetPolicy
    metadata: {name: cpu-seconds}
    spec:
      limit: 1000000000
      unit: CPU-seconds
      prices: [{resource: cpu, price: "3600"}]
      window: {type: Monthly}
    ---
    apiVersion: checks.kueue4j.io/v1alpha1
    kind: HttpCheck
    metadata: {name: licenses}
    spec:
      endpoint: {url: "%s", timeout: 2s}
      backoff: {base: 2s, max: 10s}
      pendingEvery: 5s
    ---
    apiVersion: checks.kueue4j.io/v1alpha1
    kind: PrometheusCheck
    metadata: {name: load}
    spec:
      endpoint: {url: "%s", timeout: 2s}
      query: load
      readyWhen: "< 0.5"
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ProvisioningRequestConfig
    metadata: {name: room}
    spec:
      provisioningClassName: queued-provisioning.example.com
      parameters: {simulation.kueue4j.io/takes: 5s, simulation.kueue4j.io/fails: "1"}
      retryStrategy: {backoffBaseSeconds: 2, backoffLimitCount: 10}
    ---
    """
            .formatted(backends.licenses(), backends.prometheus())
        + check("money", "kueue4j.io/budget", "checks.kueue4j.io", "BudgetPolicy", "cpu-seconds")
        + check("licenses", "kueue4j.io/http", "checks.kueue4j.io", "HttpCheck", "licenses")
        + check("load", "kueue4j.io/prometheus", "checks.kueue4j.io", "PrometheusCheck", "load")
        + check(
            "room",
            "kueue.x-k8s.io/provisioning-request",
            "kueue.x-k8s.io",
            "ProvisioningRequestConfig",
            "room")
        + """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: AdmissionCheck
        metadata: {name: gpus}
        spec: {controllerName: kueue4j.io/gpu-availability}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: cpus}
        spec:
          namespaceSelector: {}
          resourceGroups:
            - coveredResources: [cpu]
              flavors: [{name: plain, resources: [{name: cpu, nominalQuota: 16}]}]
          admissionChecksStrategy:
            admissionChecks: [{name: money}, {name: licenses}, {name: load}, {name: room}]
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: gpus}
        spec:
          namespaceSelector: {}
          resourceGroups:
            - coveredResources: [cpu, nvidia.com/gpu]
              flavors:
                - name: a100
                  resources:
                    - {name: cpu, nominalQuota: 16}
                    - {name: nvidia.com/gpu, nominalQuota: 16}
          admissionChecksStrategy:
            admissionChecks: [{name: money}, {name: licenses}, {name: gpus}]
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: cpus, namespace: team}
        spec: {clusterQueue: cpus}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: gpus, namespace: team}
        spec: {clusterQueue: gpus}
        """;
  }

  private static String check(
      String name, String controller, String group, String kind, String parameters) {
    return """
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: AdmissionCheck
    metadata: {name: %s}
    spec:
      controllerName: %s
      parameters: {apiGroup: %s, kind: %s, name: %s}
    ---
    """
        .formatted(name, controller, group, kind, parameters);
  }
}
