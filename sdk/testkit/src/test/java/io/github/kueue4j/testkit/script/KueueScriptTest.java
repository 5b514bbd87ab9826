// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.testkit.client.JsonApi;
import io.github.kueue4j.testkit.junit.KueueTest;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every step leaves what a queue controller would leave. */
@Tag("quick")
@KueueTest(lifetime = KueueTest.Lifetime.CLASS)
class KueueScriptTest {
  @SuppressWarnings("NullAway.Init") // The extension fills it in.
  private static KueueScript script;

  @SuppressWarnings("NullAway.Init") // The extension fills it in.
  private static ManualTime time;

  private static int count;

  private PlayedWorkload job;

  @BeforeEach
  void newWorkload() {
    if (count++ == 0) {
      script.admissionCheck("one", "example.com/one").admissionCheck("two", "example.com/two");
    }
    job = script.workload("job-" + count);
  }

  private Optional<Condition> condition(String type) {
    return Conditions.find(job.read().status().conditions(), type);
  }

  private String reason(String type) {
    return condition(type).map(found -> found.status() + "/" + found.reason()).orElse("absent");
  }

  @Test
  void aReservationAsksEveryCheckSinceThen() {
    Instant now = time.instant();
    job.reserve();

    assertThat(reason("QuotaReserved")).isEqualTo("True/QuotaReserved");
    assertThat(job.read().status().admissionChecks())
        .allSatisfy(
            entry -> {
              assertThat(entry.state()).isEqualTo(CheckState.PENDING);
              assertThat(entry.lastTransitionTime()).isEqualTo(now);
            })
        .extracting("name")
        .containsExactly("one", "two");
    assertThat(job.tree().at("/status/admission/podSetAssignments/0/flavors/cpu").asText())
        .isEqualTo("script");
    assertThat(job.tree().at("/status/admission/podSetAssignments/0/resourceUsage/cpu").asText())
        .isEqualTo("1");
  }

  @Test
  void theNextReservationIsLaterThanTheFirst() {
    Instant first = time.instant();
    job.reserve().evict("Preempted").release().reserve();

    assertThat(condition("QuotaReserved").orElseThrow().lastTransitionTime())
        .isEqualTo(first.plusSeconds(1));
    assertThat(reason("Evicted")).isEqualTo("False/QuotaReserved");
    assertThat(reason("Preempted")).isEqualTo("False/QuotaReserved");
  }

  @Test
  void aRetryWaitsOutTheLongestDelayAndCounts() {
    Instant start = time.instant();
    job.reserve().sayRetry("one", 60).sayRetry("two", 90).backOff();

    Workload waiting = job.read();
    assertThat(waiting.status().admission()).isNull();
    assertThat(reason("Requeued")).isEqualTo("False/AdmissionCheck");
    assertThat(reason("Evicted")).isEqualTo("True/AdmissionCheck");
    assertThat(job.tree().at("/status/requeueState/requeueAt").asText())
        .isEqualTo(start.plusSeconds(90).toString());

    job.requeue();

    assertThat(time.instant()).isEqualTo(start.plusSeconds(90));
    assertThat(reason("Requeued")).isEqualTo("True/BackoffFinished");
    assertThat(job.entry("one").retryCount()).isEqualTo(1);
    assertThat(job.entry("one").requeueAfterSeconds()).isNull();
    assertThat(job.tree().at("/status/requeueState").isMissingNode()).isTrue();

    job.reserve("one").sayRetry("one", 0).backOff().requeue().reserve("one");
    assertThat(job.entry("one").retryCount()).isEqualTo(2);
  }

  @Test
  void admissionForgetsTheCounts() {
    job.reserve("one").sayRetry("one", 1).backOff().requeue().reserve("one");
    job.say("one", CheckState.READY, "fine").admit();

    assertThat(job.entry("one").retryCount()).isNull();
    assertThat(reason("Admitted")).isEqualTo("True/Admitted");
    assertThat(reason("Finished")).isEqualTo("absent");
    assertThat(condition("Finished")).isEmpty();
    job.finish();
    assertThat(condition("Finished")).isPresent();
  }

  @Test
  void aRejectionDeactivatesUntilAReactivation() {
    job.reserve("one").say("one", CheckState.REJECTED, "never").reject();

    assertThat(job.read().spec().active()).isFalse();
    assertThat(reason("Requeued")).isEqualTo("False/DeactivatedDueToAdmissionCheck");
    assertThat(job.entry("one").state()).isEqualTo(CheckState.PENDING);

    job.reactivate().reserve("one");
    assertThat(job.read().spec().active()).isTrue();
    assertThat(reason("QuotaReserved")).isEqualTo("True/QuotaReserved");
  }

  @Test
  void stepsThatMakeNoSenseSayWhy() {
    assertThatThrownBy(job::release)
        .isInstanceOf(StepFailedException.class)
        .hasMessage("can't release: no quota is reserved");
    job.reserve("one").sayRetry("one", 1);
    assertThatThrownBy(job::requeue).hasMessageContaining("its quota is still reserved");
    job.backOff();
    assertThatThrownBy(job::reserve).hasMessageContaining("backOff() and requeue()");
  }

  @Test
  void theHistoryHasEveryVersion() {
    job.reserve("one").say("one", CheckState.PENDING, "a").say("one", CheckState.PENDING, "b");
    job.awaitMessage("one", "b");
    String newest = job.read().metadata().getResourceVersion();

    script.await(
        "the newest version",
        () -> "not seen",
        () ->
            script.history().versions(job.key()).stream()
                .filter(version -> version.at("/metadata/resourceVersion").asText().equals(newest))
                .findFirst());
    assertThat(script.history().versions(job.key()))
        .extracting(version -> version.at("/status/admissionChecks/0/message").asText("none"))
        .containsExactly("none", "", "a", "b");
  }

  @Test
  void whatDoesNotComeIsShownAsItIs(EmbeddedApiServer server, TimeSource clock) {
    try (JsonApi api = JsonApi.at(server.uri());
        KueueScript impatient =
            KueueScript.builder(api, clock).patience(Duration.ofMillis(1)).start()) {
      PlayedWorkload same = impatient.existing(job.key().name());

      assertThatThrownBy(() -> same.awaitState("one", CheckState.READY))
          .isInstanceOf(StepFailedException.class)
          .hasMessageContaining("in vain for one to say Ready on default/job-")
          .hasMessageContaining("spec.active=true");
    }
  }
}
