// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.cli.components.CheckName;
import io.github.kueue4j.runtime.client.DeleteOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * KEP-3258's headline: three checks, each with delays of its own, on one Workload. A budget says
 * until midnight, a licence server five minutes, the GPU check a delay that grows with its own
 * attempts. All three are the real controllers, the core is the real one.
 */
@Tag("quick")
class ThreeChecksTest {
  /** In the budget's time zone, 13 hours ahead. */
  private static final Instant MIDNIGHT = Instant.parse("2026-03-02T11:00:00Z");

  /** A service without a queue, which holds the GPUs until it is deleted. */
  private static final String SERVICE =
      """
      apiVersion: batch/v1
      kind: Job
      metadata:
        name: service
        namespace: ml
        annotations: {simulation.kueue4j.io/runtime: 20h}
      spec:
        template:
          spec:
            restartPolicy: Never
            nodeSelector: {accelerator: nvidia-a100}
            containers:
              - {name: main, image: busybox, resources: {requests: {nvidia.com/gpu: 8}, limits: {nvidia.com/gpu: 8}}}
      """;

  /** Eight EUR of the day's ten; only the licence server is against it, once. */
  private static final String INGEST = job("ingest", "cpu: 8");

  private static final String TRAIN = job("train", "cpu: 8, nvidia.com/gpu: 4");

  /**
   * Whether the licence server refuses: until one refusal is in the Workload. What it answers after
   * another check has had the Workload evicted is about a reservation that is over, and isn't
   * written.
   */
  private final AtomicBoolean refuses = new AtomicBoolean();

  /** How often each check sent the Job back. */
  private final Map<String, Integer> counts = new TreeMap<>();

  private final Set<String> seen = new HashSet<>();
  private final List<String> delays = new ArrayList<>();

  @Test
  void eachKeepsItsDelayAndItsCountAndTheLatestDecides() throws Exception {
    HttpServer seats =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    seats.createContext("/", this::seat);
    seats.start();
    String url = "http://127.0.0.1:" + seats.getAddress().getPort() + "/";
    try (Stage stage =
        new Stage(Set.of(CheckName.BUDGET, CheckName.HTTP, CheckName.GPU), objects(url))) {
      stage.create(SERVICE);
      stage.until("the service runs", () -> stage.jobs.ready("service", 1));
      stage.create(INGEST);
      stage.until("the first Job runs", () -> stage.jobs.ready("ingest", 1));
      refuses.set(true);
      stage.watchWorkloads(this::note);

      stage.create(TRAIN);

      stage.until("it is sent back", () -> !counts().isEmpty());
      stage.until(
          "its quota is free", () -> stage.jobs.workload("train").status().admission() == null);
      stage.letTimePass(Duration.ofSeconds(45));
      stage.until("the GPUs were missing three times", () -> counts().getOrDefault("gpus", 0) > 2);
      Instant gone = stage.time.instant();
      stage.api.delete(CoreTypes.JOB, stage.jobs.key("service"), DeleteOptions.background());
      stage.until("it runs", () -> stage.jobs.ready("train", 1));

      assertThat(stage.jobs.workload("train").conditions().changedAt(WorkloadConditions.ADMITTED))
          .as("not before midnight, and the service had gone; delays were %s", delays)
          .hasValueSatisfying(
              admitted ->
                  assertThat(admitted).isAfterOrEqualTo(MIDNIGHT).isAfter(gone.minusSeconds(1)));
      assertThat(counts()).as("%s", delays).containsOnlyKeys("gpus", "money", "seat");
      assertThat(counts().get("money")).as("it knew when: %s", delays).isEqualTo(1);
      assertThat(stage.jobs.workload("train").status().admissionChecks())
          .hasSize(3)
          .allSatisfy(entry -> assertThat(entry.is(CheckState.READY)).isTrue());
    } finally {
      seats.stop(0);
    }
  }

  private synchronized Map<String, Integer> counts() {
    return Map.copyOf(counts);
  }

  private synchronized void note(Workload workload) {
    if (!workload.key().name().startsWith("job-train-")) {
      return;
    }
    for (AdmissionCheckState entry : workload.status().admissionChecks()) {
      // One of zero seconds ends a delay, and is no answer of its own.
      boolean delayed = Objects.requireNonNullElse(entry.requeueAfterSeconds(), 0) > 0;
      if (entry.is(CheckState.RETRY)
          && delayed
          // By the attempt: the core dates an entry anew whose clock is off, as it is where time
          // passes at once.
          && seen.add(entry.name() + "/" + entry.retryCount())) {
        counts.merge(entry.name(), 1, Integer::sum);
        refuses.compareAndSet(true, !entry.name().equals("seat"));
        delays.add(entry.name() + " for " + entry.requeueAfterSeconds() + " s");
      }
    }
  }

  private void seat(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    byte[] answer =
        (refuses.get()
                ? "{\"verdict\": \"Retry\", \"message\": \"no seat\", \"retryAfterSeconds\": 300}"
                : "{\"verdict\": \"Ready\"}")
            .getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, answer.length);
    exchange.getResponseBody().write(answer);
    exchange.close();
  }

  private static String objects(String seats) {
    return """
      {apiVersion: v1, kind: Namespace, metadata: {name: ml}}
      ---
      apiVersion: checks.kueue4j.io/v1alpha1
      kind: BudgetPolicy
      metadata: {name: daily}
      spec:
        limit: 10
        unit: EUR
        prices: [{resource: cpu, price: 1}]
        window: {type: Daily, timeZone: Etc/GMT-13}
      ---
      apiVersion: checks.kueue4j.io/v1alpha1
      kind: HttpCheck
      metadata: {name: seats}
      spec: {endpoint: {url: "%s"}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: AdmissionCheck
      metadata: {name: money}
      spec:
        controllerName: kueue4j.io/budget
        parameters: {apiGroup: checks.kueue4j.io, kind: BudgetPolicy, name: daily}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: AdmissionCheck
      metadata: {name: seat}
      spec:
        controllerName: kueue4j.io/http
        parameters: {apiGroup: checks.kueue4j.io, kind: HttpCheck, name: seats}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: AdmissionCheck
      metadata: {name: gpus}
      spec: {controllerName: kueue4j.io/gpu-availability}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: a100}
      spec: {nodeLabels: {accelerator: nvidia-a100}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: ml}
      spec:
        namespaceSelector: {}
        resourceGroups:
          - coveredResources: [cpu, nvidia.com/gpu]
            flavors:
              - name: a100
                resources:
                  - {name: cpu, nominalQuota: 16}
                  - {name: nvidia.com/gpu, nominalQuota: 8}
        admissionChecksStrategy:
          admissionChecks: [{name: money}, {name: seat}, {name: gpus}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: main, namespace: ml}
      spec: {clusterQueue: ml}
      """
        .formatted(seats);
  }

  private static String job(String name, String requests) {
    return """
    apiVersion: batch/v1
    kind: Job
    metadata:
      name: %s
      namespace: ml
      labels:
        kueue.x-k8s.io/queue-name: main
        kueue.x-k8s.io/max-exec-time-seconds: "3600"
      annotations: {simulation.kueue4j.io/runtime: 50m}
    spec:
      suspend: true
      template:
        spec:
          restartPolicy: Never
          containers: [{name: main, image: busybox, resources: {requests: {%s}}}]
    """
        .formatted(name, requests);
  }
}
