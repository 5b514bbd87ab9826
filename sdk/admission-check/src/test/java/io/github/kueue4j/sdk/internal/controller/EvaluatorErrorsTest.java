// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.runtime.client.Refusals;
import io.github.kueue4j.runtime.controller.Requeue;
import io.github.kueue4j.sdk.BackendUnavailableException;
import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.ErrorPolicy;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Guards;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.NotAskedException;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Failures are retried, shown in the entry, and never lose a workload. */
@ExpectedLog(logger = "Evaluator", message = "Evaluation failed")
class EvaluatorErrorsTest extends EvaluatorFixture {

  @Test
  void anErrorKeepsPendingAndIsTriedAgainWithAGrowingDelay() throws Exception {
    author =
        evaluation -> {
          throw new IOException("no route to the backend");
        };

    assertThat(reconcile()).isEqualTo(Requeue.at(time.instant().plusSeconds(1)));
    assertThat(entry("budget").state()).isEqualTo(CheckState.PENDING);
    assertThat(entry("budget").message()).contains("tried again: no route to the backend");
    workloads.sync();
    time.advance(Duration.ofSeconds(1));
    assertThat(reconcile()).isEqualTo(Requeue.at(time.instant().plusSeconds(2)));
    time.advance(Duration.ofSeconds(2));
    assertThat(reconcile()).isEqualTo(Requeue.at(time.instant().plusSeconds(4)));
    assertThat(cluster.patches()).isEqualTo(1);
  }

  /** As a server says it by {@code Retry-After}. */
  private static final class BusyException extends BackendUnavailableException {
    private static final long serialVersionUID = 1L;
    private final transient Duration asked;

    BusyException(Duration asked) {
      super("busy");
      this.asked = asked;
    }

    @Override
    public Optional<Duration> retryAfter() {
      return Optional.of(asked);
    }
  }

  @Test
  void aBackendIsLeftAloneForAsLongAsItAsksWithinTheErrorBudget() throws Exception {
    author =
        evaluation -> {
          throw new BusyException(
              evaluation.now().isBefore(T0.plusSeconds(12))
                  ? Duration.ofSeconds(4)
                  : Duration.ofHours(1));
        };

    assertThat(reconcile()).isEqualTo(Requeue.at(time.instant().plusSeconds(4)));
    time.advance(Duration.ofSeconds(4));
    assertThat(reconcile())
        .as("what is left of the budget")
        .isEqualTo(Requeue.at(time.instant().plusSeconds(6)));
    time.advance(Duration.ofSeconds(6));
    reconcile();
    assertThat(entry("budget").state()).isEqualTo(CheckState.RETRY);
  }

  @Test
  void onceTheErrorBudgetIsSpentTheQuotaIsGivenBack() throws Exception {
    change(workload -> entryOf(workload, "budget").addProperty("retryCount", 2));
    author =
        evaluation -> {
          throw new IOException("no route to the backend");
        };
    Instant start = time.instant();
    while (entry("budget").is(CheckState.PENDING)) {
      assertThat(reconcile()).isInstanceOf(Requeue.At.class);
      workloads.sync();
      time.advance(Duration.ofSeconds(1));
    }

    assertThat(time.instant()).isBetween(start.plusSeconds(10), start.plusSeconds(20));
    assertThat(entry("budget").state()).isEqualTo(CheckState.RETRY);
    assertThat(entry("budget").requeueAfterSeconds()).isEqualTo(120);
    assertThat(written("Retry", "EvaluationFailed")).isEqualTo(1);
  }

  /** Gives the quota back at the first failure: what is busy for a minute, all else for ten. */
  private static final class Impatient implements Check<NoParameters> {
    private final List<Exception> failures;

    Impatient(Exception... failures) {
      this.failures = new ArrayList<>(List.of(failures));
    }

    @Override
    public Verdict evaluate(Evaluation<NoParameters> evaluation) throws Exception {
      throw failures.removeFirst();
    }

    @Override
    public ErrorPolicy errorPolicy(NoParameters parameters, Exception failure, ErrorPolicy usual) {
      Duration delay = Duration.ofMinutes(failure instanceof BusyException ? 1 : 10);
      return new ErrorPolicy(Duration.ZERO, Backoff.fixed(delay).withoutJitter());
    }
  }

  @Test
  void aCheckMayGiveTheQuotaBackSoonerAndForItsOwnDelays() throws Exception {
    // Opens at the second failure.
    replaceGuards(
        guards.withCircuitBreaker(new Guards.CircuitBreaker(2, 2, 1, Duration.ofHours(1))));
    Check<NoParameters> check =
        new Impatient(new IOException("no route"), new BusyException(Duration.ofHours(1)));

    assertThat(requeuedAfter(check)).as("no route").isEqualTo(600);
    reserved(T0.plusSeconds(60));
    assertThat(requeuedAfter(check)).as("busy").isEqualTo(60);
    reserved(T0.plusSeconds(120));
    assertThat(requeuedAfter(check)).as("busy a moment ago: it is not asked").isEqualTo(60);
    assertThat(entry("budget").message()).contains("busy", "it is left alone");
  }

  @Test
  @ExpectedLog(logger = "Evaluator", message = "errorPolicy of the check failed")
  void aMistakeThereKeepsNoQuota() throws Exception {
    Check<NoParameters> mistaken =
        new Check<>() {
          @Override
          public Verdict evaluate(Evaluation<NoParameters> evaluation) throws Exception {
            throw new IOException("no route");
          }

          @Override
          public ErrorPolicy errorPolicy(
              NoParameters parameters, Exception failure, ErrorPolicy usual) {
            throw new IllegalStateException("mistaken");
          }
        };

    assertThat(reconciled(mistaken).is(CheckState.PENDING)).isTrue();
    time.advance(guards.errorBudget());
    assertThat(requeuedAfter(mistaken)).isEqualTo(30);
  }

  private @Nullable Integer requeuedAfter(Check<NoParameters> check) throws Exception {
    AdmissionCheckState entry = reconciled(check);
    assertThat(entry.state()).isEqualTo(CheckState.RETRY);
    return entry.requeueAfterSeconds();
  }

  private AdmissionCheckState reconciled(Check<NoParameters> check) throws Exception {
    workloads.sync();
    reconciler(new ParametersLookup.Constant<>(NoParameters.INSTANCE), check).reconcile(KEY);
    return entry("budget");
  }

  /** In the next reservation, too, while the same call still runs. */
  @Test
  void aCallThatNeverEndsHoldsNoQuotaForEver() throws Exception {
    guards = guards.withTimeout(Duration.ofMillis(50));
    CountDownLatch end = new CountDownLatch(1);
    author =
        evaluation -> {
          boolean interrupted = false;
          while (end.getCount() > 0) {
            try {
              end.await();
            } catch (InterruptedException e) {
              interrupted = true; // And not heeded, as some libraries do.
            }
          }
          return Verdict.ready("too late, interrupted: " + interrupted);
        };
    try {
      for (int reservation = 0; reservation < 2; reservation++) {
        Instant start = time.instant();
        while (entry("budget").is(CheckState.PENDING)) {
          reconcile();
          workloads.sync();
          time.advance(Duration.ofSeconds(1));
          assertThat(Duration.between(start, time.instant())).isLessThan(Duration.ofMinutes(1));
        }
        assertThat(entry("budget").state()).isEqualTo(CheckState.RETRY);
        reserved(time.instant());
        workloads.sync();
      }
    } finally {
      end.countDown();
    }
  }

  /** Those that hang have all the places of their namespace; this one was never asked. */
  @Test
  void aWorkloadThatIsNeverAskedSaysSoAndHoldsNoQuotaForEver() throws Exception {
    guards = guards.withMaxConcurrentEvaluations(4).withTimeout(Duration.ofMinutes(1));
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch hung = new CountDownLatch(3);
    List<Act<Guard.Outcome<Verdict>>> hanging = new ArrayList<>();
    try (Actors callers = Actors.named("caller")) {
      GuardSet places = guardSet();
      for (int i = 0; i < 3; i++) {
        Evaluation<NoParameters> evaluation =
            new Evaluation<>(
                "budget",
                Workload.named("team-a", "hung-" + i),
                List.of(),
                AdmissionCheckState.pending("budget", T0),
                NoParameters.INSTANCE,
                T0,
                T0);
        hanging.add(
            callers.ask(
                () ->
                    places.call(
                        Guard.Question.verdict(
                            asked -> {
                              hung.countDown();
                              end.await();
                              return Verdict.ready("at last");
                            },
                            evaluation))));
      }
      hung.await();

      Instant start = time.instant();
      for (int second = 0; second < 5; second++) {
        assertThat(reconcile()).isEqualTo(Requeue.at(time.instant().plusSeconds(1)));
        assertThat(entry("budget").message()).isEmpty();
        time.advance(Duration.ofSeconds(1));
      }
      reconcile();
      workloads.sync();
      assertThat(entry("budget").is(CheckState.PENDING)).isTrue();
      assertThat(entry("budget").message()).startsWith("Not evaluated yet: ");
      while (entry("budget").is(CheckState.PENDING)) {
        time.advance(Duration.ofSeconds(1));
        assertThat(Duration.between(start, time.instant())).isLessThan(Duration.ofMinutes(1));
        reconcile();
        workloads.sync();
      }

      assertThat(Duration.between(start, time.instant())).isEqualTo(Duration.ofSeconds(10));
      assertThat(entry("budget").state()).isEqualTo(CheckState.RETRY);
      assertThat(entry("budget").requeueAfterSeconds()).isEqualTo(30);
      assertThat(cluster.patches()).as("the text does not change").isEqualTo(2);
      assertThat(evaluations).isEmpty();
      end.countDown();
      for (Act<Guard.Outcome<Verdict>> one : hanging) {
        assertThat(one.get()).isInstanceOf(Guard.Outcome.Answered.class);
      }
    } finally {
      end.countDown();
    }
  }

  /** As by a rate limit of the author's own. */
  @Test
  void whatTheAuthorDoesNotAskIsNoFailureAndWaitsWithinTheErrorBudget() throws Exception {
    replaceGuards(
        guards.withCircuitBreaker(new Guards.CircuitBreaker(1, 1, 1, Duration.ofHours(1))));
    author =
        evaluation -> {
          throw new NotAskedException("the licence server is asked 6 times a minute at most");
        };
    for (int second = 0; second < 10; second++) {
      assertThat(reconcile()).isEqualTo(Requeue.at(time.instant().plusSeconds(1)));
      workloads.sync();
      time.advance(Duration.ofSeconds(1));
    }
    assertThat(evaluations).as("the breaker stays closed").hasSize(10);
    assertThat(entry("budget").is(CheckState.PENDING)).isTrue();
    assertThat(entry("budget").message())
        .isEqualTo(
            "Not evaluated yet: the licence server is asked 6 times a minute at most; this one is"
                + " tried again");
    assertThat(meters.find("kueue4j.check.failures").counters()).isEmpty();

    assertThat(requeuedAfter(author)).isEqualTo(30);
  }

  /** Who waits reads what fails, since when, and when it is tried again. */
  @Test
  void anOpenBreakerNamesItsCause() throws Exception {
    guards =
        guards.withCircuitBreaker(new Guards.CircuitBreaker(2, 2, 0.5, Duration.ofSeconds(30)));
    author =
        evaluation -> {
          throw new BackendUnavailableException(
              "http://prom:9090 can't be reached: connection refused");
        };
    for (int turn = 0; turn < 3; turn++) {
      reconcile();
      workloads.sync();
      time.advance(Duration.ofSeconds(2));
    }

    assertThat(evaluations).hasSize(2);
    assertThat(entry("budget").message())
        .isEqualTo(
            "What this check asks can't answer: http://prom:9090 can't be reached: connection"
                + " refused, since 2026-06-01 10:00 UTC; it is left alone, and one Workload is"
                + " tried every 30 s");
  }

  /** What comes from elsewhere is no template. */
  @Test
  void anExceptionIsQuotedAsItIs() throws Exception {
    author =
        evaluation -> {
          throw new IOException("no such host: {delay}.{attempt}.example.com");
        };
    while (entry("budget").is(CheckState.PENDING)) {
      reconcile();
      workloads.sync();
      time.advance(Duration.ofSeconds(1));
    }

    assertThat(entry("budget").message())
        .contains("tried again: no such host: {delay}.{attempt}.example.com");
  }

  @Test
  void aSuccessInBetweenRefillsTheErrorBudget() throws Exception {
    guards =
        guards.withCircuitBreaker(new Guards.CircuitBreaker(100, 100, 1, Duration.ofSeconds(1)));
    author =
        evaluation -> {
          if (evaluations.size() % 2 == 0) {
            throw new IOException("flaky");
          }
          return Verdict.pending("fine so far", Duration.ofSeconds(6));
        };

    for (int second = 0; second < 120; second++) {
      reconcile();
      workloads.sync();
      time.advance(Duration.ofSeconds(1));
    }

    assertThat(entry("budget").state()).isEqualTo(CheckState.PENDING);
    assertThat(evaluations).hasSizeGreaterThan(20);
  }

  @Test
  void anEvaluationThatTakesTooLongIsAnError() throws Exception {
    guards = guards.withTimeout(Duration.ofMillis(50));
    author =
        evaluation -> {
          new java.util.concurrent.CountDownLatch(1).await();
          return Verdict.ready("never");
        };

    reconcile();

    assertThat(entry("budget").state()).isEqualTo(CheckState.PENDING);
    assertThat(entry("budget").message()).contains("no answer within 1 s");
  }

  @Test
  void anAnswerOfNullIsAnError() throws Exception {
    author = new NullCheck();

    reconcile();

    assertThat(entry("budget").message()).contains("returned null");
  }

  @Test
  void aVerdictThatTheServerRefusesIsAnErrorOfTheCheck() throws Exception {
    author =
        evaluation -> {
          cluster.failNextPatch(Refusals.invalid("podSetUpdates[0].name: no such pod set"));
          return Verdict.ready("fine");
        };

    reconcile();

    assertThat(entry("budget").state()).isEqualTo(CheckState.PENDING);
    assertThat(entry("budget").message()).contains("no such pod set");
  }

  /** As a webhook on controller-runtime refuses what is invalid. */
  @Test
  void aVerdictThatAWebhookForbidsIsAnErrorOfTheCheck() throws Exception {
    author =
        evaluation -> {
          cluster.failNextPatch(
              Refusals.forbidden(
                  "admission webhook \"vworkload.kb.io\" denied the request: no such pod set"));
          return Verdict.ready("fine");
        };

    reconcile();

    assertThat(entry("budget").state()).isEqualTo(CheckState.PENDING);
    assertThat(entry("budget").message()).contains("denied the request: no such pod set");
  }

  /** The account's rights are nothing that a workload is to blame for. */
  @Test
  void aRightThatIsMissingIsNoErrorOfTheCheck() {
    author =
        evaluation -> {
          cluster.failNextPatch(
              Refusals.forbidden("workloads \"train\" is forbidden: User \"x\" cannot patch it"));
          return Verdict.ready("fine");
        };

    assertThatThrownBy(this::reconcile).hasMessageContaining("cannot patch it");
  }

  @Test
  void aVerdictThatIsTooLargeForTheServerIsAnErrorOfTheCheck() throws Exception {
    author =
        evaluation -> {
          cluster.failNextPatch(Refusals.tooLarge("Request entity too large: limit is 3145728"));
          return Verdict.ready("fine");
        };

    reconcile();

    assertThat(entry("budget").state()).isEqualTo(CheckState.PENDING);
    assertThat(entry("budget").message()).contains("Request entity too large");
  }

  @Test
  void anApiServerThatIsAwayLosesNothing() throws Exception {
    memory.wake(KEY, "budget");
    cluster.failNextPatch(Refusals.unreachable("connection refused"));

    assertThatThrownBy(this::reconcile).hasMessageContaining("connection refused");
    reconcile();

    assertThat(entry("budget").state()).isEqualTo(CheckState.READY);
    assertThat(evaluations).hasSize(2);
  }

  @Test
  void aWorkloadOfACheckWithBadParametersSaysSoAndGoesOnWhenTheyAreCorrected() throws Exception {
    var configs = cluster.informer(KueueTypes.PROVISIONING_REQUEST_CONFIG);
    List<String> seen = new ArrayList<>();
    WorkloadReconciler<String> reconciler =
        reconciler(
            new ParametersLookup.InObjects<>(
                Parameters.from(
                        KueueTypes.PROVISIONING_REQUEST_CONFIG,
                        config -> config.spec().provisioningClassName())
                    .source()
                    .map(
                        EvaluatorTest
                            ::<io.github.kueue4j.api.ProvisioningRequestConfig, String>cast)
                    .orElseThrow(),
                configs),
            evaluation -> {
              seen.add(evaluation.parameters());
              return Verdict.ready(evaluation.parameters());
            });

    reconciler.reconcile(KEY);
    assertThat(entry("budget").state()).isEqualTo(CheckState.PENDING);
    assertThat(entry("budget").message())
        .isEqualTo(
            "The check is not active: spec.parameters is missing: write {apiGroup: kueue.x-k8s.io,"
                + " kind: ProvisioningRequestConfig, name: NAME}");

    workloads.sync();
    cluster.change(
        KueueTypes.ADMISSION_CHECK,
        ObjectKey.cluster("budget"),
        check ->
            check
                .getAsJsonObject("spec")
                .add(
                    "parameters",
                    JsonParser.parseString(
                        """
                        {"apiGroup": "kueue.x-k8s.io", "kind": "ProvisioningRequestConfig",
                         "name": "p"}
                        """)));
    checkObjects.sync();
    reconciler.reconcile(KEY);
    workloads.sync();
    assertThat(entry("budget").message()).contains("'p' does not exist");

    cluster.put(
        KueueTypes.PROVISIONING_REQUEST_CONFIG,
        """
        {"metadata": {"name": "p", "uid": "u"}, "spec": {"provisioningClassName": "spot"}}
        """);
    configs.sync();
    reconciler.reconcile(KEY);
    assertThat(entry("budget").state()).isEqualTo(CheckState.READY);
    assertThat(entry("budget").message()).isEqualTo("spot");
    assertThat(seen).containsExactly("spot");
  }

  private static final class NullCheck implements Check<NoParameters> {
    @Override
    @SuppressWarnings("NullAway") // The author's bug is what is tested.
    public Verdict evaluate(Evaluation<NoParameters> evaluation) {
      return null;
    }
  }
}
