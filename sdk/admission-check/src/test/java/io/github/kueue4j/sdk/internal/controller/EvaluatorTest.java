// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.runtime.controller.Requeue;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Verdict;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a worker handles one workload; the test controls every stale read and late verdict. */
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
    assertThat(events).as("a message alone is no event").isEmpty();

    author = evaluation -> Verdict.retry(FULL, "full", Delay.none());
    memory.wake(KEY, "budget");
    reconcile();

    assertThat(events)
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
  void anAnswerThatTheInformerStillShowsIsWrittenAgainAfterAnother() throws Exception {
    author = evaluation -> Verdict.pending("first");
    reconcile();
    author = evaluation -> Verdict.pending("");
    memory.wake(KEY, "budget");
    assertThat(workloads.get(KEY).orElseThrow().status().admissionCheck("budget"))
        .as("the informer shows the message of before both")
        .hasValueSatisfying(shown -> assertThat(shown.message()).isEmpty());

    reconcile();

    assertThat(entry("budget").message()).isEmpty();
    assertThat(evaluations).hasSize(2);

    workloads.sync();
    int reads = cluster.reads();
    memory.wake(KEY, "budget");
    reconcile();
    assertThat(evaluations).hasSize(3);
    assertThat(cluster.reads()).as("once shown, a read is not needed").isEqualTo(reads);
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
}
