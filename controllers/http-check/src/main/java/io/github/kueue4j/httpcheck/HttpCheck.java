// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.httpcheck;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.http.EndpointCheckOptions;
import io.github.kueue4j.http.EndpointUnavailableException;
import io.github.kueue4j.http.HttpAnswer;
import io.github.kueue4j.http.HttpBackend;
import io.github.kueue4j.http.HttpBackends;
import io.github.kueue4j.http.HttpCall;
import io.github.kueue4j.http.HttpEndpoint;
import io.github.kueue4j.sdk.BackendHealth;
import io.github.kueue4j.sdk.BackendReport;
import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Circumstances;
import io.github.kueue4j.sdk.ErrorPolicy;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Guards;
import io.github.kueue4j.sdk.NotAskedException;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.sdk.ProbingCheck;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets an HTTP endpoint decide which Workloads may start. The package says how. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class HttpCheck implements ProbingCheck<HttpCheckSpec> {

  /** The kind of its parameters. */
  public static final ResourceType<CustomResource<HttpCheckSpec>> TYPE =
      ResourceType.clusterScoped("checks.kueue4j.io/v1alpha1", "HttpCheck", HttpCheckSpec.class);

  private static final Reason UNAVAILABLE = Reason.of("EndpointUnavailable");
  private static final Reason UNHEALTHY = Reason.of("EndpointUnhealthy");

  private static final Logger log = LoggerFactory.getLogger(HttpCheck.class);

  private final HttpBackends backends;
  private final BackendReport report;
  private final RequestPace pace;
  private final KnownReasons reasons = new KnownReasons();

  /**
   * @param report hears of each answer, since a verdict may be given without one: {@code
   *     failurePolicy: Ignore}
   */
  HttpCheck(HttpBackends backends, BackendReport report, RequestPace pace) {
    this.backends = backends;
    this.report = report;
    this.pace = pace;
  }

  /** {@code kueue4j.io/http}; the usual addresses; no files; every five minutes. */
  public static EndpointCheckOptions defaults() {
    return EndpointCheckOptions.of("kueue4j.io/http", Duration.ofMinutes(5));
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
            new HttpCheck(
                backends, controller.backendReport(), new RequestPace(steady(environment))));
  }

  private static InstantSource steady(CheckEnvironment environment) {
    @Nullable TimeSource given = environment.time();
    return given == null ? () -> Instant.EPOCH.plusNanos(System.nanoTime()) : given.steady();
  }

  /** The check as a controller, not yet started. */
  public static CheckController controller(
      CheckEnvironment environment, EndpointCheckOptions options) {
    return builder(environment, options).build();
  }

  /** The definition of the kind of its parameters, YAML. */
  public static List<String> crds() {
    return Crds.beside(HttpCheck.class, TYPE);
  }

  @Override
  public Verdict evaluate(Evaluation<HttpCheckSpec> evaluation) throws InterruptedException {
    HttpCheckSpec spec = evaluation.parameters();
    boolean recheck = evaluation.entry().is(CheckState.READY);
    if (recheck && !spec.rechecksReady()) {
      return Verdict.unchanged("The HttpCheck does not ask for rechecks.");
    }
    HttpAnswer answer;
    try {
      answer = ask(evaluation);
    } catch (EndpointUnavailableException e) {
      if (!e.mayDependOnRequest()) {
        report.unavailable(evaluation.check(), e);
      }
      return failed(spec, recheck, e);
    }
    try {
      Answer read = Answers.of(answer, spec.endpoint().url(), evaluation.attemptId());
      report.answered(evaluation.check());
      return verdict(read, evaluation, recheck);
    } catch (UnusableAnswerException e) {
      tell(answer, evaluation, e);
      return failed(spec, recheck, e);
    }
  }

  /** For the operator; other statuses are logged when they are received. */
  private static void tell(
      HttpAnswer answer, Evaluation<HttpCheckSpec> evaluation, UnusableAnswerException problem) {
    if (answer.isSuccess()) {
      log.atInfo()
          .addKeyValue("workload", evaluation.key())
          .addKeyValue("check", evaluation.check())
          .addKeyValue("problem", problem.getMessage())
          .addKeyValue("body", answer.excerpt())
          .log("The answer of an endpoint can't be used");
    }
  }

  private HttpAnswer ask(Evaluation<HttpCheckSpec> evaluation) throws InterruptedException {
    HttpCheckSpec spec = evaluation.parameters();
    if (!mayAsk(spec)) {
      throw new NotAskedException(
          spec.endpoint().url()
              + " is not asked now: requestsPerMinute of the HttpCheck is "
              + spec.requestsPerMinute().orElseThrow());
    }
    HttpBackend backend = backends.at(spec.endpoint());
    int sendings = spec.sendings();
    HttpCall call =
        WorkloadDocument.call(evaluation)
            .withTimeout(spec.callLimit(Duration.between(evaluation.now(), evaluation.deadline())));
    for (int sent = 1; sent < sendings; sent++) {
      try {
        return backend.send(call);
      } catch (EndpointUnavailableException e) {
        if (!isWorthAnotherSending(e) || !mayAsk(spec)) {
          throw e;
        }
      }
    }
    return backend.send(call);
  }

  private boolean mayAsk(HttpCheckSpec spec) {
    return spec.requestsPerMinute()
        .map(number -> pace.permits(spec.endpoint().url(), number))
        .orElse(true);
  }

  private static boolean isWorthAnotherSending(EndpointUnavailableException failure) {
    return switch (failure.kind()) {
      case UNREACHABLE, TIMEOUT, FAILED, UNREADABLE -> true;
      case MISCONFIGURED, UNTRUSTED, OVERLOADED -> false;
    };
  }

  private Verdict verdict(Answer answer, Evaluation<HttpCheckSpec> evaluation, boolean recheck) {
    HttpCheckSpec spec = evaluation.parameters();
    String message = answer.message();
    return switch (answer.verdict()) {
      case READY -> {
        if (!answer.updates().isEmpty() && !spec.allowsUpdates()) {
          throw new UnusableAnswerException(
              spec.endpoint().url()
                  + " answered with podSetUpdates, which the HttpCheck does not allow: set"
                  + " spec.allowPodSetUpdates, or leave them out of the answer");
        }
        String why = message.isEmpty() ? "The endpoint said Ready." : message;
        // Another message is no reason to write to every Workload that runs, and pods that run
        // can't be changed any more.
        yield recheck ? Verdict.unchanged(why) : Verdict.ready(why, answer.updates());
      }
      case PENDING ->
          Verdict.pending(
              message.isEmpty() ? "The endpoint said Pending." : message,
              spec.pendingIn(answer.retryAfter()));
      case RETRY ->
          Verdict.retry(
              reason(answer, evaluation.check(), "EndpointSaidRetry"),
              message.isEmpty()
                  ? "The endpoint said Retry; asking again in {delay} (attempt {attempt})."
                  : message,
              answer.retryAfter().map(after -> delay(after, spec)).orElse(spec.retryBackoff()));
      case REJECTED ->
          Verdict.rejected(
              reason(answer, evaluation.check(), "EndpointSaidRejected"),
              message.isEmpty() ? "The endpoint said Rejected." : message);
    };
  }

  private Reason reason(Answer answer, String check, String otherwise) {
    return answer
        .reason()
        .map(word -> reasons.of(check, word))
        .orElseGet(() -> Reason.of(otherwise));
  }

  /**
   * Some longer than asked for, so that Workloads told the same don't come back together; where the
   * endpoint asks for the longest delay, some shorter.
   */
  private static Backoff delay(Duration asked, HttpCheckSpec spec) {
    return Backoff.fixed(spec.limited(asked)).atMost(spec.delayLimit());
  }

  private static Verdict failed(HttpCheckSpec spec, boolean recheck, RuntimeException failure) {
    if (!spec.ignoresFailures()) {
      throw failure instanceof EndpointUnavailableException e && e.mayDependOnRequest()
          ? new UnansweredException(e)
          : failure;
    }
    String why = failure.getMessage() + ". The failurePolicy of the HttpCheck is Ignore.";
    return recheck ? Verdict.unchanged(why) : Verdict.ready(why);
  }

  @Override
  public ErrorPolicy errorPolicy(HttpCheckSpec spec, Exception failure, ErrorPolicy usual) {
    return spec.whileUnavailable().policy(failure, usual);
  }

  @Override
  public List<String> remarks(HttpCheckSpec spec, Circumstances at) {
    return spec.remarks(at);
  }

  @Override
  public BackendHealth probe(String check, HttpCheckSpec parameters) throws InterruptedException {
    @Nullable String path = parameters.healthPath().orElse(null);
    if (path == null) {
      return BackendHealth.up();
    }
    HttpEndpoint health = parameters.endpoint().withPath(path);
    try {
      HttpAnswer answer = backends.at(health).send(HttpCall.get());
      return answer.isSuccess()
          ? BackendHealth.up()
          : BackendHealth.down(UNHEALTHY, health.url() + " answered " + answer.statusText() + ".");
    } catch (EndpointUnavailableException e) {
      return BackendHealth.down(UNAVAILABLE, e.summary());
    }
  }
}
