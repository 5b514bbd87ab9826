// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.prometheuscheck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.api.LabelSelector;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.http.AddressRange;
import io.github.kueue4j.http.AddressRules;
import io.github.kueue4j.http.HttpBackends;
import io.github.kueue4j.http.HttpEndpoint;
import io.github.kueue4j.http.SecretTexts;
import io.github.kueue4j.http.prometheus.PrometheusException;
import io.github.kueue4j.prometheuscheck.PrometheusCheckSpec.FailurePolicy;
import io.github.kueue4j.prometheuscheck.PrometheusCheckSpec.NoDataPolicy;
import io.github.kueue4j.sdk.AssignedPodSet;
import io.github.kueue4j.sdk.BackendHealth;
import io.github.kueue4j.sdk.BackendReport;
import io.github.kueue4j.sdk.BackendUnavailableException;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.fixture.Evaluations;
import io.github.kueue4j.testdefaults.FakePrometheus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the check answers, by its parameters and by what the server does. */
@Tag("quick")
class PrometheusCheckTest {
  private static final Instant NOW = Instant.parse("2026-06-01T08:00:00Z");
  private static final PrometheusCheckSpec.FailurePolicy FAIL = FailurePolicy.FAIL;

  private final FakePrometheus server = FakePrometheus.start();
  private final HttpBackends backends =
      HttpBackends.of(
          SecretTexts.none(), AddressRules.defaults().allowing(AddressRange.parse("127.0.0.1/32")));
  private final PrometheusCheck check =
      new PrometheusCheck(backends, BackendReport.unread(), InstantSource.fixed(NOW));

  @AfterEach
  void stop() {
    backends.close();
    server.close();
  }

  @Test
  void theConditionDecides() throws Exception {
    server.values("3");

    assertThat(check.evaluate(evaluation(spec("free", "> 2"))))
        .isEqualTo(Verdict.ready("The query gives 3, as wanted (> 2)."));
    assertThat(check.dryEvaluate(evaluation(spec("free", "> 2"))))
        .hasValue(Verdict.ready("The query gives 3, as wanted (> 2)."));
    Verdict.Retry retry = Evaluations.retry(check.evaluate(evaluation(spec("free", "> 3"))));
    assertThat(retry.reason()).hasToString("ConditionNotMet");
    assertThat(retry.message())
        .isEqualTo(
            "The query gives 3; > 3 is wanted. Asking again in {delay} (attempt {attempt}).");
    assertThat(retry.delay().resolve(0, NOW, new Random(1)).orElseThrow())
        .isBetween(Duration.ofSeconds(30), Duration.ofSeconds(60));
  }

  @Test
  void theQueryIsFilledFromTheWorkloadAndAskedForTheWholeTime() throws Exception {
    server.values("3");
    PrometheusCheckSpec plain = spec("free{q=\"{{queue}}\"} - {{requests.cpu}}", "> 2");

    check.evaluate(evaluation(with(plain, Optional.of(Duration.ofMinutes(2)), Optional.empty())));

    assertThat(server.queries())
        .containsExactly("min_over_time((\nfree{q=\"lq\"} - 4\n)[120000ms:4000ms])");
  }

  @Test
  void theWorstSeriesIsNamed() throws Exception {
    server.body(
        200,
        "{\"status\":\"success\",\"data\":{\"resultType\":"
            + "\"vector\",\"result\":["
            + "{\"metric\":{\"shard\":\"a\"},\"value\":[1,\"1\"]},"
            + "{\"metric\":{\"shard\":\"b\"},\"value\":[1,\"9\"]}]}}");

    assertThat(Evaluations.retry(check.evaluate(evaluation(spec("x", "< 2")))).message())
        .startsWith("The query gives 9 for {shard=\"b\"}; < 2 is wanted.");
  }

  /** A store of Thanos that is down: what the others know looks as if all were well. */
  @Test
  void anAnswerThatMayNotBeWholeIsNone() throws Exception {
    server.body(
        200,
        "{\"status\":\"success\",\"warnings\":[\"no store: password=hunter2\"],\"data\":"
            + "{\"resultType\":\"vector\",\"result\":[{\"metric\":{},\"value\":[1,\"1\"]}]}}");

    assertThatThrownBy(() -> check.evaluate(evaluation(spec("x", "< 2"))))
        .isInstanceOf(BackendUnavailableException.class)
        .hasMessageContaining("gave warnings with the answer")
        .hasMessageNotContaining("store");
    // Nor does it take back what was let through, whatever it says.
    assertThat(check.evaluate(ready(spec("y", "> 2", Optional.empty(), FAIL, true))))
        .isInstanceOf(Verdict.Unchanged.class);
    BackendHealth.Down down = (BackendHealth.Down) check.probe("check", spec("z", "< 2"));
    assertThat(down.message()).doesNotContain("hunter2");
  }

  @ParameterizedTest
  @CsvSource({"PENDING, Pending", "READY, Ready", "RETRY, Retry"})
  void withoutDataThePolicyDecides(NoDataPolicy policy, String verdict) throws Exception {
    server.values("NaN");

    Verdict answer = check.evaluate(evaluation(spec("x", "< 2", Optional.of(policy), FAIL, false)));

    assertThat(answer.getClass().getSimpleName()).isEqualTo(verdict);
    if (answer instanceof Verdict.Pending pending) {
      assertThat(pending.recheckIn()).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(60));
    }
  }

  @Test
  void aFailureIsOneUnlessItIsToBeIgnored() throws Exception {
    server.body(500, "boom");
    assertThatThrownBy(() -> check.evaluate(evaluation(spec("x", "< 2"))))
        .isInstanceOf(BackendUnavailableException.class);
    server.body(400, "{\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"no\"}");
    assertThatThrownBy(() -> check.evaluate(evaluation(spec("y", "< 2"))))
        .isInstanceOf(PrometheusException.class);

    PrometheusCheckSpec ignoring = spec("z", "< 2", Optional.empty(), FailurePolicy.IGNORE, false);
    Verdict answer = check.evaluate(evaluation(ignoring));
    assertThat(((Verdict.Ready) answer).message())
        .isEqualTo(
            "Let through without an answer, as failurePolicy says: the query 'z' failed: Prometheus"
                + " refused it (bad_data); the log of the controller has its words");
    assertThat(check.probe("check", ignoring)).isInstanceOf(BackendHealth.Up.class);
  }

  @ParameterizedTest
  @CsvSource({"500, false, true", "500, true, false", "503, true, false", "502, true, true"})
  void whereTheQueryDependsOnTheWorkloadItsFailureMayBeDueToIt(
      int status, boolean depends, boolean unavailable) {
    server.body(status, "boom");
    PrometheusCheckSpec asking = spec(depends ? "free{q=\"{{queue}}\"}" : "free", "< 2");

    Throwable failure = catchThrowable(() -> check.evaluate(evaluation(asking)));

    assertThat(failure instanceof BackendUnavailableException).isEqualTo(unavailable);
    assertThat(failure).hasMessageContaining("answered " + status);
  }

  @Test
  void theProbeTellsWhatIsWrong() throws Exception {
    assertThat(check.probe("check", spec("up", "< 2"))).isInstanceOf(BackendHealth.Up.class);
    server.body(503, "<html>of the server</html>");
    BackendHealth.Down down =
        (BackendHealth.Down) check.probe("check", spec("x{n=\"{{namespace}}\"}", "< 2"));
    assertThat(down.reason()).hasToString("PrometheusUnavailable");
    assertThat(down.message()).isEqualTo(server.uri() + " answered that it can't answer now.");
    assertThat(server.queries()).containsExactly("up", "vector(1)");
    server.body(400, "{\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"no\"}");
    down = (BackendHealth.Down) check.probe("check", spec("sum(", "< 2"));
    assertThat(down.reason()).hasToString("QueryRefused");
    assertThat(down.message()).endsWith("correct spec.query");
    server.body(200, "<html>of the server</html>");
    down = (BackendHealth.Down) check.probe("check", spec("y", "< 2"));
    assertThat(down.message())
        .isEqualTo(
            server.uri()
                + " gave an error of its own, an answer with warnings, or what is no answer of"
                + " Prometheus.");
  }

  @Test
  void whatTheServerSaysIsCutInMessages() throws Exception {
    String longText = "a".repeat(5000);
    server.body(
        200,
        "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{\"metric\":{\"shard\":\"%1$s\"},\"value\":[1,\"9\"]}]}}"
            .formatted(longText));

    assertThat(Evaluations.retry(check.evaluate(evaluation(spec("x", "< 2")))).message())
        .startsWith("The query gives 9 for {shard=\"aaa")
        .hasSizeLessThan(600);
  }

  @Test
  void aWorkloadThatWasLetThroughIsLeftAloneUnlessRechecksAreWanted() throws Exception {
    server.values("9");
    assertThat(check.evaluate(ready(spec("x", "< 2")))).isInstanceOf(Verdict.Unchanged.class);
    assertThat(server.queries()).isEmpty();

    PrometheusCheckSpec rechecking = spec("x", "< 2", Optional.of(NoDataPolicy.RETRY), FAIL, true);
    assertThat(check.evaluate(ready(rechecking))).isInstanceOf(Verdict.Retry.class);
    server.values("1");
    assertThat(check.evaluate(ready(spec("w", "< 2", Optional.empty(), FAIL, true))))
        .isInstanceOf(Verdict.Unchanged.class);
    // Neither missing data nor a failure evicts.
    server.values();
    assertThat(check.evaluate(ready(spec("y", "< 2", Optional.of(NoDataPolicy.RETRY), FAIL, true))))
        .isInstanceOf(Verdict.Unchanged.class);
    server.body(503, "");
    assertThat(check.evaluate(ready(spec("z", "< 2", Optional.empty(), FAIL, true))))
        .isInstanceOf(Verdict.Unchanged.class);
  }

  /** A second answer from the cache would be the first one again. */
  @Test
  void whatRunsEndsByTwoMeasurementsWhateverIsCached() throws Exception {
    server.values("9");
    PrometheusCheckSpec spec = watching(Optional.empty(), Optional.of(Duration.ofMinutes(5)));
    assertThat(check.evaluate(ready(spec))).isInstanceOf(Verdict.Retry.class);

    server.values("1");
    assertThat(check.evaluate(ready(spec, NOW.plusSeconds(30))))
        .isInstanceOf(Verdict.Unchanged.class);
    assertThat(check.evaluate(evaluation(spec))).isInstanceOf(Verdict.Ready.class);
    assertThat(server.queries()).as("those that wait share the answer").hasSize(2);
  }

  /** One bad second stays the worst of two minutes, and would be in both answers. */
  @Test
  void whatRunsIsJudgedByTheMoment() throws Exception {
    server.values("9");
    PrometheusCheckSpec spec = watching(Optional.of(Duration.ofMinutes(2)), Optional.empty());

    assertThat(Evaluations.retry(check.evaluate(ready(spec))).message())
        .startsWith("The query gives 9; < 2 is wanted.");
    assertThat(Evaluations.retry(check.evaluate(evaluation(spec))).message())
        .startsWith("The query gives 9; < 2 for 2m is wanted.");
    assertThat(server.queries()).containsExactly("x", "max_over_time((\nx\n)[120000ms:4000ms])");
  }

  @ParameterizedTest
  @CsvSource({
    "team, IN, vision, true",
    "team, IN, speech, false",
    "tier, IN, batch, true",
    "absent, NOT_IN, x, true",
    "other, EXISTS, , false",
  })
  void labelsOfTheWorkloadAndOfItsPodsSelect(
      String key, LabelSelector.Operator operator, String value, boolean asked) throws Exception {
    server.values("9");
    LabelSelector.Requirement requirement =
        new LabelSelector.Requirement(key, operator, value == null ? List.of() : List.of(value));
    ConcernedWorkloads some =
        new ConcernedWorkloads(
            Optional.of(new LabelSelector(Map.of(), List.of(requirement))), Map.of());

    assertThat(check.evaluate(evaluation(of(some))) instanceof Verdict.Retry).isEqualTo(asked);
  }

  @ParameterizedTest
  @CsvSource({"cpu, 4, true", "cpu, 4001m, false", "nvidia.com/gpu, 1, false"})
  void onlyLargeWorkloadsMayBeConcerned(String resource, String least, boolean asked)
      throws Exception {
    server.values("9");
    ConcernedWorkloads some =
        new ConcernedWorkloads(Optional.empty(), Map.of(resource, Quantity.parse(least)));

    Verdict answer = check.evaluate(evaluation(of(some)));

    assertThat(answer instanceof Verdict.Retry).isEqualTo(asked);
    assertThat(server.queries()).hasSize(asked ? 1 : 0);
  }

  @Test
  void theDelayIsLongestOnTheOtherSideOfTheBound() {
    assertThatThrownBy(
            () ->
                new PrometheusCheckSpec(
                    HttpEndpoint.of(server.uri()),
                    Optional.of("x"),
                    Optional.empty(),
                    "< 2",
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of(
                        new RetryDelay(
                            Optional.empty(),
                            Optional.empty(),
                            Optional.of(
                                new RetryDelay.Proportional(
                                    Duration.ofMinutes(1), Duration.ofMinutes(2), 1)),
                            Optional.empty())),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty()))
        .isInstanceOf(InvalidFieldException.class)
        .hasMessageContaining("delay.proportional.stressedAt is '1': write a value at which < 2");
  }

  private PrometheusCheckSpec spec(String query, String readyWhen) {
    return spec(query, readyWhen, Optional.empty(), FAIL, false);
  }

  private PrometheusCheckSpec spec(
      String query,
      String readyWhen,
      Optional<NoDataPolicy> noData,
      FailurePolicy failurePolicy,
      boolean recheckReady) {
    return new PrometheusCheckSpec(
        HttpEndpoint.of(server.uri()),
        Optional.of(query),
        Optional.empty(),
        readyWhen,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        noData,
        Optional.of(failurePolicy),
        Optional.empty(),
        Optional.of(recheckReady),
        Optional.empty());
  }

  private PrometheusCheckSpec watching(Optional<Duration> holdsFor, Optional<Duration> cacheFor) {
    return with(spec("x", "< 2", Optional.empty(), FAIL, true), holdsFor, cacheFor);
  }

  private static PrometheusCheckSpec with(
      PrometheusCheckSpec spec, Optional<Duration> holdsFor, Optional<Duration> cacheFor) {
    return new PrometheusCheckSpec(
        spec.endpoint(),
        spec.query(),
        spec.readyMade(),
        spec.readyWhen(),
        holdsFor,
        spec.workloads(),
        spec.delay(),
        spec.noData(),
        spec.failurePolicy(),
        spec.unavailable(),
        spec.recheckReady(),
        cacheFor);
  }

  private PrometheusCheckSpec of(ConcernedWorkloads workloads) {
    return new PrometheusCheckSpec(
        HttpEndpoint.of(server.uri()),
        Optional.of("x"),
        Optional.empty(),
        "< 2",
        Optional.empty(),
        Optional.of(workloads),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static Evaluation<PrometheusCheckSpec> ready(PrometheusCheckSpec spec) {
    return ready(spec, NOW);
  }

  private static Evaluation<PrometheusCheckSpec> ready(PrometheusCheckSpec spec, Instant now) {
    return evaluation(
        spec, AdmissionCheckState.pending("check", NOW).withState(CheckState.READY), now);
  }

  private static Evaluation<PrometheusCheckSpec> evaluation(PrometheusCheckSpec spec) {
    return evaluation(spec, AdmissionCheckState.pending("check", NOW), NOW);
  }

  private static Evaluation<PrometheusCheckSpec> evaluation(
      PrometheusCheckSpec spec, AdmissionCheckState entry, Instant now) {
    Map<String, Quantity> requests = Map.of("cpu", Quantity.of(4));
    Workload plain =
        Evaluations.reserved(
            "team-a", "train", new PodSetAssignment("main", Map.of(), requests, 1), entry, NOW);
    Workload workload =
        plain
            .withMetadata(
                new V1ObjectMeta()
                    .namespace("team-a")
                    .name("train")
                    .uid("u-1")
                    .labels(Map.of("team", "vision")))
            .withSpec(plain.spec().withQueueName("lq"));
    V1PodTemplateSpec pods =
        new V1PodTemplateSpec()
            .metadata(new V1ObjectMeta().labels(Map.of("tier", "batch", "team", "pods")));
    return Evaluations.of(
        workload, entry, spec, new AssignedPodSet("main", 1, pods, requests, Map.of()), now);
  }
}
