// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.requests;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import io.kubernetes.client.openapi.models.V1Job;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The API server is the scarce resource: counts what the core asks of it per Job, from the server's
 * own counters. What belongs to the Job (Workload created, Job started, Workload finished,
 * finalizer removed) takes four requests; admission may take one and a half more.
 */
@Simulated
class RequestsPerWorkloadTest {
  private static final int JOBS = 60;
  private static final int AT_ONCE = 10;

  @Test
  void admissionTakesAtMostOneAndAHalfRequests() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=10");
      cluster.startCore();
      cluster.settle();
      cluster.server.requests().reset();
      for (int i = 0; i < JOBS; i++) {
        cluster.job("job-" + i, 1);
      }
      // Ten run at a time, for two seconds each.
      for (int finished = 0; finished < JOBS; finished += AT_ONCE) {
        cluster.awaitThat(
            "as many run as there is room for", world -> running(world).size() == AT_ONCE);
        cluster.advance(Duration.ofSeconds(2));
        running(cluster).forEach(cluster::jobSucceeds);
      }
      cluster.awaitThat(
          "all Workloads are finished",
          world ->
              world.workloads().stream()
                  .allMatch(w -> TestCluster.isTrue(w, WorkloadConditions.FINISHED)));
      cluster.settle();

      Map<String, Long> counts = new TreeMap<>();
      cluster
          .server
          .requests()
          .forEach(
              (series, count) -> {
                if (series.request().userAgent().contains("kueue-core")
                    && !series.request().verb().equals("watch")) {
                  String subresource =
                      series.request().subresource().isEmpty()
                          ? ""
                          : "/" + series.request().subresource();
                  counts.merge(
                      series.request().verb()
                          + " "
                          + series.request().resource()
                          + subresource
                          + (series.code() < 400 ? "" : " " + series.code()),
                      count,
                      Long::sum);
                }
              });
      Map<String, Long> all = Map.copyOf(counts);
      // The Job's own: its Workload, its start, its end.
      Map<String, Long> own =
          Map.of(
              "create workloads", (long) JOBS,
              "patch jobs", (long) JOBS,
              "patch workloads", (long) JOBS,
              "patch workloads/status", (long) JOBS);
      own.forEach((what, count) -> counts.merge(what, -count, Long::sum));
      assertThat(counts).allSatisfy((what, count) -> assertThat(count).as(what).isNotNegative());
      assertThat(counts.keySet()).noneMatch(what -> what.startsWith("get ") || what.contains(" 4"));
      double admission = counts.values().stream().mapToLong(Long::longValue).sum();
      assertThat(admission / JOBS)
          .as("requests beyond a Job's own, of %s for %d Jobs", all, JOBS)
          .isLessThanOrEqualTo(1.5);
    }
  }

  private static List<String> running(TestCluster cluster) {
    return IntStream.range(0, JOBS)
        .mapToObj(i -> "job-" + i)
        .filter(
            name -> {
              V1Job job = cluster.job(name);
              return Boolean.FALSE.equals(Objects.requireNonNull(job.getSpec()).getSuspend())
                  && (job.getStatus() == null || job.getStatus().getSucceeded() == null);
            })
        .toList();
  }
}
