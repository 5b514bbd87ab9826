/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.sdk.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.runtime.Refusals;
import io.github.kueue4j.runtime.Requeue;
import io.github.kueue4j.sdk.AdmissionCheck;
import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.sdk.Verdict;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One worker's way with one workload, with every stale read and late verdict in our hands. */
class EvaluatorTest extends EvaluatorFixture {

  @Test
  void readyIsWrittenAndForeignBytesStay() throws Exception {
    JsonObject before = rawStatus().deepCopy();

    reconcile();

    AdmissionCheckState entry = entry("budget");
    assertThat(entry.state()).isEqualTo(CheckState.READY);
    assertThat(entry.message()).isEqualTo("fine");
    assertThat(entry.lastTransitionTime()).isEqualTo(T0.plusSeconds(10));
    assertThat(rawEntry("budget").get("fromTheFuture").getAsString()).isEqualTo("kept");
    JsonObject after = rawStatus().deepCopy();
    removeEntry(before, "budget");
    removeEntry(after, "budget");
    assertThat(after.toString()).isEqualTo(before.toString());
    assertThat(cluster.patches()).isEqualTo(1);
    assertThat(cluster.reads()).isZero();
  }

  @Test
  void anEventTellsOfEveryChangeOfStateAndOfNothingElse() throws Exception {
    author = evaluation -> Verdict.pending("waiting");
    reconcile();
    workloads.sync();
    assertThat(told).as("a message alone is no event").isEmpty();

    author = evaluation -> Verdict.retry(FULL, "full", Delay.none());
    memory.wake(KEY, "budget");
    reconcile();

    assertThat(told)
        .containsExactly(
            "team-a/train: Admission check budget updated state from Pending to Retry"
                + " with message: full");
  }

  @Test
  void theEvaluationTellsWhatAuthorsNeed() throws Exception {
    change(
        workload -> {
          entryOf(workload, "budget").addProperty("retryCount", 4);
          workload.getAsJsonObject("spec").addProperty("priority", 7);
        });

    reconcile();

    Evaluation<NoParameters> seen = evaluations.get(0);
    assertThat(seen.check()).isEqualTo("budget");
    assertThat(seen.key()).isEqualTo(KEY);
    assertThat(seen.attempt()).isEqualTo(4);
    assertThat(seen.priority()).isEqualTo(7);
    assertThat(seen.labels()).containsEntry("team", "a");
    assertThat(seen.owner().orElseThrow().getName()).isEqualTo("train-job");
    assertThat(seen.totalRequests())
        .containsEntry("cpu", Quantity.parse("4"))
        .containsEntry("nvidia.com/gpu", Quantity.parse("2"));
    assertThat(seen.podSets()).hasSize(1);
    assertThat(seen.podSets().get(0).count()).isEqualTo(2);
    assertThat(seen.podSets().get(0).nodeLabels()).isEqualTo(Map.of("gpu", "a100"));
    assertThat(seen.deadline()).isEqualTo(seen.now().plus(guards.timeout()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "queued",
        "evicted",
        "finished",
        "inactive",
        "deleting",
        "admitted",
        "ready",
        "rejected",
        "retry",
        "not asked",
        "another controller"
      })
  void theAuthorIsNotAskedWhenNoAnswerIsDue(String situation) throws Exception {
    change(
        workload -> {
          JsonObject status = workload.getAsJsonObject("status");
          switch (situation) {
            case "queued" -> condition(workload, "QuotaReserved", "False", T0);
            case "evicted" -> condition(workload, "Evicted", "True", T0);
            case "finished" -> condition(workload, "Finished", "True", T0);
            case "inactive" -> workload.getAsJsonObject("spec").addProperty("active", false);
            case "deleting" ->
                workload
                    .getAsJsonObject("metadata")
                    .addProperty("deletionTimestamp", T0.toString());
            case "admitted" -> condition(workload, "Admitted", "True", T0);
            case "ready" -> entryOf(workload, "budget").addProperty("state", "Ready");
            case "rejected" -> entryOf(workload, "budget").addProperty("state", "Rejected");
            case "retry" -> entryOf(workload, "budget").addProperty("state", "Retry");
            case "not asked" -> removeEntry(status, "budget");
            case "another controller" -> entryOf(workload, "budget").addProperty("name", "x");
            default -> throw new IllegalArgumentException(situation);
          }
        });

    Requeue requeue = reconcile();

    assertThat(evaluations).isEmpty();
    assertThat(cluster.patches()).isZero();
    assertThat(requeue).isEqualTo(Requeue.never());
  }

  @Test
  void aReadyThatComesAfterTheEvictionIsDropped() throws Exception {
    author = evaluation -> during(this::evict, Verdict.ready("too late"));

    reconcile();

    assertThat(entry("budget").state()).isEqualTo(CheckState.PENDING);
    assertThat(dropped("Evicted")).isEqualTo(1);
  }

  @Test
  void aRetryThatComesWhileEvictingStillCountsWithItsDelay() throws Exception {
    author =
        evaluation ->
            during(this::evict, Verdict.retry(FULL, "full", Delay.exactly(Duration.ofMinutes(5))));

    reconcile();

    assertThat(entry("budget").state()).isEqualTo(CheckState.RETRY);
    assertThat(entry("budget").requeueAfterSeconds()).isEqualTo(300);
    assertThat(cluster.patches()).isEqualTo(2);
    assertThat(cluster.reads()).isEqualTo(1);
  }

  @Test
  void aVerdictOfAFormerReservationIsAskedForAnew() throws Exception {
    author =
        evaluation ->
            evaluations.size() == 1
                ? during(() -> reserved(T0.plusSeconds(20)), Verdict.rejected(FULL, "no"))
                : Verdict.ready("fine");

    Requeue requeue = reconcile();

    assertThat(entry("budget").state()).isEqualTo(CheckState.PENDING);
    assertThat(dropped("OtherReservation")).isEqualTo(1);
    assertThat(requeue).isEqualTo(Requeue.at(time.instant().plusSeconds(1)));

    workloads.sync();
    reconcile();

    assertThat(evaluations).hasSize(2);
    assertThat(entry("budget").state()).isEqualTo(CheckState.READY);
    assertThat(entry("budget").lastTransitionTime()).isEqualTo(T0.plusSeconds(20));
  }

  @Test
  void anEntryThatMovedToAnotherPlaceIsFoundAgain() throws Exception {
    author =
        evaluation ->
            during(
                () ->
                    changeQuietly(
                        workload -> {
                          JsonArray entries =
                              workload.getAsJsonObject("status").getAsJsonArray("admissionChecks");
                          JsonObject own = entryOf(workload, "budget");
                          entries.remove(own);
                          entries.add(
                              JsonParser.parseString(
                                  """
                                  {"name": "aaa", "state": "Retry", "message": "mine",
                                   "lastTransitionTime": "2026-06-01T10:00:01Z"}
                                  """));
                          entries.add(own);
                        }),
                Verdict.ready("fine"));

    reconcile();

    assertThat(entry("aaa").state()).isEqualTo(CheckState.RETRY);
    assertThat(entry("aaa").message()).isEqualTo("mine");
    assertThat(entry("budget").state()).isEqualTo(CheckState.READY);
  }

  @Test
  void pendingIsAskedAgainWhenItsTimeHasComeAndNotBefore() throws Exception {
    author = evaluation -> Verdict.pending("waiting", Duration.ofMinutes(1));

    assertThat(reconcile()).isEqualTo(Requeue.at(time.instant().plusSeconds(60)));
    workloads.sync();
    time.advance(Duration.ofSeconds(59));
    assertThat(reconcile()).isEqualTo(Requeue.at(time.instant().plusSeconds(1)));
    assertThat(evaluations).hasSize(1);
    time.advance(Duration.ofSeconds(1));
    reconcile();

    assertThat(evaluations).hasSize(2);
    assertThat(cluster.patches()).isEqualTo(1);
    assertThat(entry("budget").message()).isEqualTo("waiting");
    assertThat(entry("budget").lastTransitionTime()).isEqualTo(T0);
  }

  @Test
  void pendingIsAskedAgainWhenTheCheckIsWokenOrTheSpecChanges() throws Exception {
    author = evaluation -> Verdict.pending("waiting");
    reconcile();
    workloads.sync();

    memory.wake(KEY, "budget");
    reconcile();
    assertThat(evaluations).hasSize(2);

    change(workload -> workload.getAsJsonObject("metadata").addProperty("generation", 9));
    reconcile();
    assertThat(evaluations).hasSize(3);

    reconcile();
    assertThat(evaluations).hasSize(3);
  }

  @Test
  void aVerdictIsNotRepeatedWhileTheInformerStillShowsTheOldEntry() throws Exception {
    reconcile();
    reconcile();
    memory.wake(KEY, "budget");
    reconcile();

    assertThat(evaluations).hasSize(1);
    assertThat(cluster.patches()).isEqualTo(1);
  }

  @Test
  void afterARestartOnlyWhatIsPendingIsAskedAgain() throws Exception {
    author = evaluation -> Verdict.pending("waiting");
    reconcile();
    workloads.sync();
    memory = new Memory();
    author = evaluation -> Verdict.ready("fine");
    reconcile();
    workloads.sync();
    memory = new Memory();
    reconcile();

    assertThat(evaluations).hasSize(2);
    assertThat(cluster.patches()).isEqualTo(2);
  }

  @Test
  void nothingIsRememberedOfWorkloadsAndEntriesThatAreGone() throws Exception {
    author = evaluation -> Verdict.pending("waiting");
    reconcile();
    memory.wake(KEY, "budget");
    memory.wake(KEY, "another");
    assertThat(memory.size()).isEqualTo(1);

    cluster.remove(KueueTypes.WORKLOAD, KEY);
    workloads.sync();
    reconcile();

    assertThat(memory.size()).isZero();
  }

  @Test
  void anErrorKeepsPendingAndIsTriedAgainWithAGrowingDelay() throws Exception {
    author =
        evaluation -> {
          throw new IOException("no route to the backend");
        };

    assertThat(reconcile()).isEqualTo(Requeue.at(time.instant().plusSeconds(1)));
    assertThat(entry("budget").state()).isEqualTo(CheckState.PENDING);
    assertThat(entry("budget").message()).contains("IOException: no route to the backend");
    workloads.sync();
    time.advance(Duration.ofSeconds(1));
    assertThat(reconcile()).isEqualTo(Requeue.at(time.instant().plusSeconds(2)));
    time.advance(Duration.ofSeconds(2));
    assertThat(reconcile()).isEqualTo(Requeue.at(time.instant().plusSeconds(4)));
    assertThat(cluster.patches()).isEqualTo(1);
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

  @Test
  void aSuccessInBetweenRefillsTheErrorBudget() throws Exception {
    guards =
        guards.withCircuitBreaker(new CircuitBreakerOptions(100, 100, 1, Duration.ofSeconds(1)));
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
    assertThat(entry("budget").message()).contains("no answer within PT0.05S");
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
  void aWorkloadOfACheckWithBadParametersIsToldSoAndGoesOnWhenMended() throws Exception {
    var configs = cluster.informer(KueueTypes.PROVISIONING_REQUEST_CONFIG);
    List<String> seen = new ArrayList<>();
    Evaluator<String> evaluator =
        evaluator(
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

    evaluator.reconcile(KEY);
    assertThat(entry("budget").state()).isEqualTo(CheckState.PENDING);
    assertThat(entry("budget").message())
        .isEqualTo(
            "The check is not active: spec.parameters is missing: name the"
                + " ProvisioningRequestConfig that this check uses");

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
    evaluator.reconcile(KEY);
    workloads.sync();
    assertThat(entry("budget").message()).contains("'p' does not exist");

    cluster.put(
        KueueTypes.PROVISIONING_REQUEST_CONFIG,
        """
        {"metadata": {"name": "p", "uid": "u"}, "spec": {"provisioningClassName": "spot"}}
        """);
    configs.sync();
    evaluator.reconcile(KEY);
    assertThat(entry("budget").state()).isEqualTo(CheckState.READY);
    assertThat(entry("budget").message()).isEqualTo("spot");
    assertThat(seen).containsExactly("spot");
  }

  @Test
  void severalChecksOfOneControllerAnswerForThemselves() throws Exception {
    cluster.change(
        KueueTypes.ADMISSION_CHECK,
        ObjectKey.cluster("another"),
        check -> check.getAsJsonObject("spec").addProperty("controllerName", "example.com/test"));
    checkObjects.sync();
    author =
        evaluation ->
            evaluation.check().equals("budget")
                ? Verdict.ready("fine")
                : Verdict.retry(FULL, "full", Delay.none());

    reconcile();

    assertThat(entry("budget").state()).isEqualTo(CheckState.READY);
    assertThat(entry("another").state()).isEqualTo(CheckState.RETRY);
    assertThat(entry("another").requeueAfterSeconds()).isNull();
  }

  @Test
  void readyIsRecheckedOnlyIfAskedFor() throws Exception {
    rechecks = new Due.Rechecks(Duration.ofMinutes(10), false);
    reconcile();
    workloads.sync();
    change(workload -> condition(workload, "Admitted", "True", T0.plusSeconds(11)));
    author = evaluation -> Verdict.retry(FULL, "licence expired", Delay.none());

    Instant due = entry("budget").lastTransitionTime().plus(Duration.ofMinutes(10));
    assertThat(reconcile()).isEqualTo(Requeue.at(due));
    assertThat(evaluations).hasSize(1);
    time.advanceTo(due);
    reconcile();

    assertThat(evaluations).hasSize(2);
    assertThat(entry("budget").state()).isEqualTo(CheckState.RETRY);
  }

  @Test
  void wokenInItsBackoffTheCheckEndsItsOwnDelay() throws Exception {
    rechecks = new Due.Rechecks(null, true);
    author = evaluation -> Verdict.retry(FULL, "full", Delay.exactly(Duration.ofHours(1)));
    reconcile();
    evict();
    change(
        workload -> {
          condition(workload, "QuotaReserved", "False", T0.plusSeconds(12));
          condition(workload, "Requeued", "False", T0.plusSeconds(12));
          workload.getAsJsonObject("status").remove("admission");
        });
    author =
        evaluation ->
            evaluation.inBackoff() ? Verdict.ready("room again") : Verdict.unchanged("bug");

    reconcile();
    assertThat(evaluations).hasSize(1);
    memory.wake(KEY, "budget");
    reconcile();

    assertThat(entry("budget").state()).isEqualTo(CheckState.RETRY);
    assertThat(entry("budget").requeueAfterSeconds()).isZero();
    assertThat(entry("budget").message()).isEqualTo("room again");
    assertThat(evaluations.get(1).totalRequests()).containsEntry("cpu", Quantity.parse("4"));
  }

  /** KEP-3258's example: a budget of the day, GPUs on attempt 4, a licence at once. */
  @Test
  void theExampleOfTheEnhancementProposal() throws Exception {
    change(workload -> entryOf(workload, "budget").addProperty("retryCount", 4));
    Backoff midnight = Backoff.untilMidnight(ZoneId.of("UTC")).withoutJitter();
    Backoff gpus = Backoff.exponential(Duration.ofSeconds(30), 2).withoutJitter();

    assertThat(delayWith(Verdict.retry(FULL, "", midnight))).isEqualTo((14 * 3600) - 10);
    assertThat(delayWith(Verdict.retry(FULL, "", gpus))).isEqualTo(8 * 60);
    assertThat(delayWith(Verdict.retry(FULL, "", Delay.none()))).isNull();
    assertThat(entry("budget").retryCount()).isEqualTo(4);
  }

  private @Nullable Integer delayWith(Verdict verdict) throws Exception {
    change(workload -> entryOf(workload, "budget").addProperty("state", "Pending"));
    memory = new Memory();
    author = evaluation -> verdict;
    reconcile();
    assertThat(entry("budget").state()).isEqualTo(CheckState.RETRY);
    return entry("budget").requeueAfterSeconds();
  }

  private static final class NullCheck implements AdmissionCheck<NoParameters> {
    @Override
    @SuppressWarnings("NullAway") // The author's bug is what is tested.
    public Verdict evaluate(Evaluation<NoParameters> evaluation) {
      return null;
    }
  }
}
