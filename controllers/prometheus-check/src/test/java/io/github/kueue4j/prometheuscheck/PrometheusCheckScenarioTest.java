// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.prometheuscheck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.http.AddressRange;
import io.github.kueue4j.http.AddressRules;
import io.github.kueue4j.http.EndpointCheckOptions;
import io.github.kueue4j.sdk.program.CheckStarter;
import io.github.kueue4j.sdk.program.GuardSettings;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.github.kueue4j.testdefaults.FakePrometheus;
import io.github.kueue4j.testdefaults.RealPrometheus;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The check on an API server, against the real Prometheus and against one that errs. */
@ExpectedLog(logger = "Evaluator", message = "Evaluation failed")
class PrometheusCheckScenarioTest {
  private static final String CONTROLLER = "kueue4j.io/prometheus";

  /** As the API server of Kubernetes exposes it: 90 of 100 requests took up to 0.1 s. */
  private static final String LATENCY =
      """
      # TYPE apiserver_request_duration_seconds histogram
      apiserver_request_duration_seconds_bucket{resource="pods",verb="LIST",le="0.1"} %1$d
      apiserver_request_duration_seconds_bucket{resource="pods",verb="LIST",le="1"} 100
      apiserver_request_duration_seconds_bucket{resource="pods",verb="LIST",le="+Inf"} 100
      apiserver_request_duration_seconds_sum{resource="pods",verb="LIST"} 12
      apiserver_request_duration_seconds_count{resource="pods",verb="LIST"} 100
      """;

  @Test
  @KueueTest(virtualTime = false)
  void theLatencyOfTheApiServerDecidesAndEvictsWhenItTurns(KueueCluster cluster) {
    try (RealPrometheus prometheus = RealPrometheus.start()) {
      prometheus.expose(LATENCY.formatted(50));
      start(
          cluster,
          prometheus.uri(),
          """
            query: |
              histogram_quantile(0.99, sum by (le) (
                apiserver_request_duration_seconds_bucket{verb!="WATCH"})) # not a rate: it is a test
            readyWhen: "< 0.5"
            delay: {proportional: {relaxed: 1m, stressed: 10m, stressedAt: 1}, spread: 0s}
            recheckReady: true
            cacheFor: 0s
          """,
          Duration.ofMillis(300));

      PlayedWorkload delayed =
          cluster.workload("delayed").reserve("check").awaitState("check", CheckState.RETRY);
      // 0.982 s, which is 0.964 of the way from 0.5 s to 1 s.
      AdmissionCheckState entry = delayed.entry("check");
      assertThat(entry.requeueAfterSeconds()).isBetween(575, 585);
      assertThat(entry.message())
          .isEqualTo(
              "The query gives 0.982; < 0.5 is wanted. Asking again in 9 min 41 s (attempt 0).");

      prometheus.expose(LATENCY.formatted(100));
      PlayedWorkload running =
          cluster.workload("running").reserve("check").awaitState("check", CheckState.READY);
      assertThat(running.entry("check").message())
          .isEqualTo("The query gives 0.099, as wanted (< 0.5).");
      running.admit();
      prometheus.expose(LATENCY.formatted(50));
      running.awaitState("check", CheckState.RETRY);
    }
  }

  @Test
  @KueueTest
  void whatPrometheusRefusesIsToldOnTheAdmissionCheck(KueueCluster cluster) {
    try (FakePrometheus prometheus = FakePrometheus.start()) {
      prometheus.body(
          400, "{\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"unclosed\"}");
      start(cluster, prometheus.uri(), "  query: sum(up\n  readyWhen: '> 0'", Duration.ofHours(1));
      awaitCheck(
          cluster, "QueryRefused", "the query 'sum(up' failed: Prometheus refused it (bad_data)");

      prometheus.values("3");
      cluster.advanceUntil(
          Duration.ofSeconds(30),
          "the next probe",
          () -> !cluster.describe().contains("QueryRefused"));
      cluster.script().awaitActive("check");
      cluster.workload("a").reserve("check").awaitState("check", CheckState.READY);
      assertThat(cluster.describe()).contains("prometheuschecks/latency/status");
    }
  }

  @Test
  @KueueTest
  void aServerThatFailsKeepsWorkloadsUntilTheErrorBudgetIsSpent(KueueCluster cluster) {
    try (FakePrometheus prometheus = FakePrometheus.start()) {
      start(cluster, prometheus.uri(), "  query: up\n  readyWhen: '> 0'", Duration.ofHours(1));
      cluster.script().awaitActive("check");
      prometheus.body(503, "it starts");
      // The probe's answer is shared for five seconds.
      cluster.advance(Duration.ofSeconds(5));

      PlayedWorkload workload = cluster.workload("a").reserve("check");
      workload.await(
          "the message tells the failure",
          object ->
              workload.entry("check").message().contains("answered 503 (Service Unavailable)"));
      assertThat(workload.entry("check").is(CheckState.PENDING)).isTrue();
      cluster.advanceUntil(
          Duration.ofMinutes(1),
          "the end of the error budget",
          () -> workload.entry("check").is(CheckState.RETRY));
    }
  }

  /** What has a placeholder is wrapped: the failure may be one Workload's own. */
  @ParameterizedTest
  @KueueTest
  @CsvSource({"503, up, 60, 72", "503, 'up{n=\"{{namespace}}\"}', 60, 72", "502, up, 600, 720"})
  void aServerThatIsBusyIsAskedSoonerThanOneThatIsDown(
      int status, String query, int shortest, int longest, KueueCluster cluster) {
    try (FakePrometheus prometheus = FakePrometheus.start()) {
      String fields =
          "  query: '"
              + query
              + "'\n  readyWhen: '> 0'\n"
              + "  unavailable: {errorBudget: 0s, busyDelay: 1m, downDelay: 10m}";
      start(cluster, prometheus.uri(), fields, Duration.ofHours(1));
      cluster.script().awaitActive("check");
      prometheus.body(status, "");
      // The probe's answer is shared for five seconds.
      cluster.advance(Duration.ofSeconds(5));

      PlayedWorkload workload =
          cluster.workload("a").reserve("check").awaitState("check", CheckState.RETRY);

      assertThat(workload.entry("check").requeueAfterSeconds()).isBetween(shortest, longest);
    }
  }

  @Test
  @KueueTest
  void aFieldThatMakesNoSenseIsRefusedByTheServerOrToldByTheController(KueueCluster cluster) {
    PrometheusCheck.crds().forEach(cluster::apply);
    assertRefused(cluster, "  readyWhen: about 3", "readyWhen");
    assertRefused(
        cluster,
        "  readyWhen: < 3\n  delay: {fixed: 1m, backoff: {}}",
        "write at most one of fixed, backoff and proportional");
    assertRefused(
        cluster,
        "  readyWhen: < 3\n  workloads: {selector: {matchExpressions: [{key: a, operator: In}]}}",
        "write values with In and NotIn");

    start(
        cluster,
        URI.create("http://127.0.0.1:1"),
        "  query: up{a='{{tenant}}'}\n  readyWhen: '> 0'",
        Duration.ofHours(1));
    awaitCheck(
        cluster,
        "BadParametersRef",
        "spec.query is 'up{a='{{tenant}}'}': the placeholder {{tenant}} is unknown: write one of"
            + " {{namespace}}, {{workload}}, {{queue}}");
  }

  /** What is to be waited for in tests whose time is that of a real Prometheus. */
  private static final GuardSettings IN_REAL_TIME =
      GuardSettings.environment(Map.of("KUEUE4J_GUARDS_REVOCATIONS_CONFIRM_AFTER", "500ms"));

  private static void assertRefused(KueueCluster cluster, String fields, String problem) {
    assertThat(
            catchThrowable(
                () ->
                    cluster.apply(
                        object(URI.create("http://127.0.0.1:1"), "  query: up\n" + fields))))
        .hasMessageContaining(problem);
  }

  private static String object(URI server, String fields) {
    return """
    apiVersion: checks.kueue4j.io/v1alpha1
    kind: PrometheusCheck
    metadata: {name: latency}
    spec:
      endpoint: {url: "%s", timeout: 20s}
    """
            .formatted(server)
        + fields
        + '\n';
  }

  private static void start(
      KueueCluster cluster, URI server, String fields, Duration recheckReadyEvery) {
    PrometheusCheck.crds().forEach(cluster::apply);
    cluster.apply(object(server, fields));
    cluster.admissionCheck("check", CONTROLLER, "checks.kueue4j.io", "PrometheusCheck", "latency");
    EndpointCheckOptions options =
        PrometheusCheck.defaults()
            .withAddresses(AddressRules.defaults().allowing(AddressRange.parse("127.0.0.1/32")))
            .withRecheckReadyEvery(recheckReadyEvery);
    cluster.run(
        CheckStarter.of(
            environment ->
                PrometheusCheck.controller(environment.withGuards(IN_REAL_TIME::on), options)));
  }

  private static void awaitCheck(KueueCluster cluster, String reason, String message) {
    await().untilAsserted(() -> assertThat(cluster.describe()).contains(reason).contains(message));
  }
}
