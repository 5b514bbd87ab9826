// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.sdk.BackendReport;
import io.github.kueue4j.sdk.BackendUnavailableException;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What the objects of operators say while what a check asks doesn't answer. */
@ExpectedLog(logger = "Evaluator", message = "Evaluation failed")
class BackendReachableTest extends AccountsFixture {
  private static final String CAUSE = "http://prom:9090 can't be reached: connection refused";

  private final AtomicBoolean down = new AtomicBoolean(true);
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  private Verdict ask() {
    if (down.get()) {
      throw new BackendUnavailableException(CAUSE, new IllegalStateException("boom"));
    }
    return fine();
  }

  @Test
  void theParametersSayItAndSinceWhen() throws Exception {
    check("own", "main");
    account("main", "7");
    run(
        builder ->
            builder
                .meters(meters)
                .check(Parameters.of(ACCOUNTS).reportingStatus(), evaluation -> ask()));
    ObjectKey job = kueue.workload("job");
    kueue.reserve(job, "own");

    await().until(() -> onAccount().filter(Condition::isFalse).isPresent());
    Condition condition = onAccount().orElseThrow();
    assertThat(condition.reason()).isEqualTo("Unreachable");
    assertThat(condition.message()).startsWith(CAUSE + ", since ").endsWith(" UTC");
    assertThat(condition.lastTransitionTime()).isBeforeOrEqualTo(time.instant());
    await().until(() -> kueue.active("own").isTrue());
    assertThat(onCheck()).isEmpty();
    await().until(() -> kueue.entry(job, "own").message().contains(CAUSE));
    assertThat(kueue.entry(job, "own").message()).doesNotContain("Exception");
    assertThat(gauge()).isZero();

    // It is written once Active is on the AdmissionCheck.
    await().until(() -> onAccount("Accepted").isPresent());
    String version = stored("main").getMetadata().getResourceVersion();
    int failures = failures();
    await()
        .until(
            () -> {
              time.advance(Duration.ofSeconds(1));
              return failures() > failures + 2;
            });
    assertThat(stored("main").getMetadata().getResourceVersion()).isEqualTo(version);

    down.set(false);
    await()
        .until(
            () -> {
              time.advance(Duration.ofSeconds(10));
              return onAccount().filter(Condition::isTrue).isPresent();
            });
    assertThat(onAccount().orElseThrow().reason()).isEqualTo("Answered");
    assertThat(gauge()).isEqualTo(1);
  }

  @Test
  void anAdmissionCheckWithoutParametersSaysItItself() throws Exception {
    kueue.admissionCheck("own", "example.com/own");
    run(builder -> builder.meters(meters).check(evaluation -> ask()));
    kueue.reserve(kueue.workload("job"), "own");

    await().until(() -> onCheck().filter(Condition::isFalse).isPresent());
    assertThat(onCheck().orElseThrow().message()).startsWith(CAUSE);
    await().until(() -> kueue.active("own").isTrue());
  }

  /** Most checks have no backend: nothing is said of it before one fails. */
  @Test
  void aCheckThatNeverFailsSaysNothing() throws Exception {
    down.set(false);
    kueue.admissionCheck("own", "example.com/own");
    run(builder -> builder.meters(meters).check(evaluation -> ask()));
    ObjectKey job = kueue.workload("job");
    kueue.reserve(job, "own");

    await().until(() -> kueue.entry(job, "own").is(CheckState.READY));
    assertThat(onCheck()).isEmpty();
    assertThat(meters.find("kueue4j.check.backend.reachable").gauge()).isNull();
  }

  /** One that has a verdict for when the backend is down says it by itself. */
  @Test
  void anAuthorReportsWhatAVerdictDoesNotTell() throws Exception {
    check("own", "main");
    account("main", "7");
    run(
        builder -> {
          BackendReport report = builder.backendReport();
          return builder
              .meters(meters)
              .check(
                  Parameters.of(ACCOUNTS).reportingStatus(),
                  evaluation -> {
                    if (down.get()) {
                      report.unavailable(
                          evaluation.check(), new BackendUnavailableException(CAUSE));
                    } else {
                      report.answered(evaluation.check());
                    }
                    return fine();
                  });
        });
    kueue.reserve(kueue.workload("job"), "own");
    await().until(() -> onAccount().filter(Condition::isFalse).isPresent());
    assertThat(gauge()).isZero();

    down.set(false);
    kueue.reserve(kueue.workload("next"), "own");
    await()
        .until(
            () -> {
              time.advance(Duration.ofSeconds(10));
              return onAccount().filter(Condition::isTrue).isPresent();
            });
  }

  private Optional<Condition> onAccount() {
    return onAccount("BackendReachable");
  }

  private Optional<Condition> onAccount(String type) {
    return Conditions.find(stored("main").conditions(), type);
  }

  private Optional<Condition> onCheck() {
    List<Condition> conditions =
        kueue
            .api()
            .get(KueueTypes.ADMISSION_CHECK, ObjectKey.cluster("own"))
            .orElseThrow()
            .status()
            .conditions();
    return Conditions.find(conditions, "BackendReachable");
  }

  private int failures() {
    return (int)
        meters.find("kueue4j.check.failures").counters().stream()
            .mapToDouble(counter -> counter.count())
            .sum();
  }

  private double gauge() {
    return meters.get("kueue4j.check.backend.reachable").tag("check", "own").gauge().value();
  }
}
