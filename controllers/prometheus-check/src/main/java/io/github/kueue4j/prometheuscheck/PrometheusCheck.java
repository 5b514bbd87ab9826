// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.prometheuscheck;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.http.EndpointCheckOptions;
import io.github.kueue4j.http.EndpointUnavailableException;
import io.github.kueue4j.http.HttpBackends;
import io.github.kueue4j.http.prometheus.PrometheusClient;
import io.github.kueue4j.http.prometheus.PrometheusException;
import io.github.kueue4j.http.prometheus.QueryValues;
import io.github.kueue4j.sdk.BackendHealth;
import io.github.kueue4j.sdk.BackendReport;
import io.github.kueue4j.sdk.BackendUnavailableException;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Circumstances;
import io.github.kueue4j.sdk.ErrorPolicy;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Guards;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.sdk.ProbingCheck;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/** Lets the value of a PromQL query decide which Workloads may start. The package says how. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class PrometheusCheck implements ProbingCheck<PrometheusCheckSpec> {

  /** The kind of its parameters. */
  public static final ResourceType<CustomResource<PrometheusCheckSpec>> TYPE =
      ResourceType.clusterScoped(
          "checks.kueue4j.io/v1alpha1", "PrometheusCheck", PrometheusCheckSpec.class);

  private static final Reason UNAVAILABLE = Reason.of("PrometheusUnavailable");
  private static final Reason REFUSED = Reason.of("QueryRefused");

  /** What runs ends by two answers: they must not be one, whatever the check's cacheFor says. */
  private static final Duration RECHECK_SHARED_FOR = Duration.ofSeconds(5);

  /** Gives a number wherever PromQL is spoken. */
  private static final String PROBE = "vector(1)";

  private final HttpBackends backends;
  private final BackendReport report;
  private final InstantSource clock;
  private final SharedReadings readings;

  /**
   * @param report hears of each answer, since a verdict may be given without one: to Workloads that
   *     the check doesn't concern, and for {@code failurePolicy: Ignore}
   * @param clock for probes and failures; an evaluation has its own time
   */
  PrometheusCheck(HttpBackends backends, BackendReport report, InstantSource clock) {
    this.backends = backends;
    this.report = report;
    this.clock = clock;
    this.readings = new SharedReadings(clock);
  }

  /** {@code kueue4j.io/prometheus}; the usual addresses; no files; every minute. */
  public static EndpointCheckOptions defaults() {
    return EndpointCheckOptions.of("kueue4j.io/prometheus", Duration.ofMinutes(1));
  }

  /** The check as a controller that can still be changed, for example to serve metrics. */
  public static CheckController.Builder builder(
      CheckEnvironment environment, EndpointCheckOptions options) {
    CheckController.Builder controller =
        CheckController.builder(options.controllerName(), environment);
    HttpBackends backends = options.backends(controller, environment);
    return controller
        .namesDelays()
        .recheckReadyEvery(options.recheckReadyEvery())
        .guards(Guards.defaults().withRevocations(Guards.RevocationLimits.defaults()))
        .check(
            Parameters.of(TYPE).reportingStatus(),
            new PrometheusCheck(
                backends,
                controller.backendReport(),
                environment.time() == null ? TimeSource.wallClock() : environment.time()));
  }

  /** The check as a controller, not yet started. */
  public static CheckController controller(
      CheckEnvironment environment, EndpointCheckOptions options) {
    return builder(environment, options).build();
  }

  /** The definition of the kind of its parameters, as YAML. */
  public static List<String> crds() {
    return Crds.beside(PrometheusCheck.class, TYPE);
  }

  @Override
  public Verdict evaluate(Evaluation<PrometheusCheckSpec> evaluation) throws Exception {
    return judged(evaluation, report);
  }

  /** A query changes nothing; what it says of the backend is left to evaluations. */
  @Override
  public Optional<Verdict> dryEvaluate(Evaluation<PrometheusCheckSpec> evaluation)
      throws Exception {
    return Optional.of(judged(evaluation, BackendReport.unread()));
  }

  private Verdict judged(Evaluation<PrometheusCheckSpec> evaluation, BackendReport told)
      throws Exception {
    PrometheusCheckSpec spec = evaluation.parameters();
    boolean recheck = evaluation.entry().is(CheckState.READY);
    if (recheck && !spec.rechecksReady()) {
      return Verdict.unchanged("The PrometheusCheck does not ask for rechecks.");
    }
    if (!spec.concerned().contain(evaluation)) {
      return Verdict.ready("The PrometheusCheck does not concern this Workload.");
    }
    Judgement judgement = new Judgement(evaluation, recheck);
    String query = spec.template().fill(QueryValues.of(evaluation));
    try {
      Instant now = evaluation.now();
      String promql = recheck ? query : asked(spec, query);
      Reading reading =
          readings.get(
              question(spec, promql),
              now,
              recheck ? shorter(spec.sharedFor(), RECHECK_SHARED_FOR) : spec.sharedFor(),
              () -> sent(spec, promql, now));
      told.answered(evaluation.check());
      return judgement.of(reading);
    } catch (PrometheusException e) {
      // A refusal is an answer.
      told.answered(evaluation.check());
      return judgement.failed(e).orElseThrow(() -> e);
    } catch (BackendUnavailableException e) {
      boolean same = spec.template().placeholders().isEmpty();
      RuntimeException failure = same ? e : UnansweredException.of(e);
      if (failure instanceof BackendUnavailableException unavailable) {
        told.unavailable(evaluation.check(), unavailable);
      }
      return judgement.failed(e).orElseThrow(() -> failure);
    }
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /**
   * The query, over the time for which the condition must hold before a Workload starts. To end one
   * that runs, that time doesn't count: a single bad moment in it would be in both of the answers
   * that it takes.
   */
  private static String asked(PrometheusCheckSpec spec, String query) {
    return spec.holdsFor().map(time -> spec.threshold().during(time, query)).orElse(query);
  }

  private static SharedReadings.Question question(PrometheusCheckSpec spec, String promql) {
    return new SharedReadings.Question(spec.endpoint(), promql, spec.threshold());
  }

  private Reading sent(PrometheusCheckSpec spec, String promql, Instant now)
      throws InterruptedException {
    return Reading.of(client(spec).query(promql, now), spec.threshold());
  }

  private PrometheusClient client(PrometheusCheckSpec spec) {
    return PrometheusClient.at(backends, spec.endpoint());
  }

  @Override
  public ErrorPolicy errorPolicy(PrometheusCheckSpec spec, Exception failure, ErrorPolicy usual) {
    return spec.whileUnavailable().policy(failure, usual);
  }

  @Override
  public List<String> remarks(PrometheusCheckSpec spec, Circumstances at) {
    return spec.remarks(at);
  }

  /**
   * Sends the query itself where it is the same for all Workloads, so that one that Prometheus
   * refuses is told on the AdmissionCheck.
   */
  @Override
  public BackendHealth probe(String check, PrometheusCheckSpec spec) throws Exception {
    if (spec.ignoresFailures()) {
      return BackendHealth.up();
    }
    Instant now = clock.instant();
    try {
      if (spec.template().placeholders().isEmpty()) {
        String promql = asked(spec, spec.promql());
        readings.probe(
            question(spec, promql), now, spec.sharedFor(), () -> sent(spec, promql, now));
      } else {
        client(spec).query(PROBE, now);
      }
      return BackendHealth.up();
    } catch (PrometheusException e) {
      return BackendHealth.down(REFUSED, e.getMessage() + ": correct spec.query");
    } catch (BackendUnavailableException e) {
      return BackendHealth.down(
          UNAVAILABLE,
          e instanceof EndpointUnavailableException unavailable
              ? unavailable.summary()
              : spec.endpoint().url()
                  + " gave an error of its own, an answer with warnings, or what is no answer of"
                  + " Prometheus.");
    }
  }
}
