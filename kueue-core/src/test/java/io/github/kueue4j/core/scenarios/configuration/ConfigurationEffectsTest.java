// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.runtime.informer.InitialSyncTimeoutException;
import io.github.kueue4j.testdefaults.PossibleLog;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the keys of the configuration do, seen from outside. */
@Execution(ExecutionMode.CONCURRENT)
@PossibleLog(
    logger = "CachedInformer",
    message = "Listing or watching failed; retrying",
    because = "of a core that ends since its caches don't fill")
@PossibleLog(
    logger = "RunningController",
    message = "Reconciles are still running",
    because = "the core is closed while its requests wait for the rate limit")
@PossibleLog(
    logger = "GuardedReconciler",
    message = "Reconcile failed; retrying",
    because = "the core is closed while its requests wait for the rate limit")
class ConfigurationEffectsTest {
  private static final RequestMatcher STATUS_OF_WORKLOADS =
      RequestMatcher.verbs("patch")
          .and(RequestMatcher.resource("workloads"))
          .and(RequestMatcher.subresource("status"));

  /** All that are limited: whether the server answers is asked before. */
  private static final RequestMatcher OF_THE_CORE =
      RequestMatcher.userAgent("kueue-core").and(RequestMatcher.anyResource());

  private static final int BURST = 40;

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void soManyWorkloadsAreWorkedOnAtOnce(int workers) {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=10");
      cluster.startCore(
          "controller: {groupKindConcurrency: {Workload.kueue.x-k8s.io: %d}}\n".formatted(workers));
      cluster.settle();
      try (Fault held = cluster.server.faults().pause(STATUS_OF_WORKLOADS)) {
        for (int i = 0; i < 5; i++) {
          cluster.job("job-" + i, 1);
        }
        await().until(() -> held.hits() >= workers);
        await().during(Duration.ofMillis(500)).until(() -> held.hits() == workers);
      }
    }
  }

  @Test
  void withTheGateOffNoWorkloadIsKeptOutOfAQueue() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore("featureGates: {AdmissionGatedBy: false}\n");
      cluster.apply(
          TestJob.named("job")
              .queue("lq")
              .annotation("kueue.x-k8s.io/admission-gated-by", "example.com/x")
              .cpus(1)
              .yaml());

      cluster.awaitWorkload("job", TestCluster::admitted);
    }
  }

  @Test
  void requestsBeyondTheBurstWaitForTheirTurn() {
    try (TestCluster cluster = new TestCluster();
        Fault sent = cluster.server.faults().delay(OF_THE_CORE, Duration.ZERO)) {
      cluster.queue("", "default=100");
      // The next one after the burst would be sent after 1000 s.
      cluster.startCore("clientConnection: {qps: 0.001, burst: %d}\n".formatted(BURST));
      // Twenty Jobs need more than that alone.
      for (int i = 0; i < 20; i++) {
        cluster.job("job-" + i, 1);
      }
      await().until(() -> sent.hits() >= BURST);
      await().during(Duration.ofMillis(500)).until(() -> sent.hits() == BURST);
    }
  }

  @Test
  void metricsAndHealthAreServedWhereTheConfigurationSays() throws Exception {
    try (TestCluster cluster = new TestCluster()) {
      KueueCore core =
          cluster.startCore(
              """
              health:
                healthProbeBindAddress: "127.0.0.1:0"
                readinessEndpointName: ready
                livenessEndpointName: alive
              metrics: {bindAddress: "127.0.0.1:0"}
              kueue4j: {insecureMetrics: true}
              """);

      // Port 0 twice is one address: both on one server.
      assertThat(get(core.metricsPort(), "/metrics").body()).contains("workqueue_depth");
      assertThat(get(core.httpPort(), "/ready").statusCode()).isEqualTo(200);
      assertThat(get(core.httpPort(), "/alive").statusCode()).isEqualTo(200);
      assertThat(get(core.httpPort(), "/readyz").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void metricsHaveAServerOfTheirOwn() throws Exception {
    try (TestCluster cluster = new TestCluster()) {
      KueueCore core =
          cluster.startCore(
              """
              health: {healthProbeBindAddress: "127.0.0.1:0"}
              metrics: {bindAddress: "localhost:0"}
              kueue4j: {insecureMetrics: true}
              """);

      assertThat(core.metricsPort()).isPositive().isNotEqualTo(core.httpPort());
      assertThat(get(core.metricsPort(), "/metrics").body()).contains("workqueue_depth");
      assertThat(get(core.metricsPort(), "/readyz").statusCode()).isEqualTo(404);
      assertThat(get(core.httpPort(), "/readyz").statusCode()).isEqualTo(200);
      assertThat(get(core.httpPort(), "/metrics").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void aLookInsideIsServedOnTheLoopbackAddress() throws Exception {
    try (TestCluster cluster = new TestCluster()) {
      KueueCore core = cluster.startCore("pprofBindAddress: \":0\"\n");

      assertThat(get(core.diagnosticsPort(), "/debug/threads").body()).contains("kueue4j-");
    }
  }

  @Test
  void aCoreWhoseCachesDoNotFillInTimeEnds() {
    try (TestCluster cluster = new TestCluster();
        Fault broken =
            cluster
                .server
                .faults()
                .failNext(Integer.MAX_VALUE, RequestMatcher.resource("cohorts"), 500)) {
      assertThatThrownBy(() -> cluster.startCore("controller: {cacheSyncTimeout: 5s}\n"))
          .isInstanceOf(InitialSyncTimeoutException.class)
          .hasMessageContaining("cohorts");
      assertThat(broken.hits()).isPositive();
    }
  }

  @Test
  void zeroServesNothing() {
    try (TestCluster cluster = new TestCluster()) {
      KueueCore core =
          cluster.startCore("health: {healthProbeBindAddress: '0'}\nmetrics: {bindAddress: '0'}\n");

      assertThat(core.httpPort()).isEqualTo(-1);
      assertThat(core.metricsPort()).isEqualTo(-1);
    }
  }

  private static HttpResponse<String> get(int port, String path)
      throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }
}
