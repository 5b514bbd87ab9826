// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The changes of a plan as short texts to compare. */
record Outcome(Plan plan) {

  static Outcome of(Plan plan) {
    return new Outcome(plan);
  }

  static Outcome plan(Situation situation, double seconds) {
    return of(Lifecycle.plan(situation, WorkloadBuilder.at(seconds)));
  }

  Outcome by(Rule rule) {
    assertThat(plan.rule()).as("rule of %s", plan).isEqualTo(rule);
    return this;
  }

  /** Nothing is written. */
  Outcome nothing() {
    assertThat(plan).isInstanceOf(Plan.Nothing.class);
    return this;
  }

  Outcome waitsFor(WaitReason waitReason) {
    assertThat(plan)
        .isInstanceOfSatisfying(
            Plan.Nothing.class, nothing -> assertThat(nothing.waitReason()).isEqualTo(waitReason));
    return this;
  }

  Outcome wakesAt(@Nullable Double seconds) {
    assertThat(seconds(plan.wakeAt())).isEqualTo(seconds);
    return this;
  }

  Plan.PatchStatus status() {
    assertThat(plan).isInstanceOf(Plan.PatchStatus.class);
    return (Plan.PatchStatus) plan;
  }

  Workload after() {
    assertThat(plan).isInstanceOf(Plan.Write.class);
    return ((Plan.Write) plan).after();
  }

  /** {@code True(Reason)@12}: status, reason, seconds since noon; "absent" if it isn't there. */
  Outcome condition(String type, String expected) {
    assertThat(
            after()
                .conditions()
                .find(type)
                .map(
                    condition ->
                        condition.status()
                            + "("
                            + condition.reason()
                            + ")@"
                            + text(condition.lastTransitionTime()))
                .orElse("absent"))
        .as(type)
        .isEqualTo(expected);
    return this;
  }

  String message(String type) {
    return after().conditions().find(type).map(Condition::message).orElse("");
  }

  AdmissionCheckState entry(String check) {
    return after().status().admissionCheck(check).orElseThrow();
  }

  /** Every entry as {@code a=Retry@12+30#2}: state, seconds since noon, delay, retryCount. */
  Outcome entries(String expected) {
    assertThat(
            after().status().admissionChecks().stream()
                .map(Outcome::text)
                .collect(Collectors.joining(" ")))
        .isEqualTo(expected);
    return this;
  }

  Outcome requeueAt(@Nullable Double seconds) {
    assertThat(seconds(after().status().requeueAt())).as("requeueAt").isEqualTo(seconds);
    return this;
  }

  Outcome released() {
    assertThat(after().status().admission()).as("admission").isNull();
    assertThat(Phase.holdsQuota(after())).as("quota is reserved").isFalse();
    return this;
  }

  Outcome stillReserved() {
    assertThat(after().status().admission()).as("admission").isNotNull();
    assertThat(Phase.holdsQuota(after())).as("quota is reserved").isTrue();
    return this;
  }

  Outcome phase(Phase phase) {
    assertThat(Phase.of(after(), java.util.Set.of("a", "b"))).isEqualTo(phase);
    return this;
  }

  List<String> eventReasons() {
    return status().events().stream().map(LifecycleEvent::reason).toList();
  }

  /** The situation once this patch has been applied. */
  Situation applied(Situation before) {
    return switch (plan) {
      case Plan.Nothing nothing -> before.withObservedEntries(nothing.observed());
      case Plan.PatchSpec patch ->
          before.withWorkload(patch.after()).withObservedEntries(patch.observed());
      case Plan.PatchStatus patch ->
          before.withWorkload(patch.after()).withObservedEntries(patch.applied());
    };
  }

  private static String text(AdmissionCheckState entry) {
    return entry.name()
        + "="
        + entry.state()
        + "@"
        + text(entry.lastTransitionTime())
        + (entry.requeueAfterSeconds() == null ? "" : "+" + entry.requeueAfterSeconds())
        + (entry.retryCount() == null ? "" : "#" + entry.retryCount());
  }

  private static String text(Instant instant) {
    return String.valueOf(Duration.between(NOON, instant).toSeconds());
  }

  private static @Nullable Double seconds(@Nullable Instant instant) {
    return instant == null ? null : Duration.between(NOON, instant).toMillis() / 1000.0;
  }
}
