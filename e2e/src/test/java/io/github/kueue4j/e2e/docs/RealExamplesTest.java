// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.cli.components.CheckName;
import io.github.kueue4j.e2e.assembly.Playground;
import io.github.kueue4j.e2e.assembly.WindableTime;
import io.github.kueue4j.e2e.cluster.ClusterWait;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.testdefaults.Checkout;
import io.github.kueue4j.testdefaults.Patience;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1JobStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The examples for a real cluster ask for little, and show what they say. */
class RealExamplesTest {
  private static final Path FOLDER = Checkout.root().resolve("examples/real");
  private static final BigDecimal MOST_CPU = new BigDecimal("0.05");

  @Test
  void theirPodsFitOnAnyNode() throws IOException {
    List<V1Job> jobs =
        files().stream()
            .flatMap(file -> manifests(file).objects().stream())
            .map(Manifests.Manifest::object)
            .filter(V1Job.class::isInstance)
            .map(V1Job.class::cast)
            .toList();

    assertThat(jobs).hasSizeGreaterThan(5);
    for (V1Job job : jobs) {
      for (V1Container container :
          Objects.requireNonNull(job.getSpec().getTemplate().getSpec()).getContainers()) {
        String what = ObjectKey.of(job).toString();
        assertThat(container.getImage()).as(what).isEqualTo("busybox:1");
        assertThat(cpu(container)).as(what).isLessThanOrEqualTo(MOST_CPU);
      }
    }
  }

  private static BigDecimal cpu(V1Container container) {
    Map<String, Quantity> requests = container.getResources().getRequests();
    Map<String, Quantity> limits = container.getResources().getLimits();
    return Stream.of(requests, limits)
        .filter(Objects::nonNull)
        .map(amounts -> amounts.get("cpu"))
        .filter(Objects::nonNull)
        .map(Quantity::getNumber)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theyShowWhatTheySay() throws Exception {
    try (WindableTime time = new WindableTime(Instant.parse("2026-03-02T10:00:00Z"));
        Playground playground =
            Playground.start(
                new Playground.Options(
                    0,
                    Playground.quietConfiguration(),
                    Set.of(CheckName.BUDGET, CheckName.GPU),
                    Duration.ofHours(10)),
                time);
        ClusterConnection users = playground.target().connect("users")) {
      KubernetesApi api = users.api();
      ClusterWait wait = ClusterWait.on(api, Patience.LIMIT).passing(time, Duration.ofSeconds(1));

      create(api, "1-quota.yaml");
      wait.until(
          "two of three run",
          () -> Stream.of(1, 2, 3).filter(i -> runs(api, "real-quota", "sort-" + i)).count() == 2);

      create(api, "2-budget.yaml");
      wait.until(
          "one runs, and the other waits for its budget",
          () ->
              Stream.of("ingest", "report").filter(job -> runs(api, "real-budget", job)).count()
                      == 1
                  && workloads(api, "real-budget").stream()
                      .anyMatch(
                          workload -> workload.conditions().isFalse(WorkloadConditions.REQUEUED)));

      create(api, "3-gpu.yaml");
      wait.until("the GPUs are found", () -> runs(api, "real-gpu", "train"));

      create(api, "4-preemption.yaml");
      wait.until("it runs", () -> runs(api, "real-preemption", "patient"));
      create(api, "5-urgent.yaml");
      wait.until("the urgent one runs", () -> runs(api, "real-preemption", "urgent"));
    }
  }

  private static void create(KubernetesApi api, String file) {
    manifests(FOLDER.resolve(file)).createIn(api);
  }

  private static boolean runs(KubernetesApi api, String namespace, String job) {
    return api.get(CoreTypes.JOB, new ObjectKey(namespace, job))
        .map(V1Job::getStatus)
        .map(V1JobStatus::getReady)
        .filter(ready -> ready > 0)
        .isPresent();
  }

  private static List<Workload> workloads(KubernetesApi api, String namespace) {
    return api.list(KueueTypes.WORKLOAD, ListOptions.inNamespace(namespace)).items();
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }

  private static Manifests manifests(Path file) {
    try {
      return Manifests.parse(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
