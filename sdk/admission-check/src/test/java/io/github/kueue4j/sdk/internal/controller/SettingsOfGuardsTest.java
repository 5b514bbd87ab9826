// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.runtime.controller.Requeue;
import io.github.kueue4j.sdk.BackendUnavailableException;
import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Guards;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.program.GuardSettings;
import io.github.kueue4j.sdk.program.InvalidGuardSettingException;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The effects of settings from a file and from the environment on a check. */
@ExpectedLog(logger = "Evaluator", message = "Evaluation failed")
class SettingsOfGuardsTest extends EvaluatorFixture {
  private static final Check<NoParameters> BROKEN =
      evaluation -> {
        throw new BackendUnavailableException("broken");
      };

  @TempDir Path folder;

  static List<String> both() {
    return List.of("file", "environment");
  }

  private Guards from(String place, String... lines) {
    List<String> all = List.of(lines);
    return (place.equals("file") ? file(String.join("\n", all)) : variables(all))
        .on(Guards.defaults());
  }

  /** {@code a.b: c} and so on, as a file; YAML reads a dotted key as one, so levels are written. */
  private GuardSettings file(String flat) {
    Map<String, List<String>> levels = new HashMap<>();
    StringBuilder yaml = new StringBuilder();
    for (String line : flat.lines().toList()) {
      String[] name = line.split(":", 2)[0].split("\\.", -1);
      if (name.length == 1) {
        yaml.append(line).append('\n');
      } else {
        levels.computeIfAbsent(name[0], n -> new ArrayList<>()).add(line.split("\\.", 2)[1]);
      }
    }
    levels.forEach(
        (level, lines) -> {
          yaml.append(level).append(":\n");
          lines.forEach(line -> yaml.append("  ").append(line).append('\n'));
        });
    return yaml(yaml.toString());
  }

  private GuardSettings yaml(String text) {
    try {
      return GuardSettings.file(Files.writeString(folder.resolve("guards.yaml"), text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static GuardSettings variables(List<String> flat) {
    Map<String, String> variables = new HashMap<>(Map.of("PATH", "/bin", "KUEUE4J_OTHER", "1"));
    for (String line : flat) {
      String[] parts = line.split(": ", 2);
      String name = parts[0].replaceAll("([a-z])([A-Z])", "$1_$2").replace('.', '_');
      variables.put("KUEUE4J_GUARDS_" + name.toUpperCase(Locale.ROOT), parts[1]);
    }
    return GuardSettings.environment(variables);
  }

  @ParameterizedTest
  @MethodSource("both")
  void revocationsAreConfirmedAndCountedAsSet(String place) {
    guards =
        from(
            place, "revocations.confirmAfter: 5s", "revocations.most: 1", "revocations.window: 1m");
    Revocations revocations = guardSet().revocations();

    Revocations.Ruling.Wait first = revoke(revocations, null);
    assertThat(first.in()).isEqualTo(Duration.ofSeconds(5));
    time.advance(Duration.ofSeconds(5));
    assertThat(revocations.rule("budget", first.doubt(), CheckState.RETRY, true))
        .isEqualTo(new Revocations.Ruling.Allowed(true));
    assertThat(revoke(revocations, first.doubt()).in()).isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void oneSettingOfRevocationsLeavesTheOthersAsTheyAre() {
    assertThat(from("file", "revocations.most: 7").revocations())
        .isEqualTo(new Guards.RevocationLimits(Duration.ofSeconds(30), 7, Duration.ofMinutes(10)));
    Guards.RevocationLimits given =
        new Guards.RevocationLimits(Duration.ofSeconds(1), 2, Duration.ofSeconds(3));
    Guards limited = Guards.defaults().withRevocations(given);
    assertThat(file("revocations.most: 7").on(limited).revocations())
        .isEqualTo(new Guards.RevocationLimits(Duration.ofSeconds(1), 7, Duration.ofSeconds(3)));
    assertThat(file("timeout: 1s").on(limited).revocations()).isEqualTo(given);
  }

  private static Revocations.Ruling.Wait revoke(
      Revocations revocations, Revocations.@Nullable Doubt before) {
    return (Revocations.Ruling.Wait) revocations.rule("budget", before, CheckState.RETRY, true);
  }

  @ParameterizedTest
  @MethodSource("both")
  void theTimeoutEndsAnEvaluation(String place) throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    guards = from(place, "timeout: 70ms");
    author =
        evaluation -> {
          assertThat(evaluation.deadline()).isEqualTo(evaluation.now().plusMillis(70));
          never.await();
          return Verdict.ready("never");
        };

    reconcile();

    assertThat(entry("budget").message()).contains("no answer within 1 s");
  }

  @ParameterizedTest
  @MethodSource("both")
  void asManyEvaluationsRunAtOnceAsAllowed(String place) throws Exception {
    guards = from(place, "maxConcurrentEvaluations: 2");
    CountDownLatch go = new CountDownLatch(1);
    List<Guard.Outcome<Verdict>> outcomes =
        atOnce(
            6,
            evaluation -> {
              go.await();
              return Verdict.ready("fine");
            },
            4,
            go::countDown);

    assertThat(outcomes).filteredOn(Guard.Outcome.Busy.class::isInstance).hasSize(4);
  }

  @ParameterizedTest
  @MethodSource("both")
  void asManyEvaluationsStartInASecondAsAllowed(String place) throws Exception {
    guards = from(place, "maxEvaluationsPerSecond: 1");

    List<Guard.Outcome<Verdict>> outcomes =
        atOnce(40, evaluation -> Verdict.ready("fine"), 0, () -> {});

    assertThat(outcomes).filteredOn(Guard.Outcome.Busy.class::isInstance).hasSizeGreaterThan(20);
  }

  @ParameterizedTest
  @MethodSource("both")
  void theCircuitBreakerOpensAsConfigured(String place) throws Exception {
    guards =
        from(
            place,
            "circuitBreaker.window: 4",
            "circuitBreaker.minimum: 3",
            "circuitBreaker.failureRate: 0.9",
            "circuitBreaker.openFor: 77s");
    Check<NoParameters> fine = evaluation -> Verdict.ready("fine");

    // One success of four is less than nine in ten failures; of three failures none is.
    assertThat(call(fine)).isInstanceOf(Guard.Outcome.Answered.class);
    assertThat(call(BROKEN)).isInstanceOf(Guard.Outcome.Failed.class);
    assertThat(call(BROKEN)).isInstanceOf(Guard.Outcome.Failed.class);
    assertThat(call(BROKEN)).isInstanceOf(Guard.Outcome.Failed.class);
    assertThat(call(BROKEN)).isInstanceOf(Guard.Outcome.Failed.class);
    assertThat(call(BROKEN))
        .isInstanceOfSatisfying(
            Guard.Outcome.CircuitOpen.class, open -> assertThat(open.tryAgainIn()).hasSeconds(77));

    time.advance(Duration.ofSeconds(76));
    assertThat(call(fine)).isInstanceOf(Guard.Outcome.CircuitOpen.class);
    time.advance(Duration.ofSeconds(2));
    assertThat(call(fine)).isInstanceOf(Guard.Outcome.Answered.class);
  }

  @ParameterizedTest
  @MethodSource("both")
  void theCircuitBreakerKnowsItsMinimum(String place) throws Exception {
    guards = from(place, "circuitBreaker.window: 2", "circuitBreaker.minimum: 2");

    assertThat(call(BROKEN)).isInstanceOf(Guard.Outcome.Failed.class);
    assertThat(call(BROKEN)).isInstanceOf(Guard.Outcome.Failed.class);
    assertThat(call(BROKEN)).isInstanceOf(Guard.Outcome.CircuitOpen.class);
  }

  @ParameterizedTest
  @MethodSource("both")
  void failuresAreTriedAgainAndThenGivenBackAsConfigured(String place) throws Exception {
    guards =
        from(
            place,
            "errorBackoff.base: 4s",
            "errorBackoff.factor: 3",
            "errorBackoff.max: 20s",
            "errorBackoff.jitter: 0",
            "errorBudget: 1m",
            "afterErrors.base: 100s",
            "afterErrors.factor: 1.5",
            "afterErrors.max: 200s",
            "afterErrors.jitter: 0");
    author = BROKEN;
    Instant start = time.instant();
    List<Long> looks = new ArrayList<>();
    while (entry("budget").is(CheckState.PENDING)) {
      looks.add(Duration.between(start, time.instant()).toSeconds());
      if (reconcile() instanceof Requeue.At at) {
        workloads.sync();
        time.advanceTo(at.when());
      }
    }

    assertThat(looks).containsExactly(0L, 4L, 16L, 36L, 56L, 76L);
    assertThat(entry("budget").requeueAfterSeconds()).isEqualTo(100);
    for (Map.Entry<Integer, Integer> expected : Map.of(1, 150, 2, 200, 3, 200).entrySet()) {
      assertThat(guards.afterErrors().nominal(expected.getKey(), start))
          .hasSeconds(expected.getValue());
    }
  }

  @ParameterizedTest
  @MethodSource("both")
  void noDelayIsLongerThanAllowed(String place) throws Exception {
    guards = from(place, "longestDelay: 90s");
    author =
        evaluation ->
            Verdict.retry(Reason.of("Exhausted"), "none left", Delay.exactly(Duration.ofHours(20)));

    reconcile();

    assertThat(entry("budget").requeueAfterSeconds()).isEqualTo(90);
  }

  /** Jitter included, and spread below the limit. */
  @ParameterizedTest
  @MethodSource("both")
  void noBackoffIsLongerThanAllowed(String place) throws Exception {
    guards = from(place, "longestDelay: 90s");
    author =
        evaluation ->
            Verdict.retry(
                Reason.of("Exhausted"),
                "none left, again in {delay}",
                Backoff.fixed(Duration.ofSeconds(90)));

    reconcile();

    assertThat(entry("budget").requeueAfterSeconds()).isBetween(72, 90);
    assertThat(entry("budget").message())
        .isEqualTo("none left, again in " + entry("budget").requeueAfterSeconds() + " s");
  }

  /** kueue-core asks again after 24 h, whatever the entry says. */
  @Test
  void aDelayThatTheCoreWouldCutIsNeverAnnounced() throws Exception {
    author =
        evaluation ->
            Verdict.retry(
                Reason.of("Exhausted"),
                "none left, again in {delay}",
                Delay.exactly(Duration.ofMinutes(27 * 60 + 58)));

    reconcile();

    assertThat(entry("budget").message()).isEqualTo("none left, again in 24 h");
    assertThat(entry("budget").requeueAfterSeconds()).isEqualTo(86_400);
  }

  @Test
  void theEnvironmentWinsOverTheFileOneSettingAtATime() {
    Guards guards =
        yaml("""
        timeout: 7s
        errorBackoff: {base: 2s, max: 9s}
        errorBudget:
        """)
            .overriddenBy(
                GuardSettings.environment(Map.of("KUEUE4J_GUARDS_ERROR_BACKOFF_BASE", "3s")))
            .on(Guards.defaults());

    assertThat(guards.timeout()).hasSeconds(7);
    assertThat(guards.errorBackoff().nominal(0, Instant.EPOCH)).hasSeconds(3);
    assertThat(guards.errorBackoff().nominal(9, Instant.EPOCH)).hasSeconds(9);
    assertThat(guards.errorBudget()).isEqualTo(Guards.defaults().errorBudget());
    assertThat(guards.afterErrors()).isEqualTo(Guards.defaults().afterErrors());
  }

  @Test
  void anEmptyFileChangesNothing() {
    assertThat(yaml("# nothing yet\n").on(Guards.defaults())).isEqualTo(Guards.defaults());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "timeuot: 3s -> line 1: timeuot is not a guard setting; did you mean timeout?",
        "circuitBreaker: {opnFor: 3s} -> line 1: circuitBreaker.opnFor is not a guard setting;"
            + " did you mean circuitBreaker.openFor?",
        "zzz: 1 -> zzz is not a guard setting; known are timeout, maxConcurrentEvaluations",
        "timeout: 30 -> line 1: timeout is \"30\"; write a duration above zero, such as 30s",
        "timeout: 0s -> line 1: timeout is \"0s\"; write a duration above zero",
        "timeout: [1s] -> line 1: timeout must be a single value",
        "circuitBreaker: on -> line 1: circuitBreaker must be a mapping",
        "maxConcurrentEvaluations: 0 -> maxConcurrentEvaluations is \"0\"; write a whole number",
        "maxEvaluationsPerSecond: 1e9 -> maxEvaluationsPerSecond is \"1e9\"; write a whole number",
        "circuitBreaker: {failureRate: 50%} -> failureRate is \"50%\"; write a number above 0",
        "circuitBreaker: {failureRate: NaN} -> failureRate is \"NaN\"; write a number above 0",
        "circuitBreaker: {window: 5} -> circuitBreaker.minimum is 10, above circuitBreaker.window,"
            + " 5",
        "errorBackoff: {factor: 0.5} -> errorBackoff.factor is \"0.5\"; write a number of at least"
            + " 1",
        "afterErrors: {base: 2h} -> line 1: afterErrors.base is 2h, above afterErrors.max, 30 min",
        "errorBackoff: {max: 10ms} -> line 1: errorBackoff.base is 1 s, above errorBackoff.max,"
            + " 10ms",
        "afterErrors: {max: 48h} -> line 1: afterErrors.max is 48h, above longestDelay, 24 h; lower",
        "{afterErrors: {max: 2h}, longestDelay: 1h} -> line 1: afterErrors.max is 2h, above",
        "afterErrors: {jitter: 2} -> afterErrors.jitter is \"2\"; write a number from 0 to 1",
        "{timeout: 1s, timeout: 2s} -> timeout is given twice; remove one of them",
        "timeout: 'a -> not valid YAML",
        "- timeout -> the file must be a mapping",
      })
  void aSettingThatMakesNoSenseIsNamedWithItsRemedy(String row) {
    String[] parts = row.split(" -> ", 2);
    assertThatThrownBy(() -> yaml(parts[0]).on(Guards.defaults()))
        .isInstanceOf(InvalidGuardSettingException.class)
        .hasMessageContaining("guards.yaml")
        .hasMessageContaining(parts[1]);
  }

  @Test
  void soIsAVariable() {
    assertThatThrownBy(() -> GuardSettings.environment(Map.of("KUEUE4J_GUARDS_TIME_OUT", "3s")))
        .hasMessage(
            "environment: KUEUE4J_GUARDS_TIME_OUT is not a guard setting; did you mean"
                + " KUEUE4J_GUARDS_TIMEOUT?");
    assertThatThrownBy(
            () ->
                GuardSettings.environment(Map.of("KUEUE4J_GUARDS_TIMEOUT", "soon"))
                    .on(Guards.defaults()))
        .hasMessage(
            "environment variable KUEUE4J_GUARDS_TIMEOUT: timeout is \"soon\"; write a duration"
                + " above zero, such as 30s, 5m or 1h30m");
    assertThatThrownBy(() -> GuardSettings.file(folder.resolve("absent.yaml")))
        .hasMessageContaining("absent.yaml")
        .hasMessageContaining("check that it exists");
  }

  private Guard.Outcome<Verdict> call(Check<NoParameters> check) throws Exception {
    return guardSet().of("budget").call(Guard.Question.verdict(check, evaluation("one")));
  }

  /**
   * Calls for so many workloads at once.
   *
   * @param first how many calls must have returned before {@code then} runs
   */
  private List<Guard.Outcome<Verdict>> atOnce(
      int calls, Check<NoParameters> check, int first, Runnable then) throws Exception {
    try (Actors callers = Actors.named("caller")) {
      Guard guard = guardSet().of("budget");
      List<Act<Guard.Outcome<Verdict>>> running = new ArrayList<>();
      for (int i = 0; i < calls; i++) {
        String workload = "workload-" + i;
        running.add(
            callers.ask(() -> guard.call(Guard.Question.verdict(check, evaluation(workload)))));
      }
      await().until(() -> running.stream().filter(Act::hasEnded).count() >= first);
      then.run();
      List<Guard.Outcome<Verdict>> outcomes = new ArrayList<>();
      for (Act<Guard.Outcome<Verdict>> one : running) {
        outcomes.add(one.get());
      }
      return outcomes;
    }
  }

  private Evaluation<NoParameters> evaluation(String workload) {
    return new Evaluation<>(
        "budget",
        Workload.named("ns", workload),
        List.of(),
        AdmissionCheckState.pending("budget", T0),
        NoParameters.INSTANCE,
        time.instant(),
        time.instant());
  }
}
