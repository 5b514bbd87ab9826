// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.policycheck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.AssignedFlavor;
import io.github.kueue4j.sdk.AssignedPodSet;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.fixture.Evaluations;
import io.github.kueue4j.sdk.fixture.FakeObjects;
import io.github.kueue4j.sdk.fixture.ServerAndReader;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What rules say, as a function of a Workload and a time. */
@Tag("quick")
class PolicyTest {
  /** A Thursday, noon in Berlin. */
  private static final Instant NOON = Instant.parse("2026-11-26T11:00:00Z");

  private static final String WINDOWS =
      "timeZone: Europe/Berlin, windows: ["
          + "{name: night, weekly: {from: '20:00', to: '06:00'}},"
          + "{name: weekend, weekly: {days: [Saturday, Sunday], from: '00:00', to: '00:00'}},"
          + "{name: freeze, from: '2026-12-20T00:00:00+01:00', to: '2027-01-04T00:00:00+01:00'}], ";

  private static Policy policy(String rules) {
    return Policy.of(ServerAndReader.spec(PolicyCheck.TYPE, WINDOWS + "rules: [" + rules + "]"));
  }

  private static Policy when(String expression) {
    return policy("{name: one, answer: Rejected, when: \"" + expression + "\"}");
  }

  /** Four pods of a Job of the team physics, 64 CPUs and 1 Gi together. */
  private static Evaluation<Policy> evaluation(Policy policy, Instant now) {
    AdmissionCheckState entry = AdmissionCheckState.pending("policy", now);
    Map<String, Quantity> requests =
        Map.of("cpu", Quantity.parse("64"), "memory", Quantity.parse("1Gi"));
    Workload reserved =
        Evaluations.reserved(
            "ml", "w", new PodSetAssignment("main", Map.of(), requests, 4), entry, now);
    Workload workload =
        reserved.withMetadata(
            new V1ObjectMeta()
                .namespace("ml")
                .name("w")
                .labels(Map.of("team", "physics"))
                .addOwnerReferencesItem(
                    new V1OwnerReference().apiVersion("batch/v1").kind("Job").controller(true)));
    return Evaluations.of(
        workload,
        entry,
        policy,
        new AssignedPodSet(
            "main",
            4,
            new V1PodTemplateSpec()
                .metadata(new V1ObjectMeta().labels(Map.of("app", "a")))
                .spec(
                    new V1PodSpec()
                        .addContainersItem(
                            new V1Container().name("c").image("registry.example.com/a:1"))),
            requests,
            Map.of("cpu", new AssignedFlavor("spot", Map.of(), List.of()))),
        now);
  }

  private static Verdict judge(Policy policy, Instant now) {
    Evaluation<Policy> evaluation = evaluation(policy, now);
    return PolicyCheck.judge(
        evaluation, Facts.of(evaluation, Map.of("kubernetes.io/metadata.name", "ml")));
  }

  /** Rows of what is true of the Workload at noon, and of what isn't. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          workload.requests.of('cpu') >= 64                                    ; true
          workload.requests.of('cpu') > 64                                     ; false
          workload.requests.of('nvidia.com/gpu') > 0                           ; false
          workload.requests['cpu'] == 64.0                                     ; true
          workload.requests.of('memory') >= amount('1Gi')                      ; true
          workload.requests.of('memory') > amount('1Gi')                       ; false
          workload.pods == 4 && workload.podSets[0].count == 4                 ; true
          'team' in workload.labels                                            ; true
          workload.labels[?'team'].orValue('') in ['physics', 'chemistry']     ; true
          workload.annotations.size() == 0                                     ; true
          workload.namespace == 'ml' && workload.clusterQueue == 'cq'          ; true
          workload.owner.kind == 'Job' && workload.owner.apiVersion == 'batch/v1' ; true
          workload.priority == 0                                               ; true
          workload.podSets.exists(p, p.flavors[?'cpu'].orValue('') == 'spot')  ; true
          workload.podSets.all(p, p.labels['app'].startsWith('a'))             ; true
          workload.podSets.all(p, p.template.spec.containers.all(c, c.image.startsWith('registry.example.com/'))) ; true
          workload.podSets.exists(p, has(p.template.spec.hostNetwork) && p.template.spec.hostNetwork) ; false
          namespaceLabels['kubernetes.io/metadata.name'] == 'ml'               ; true
          windows.night || windows.weekend || windows.freeze                   ; false
          """)
  void aRuleKnowsTheWorkload(String expression, boolean holds) {
    assertThat(judge(when(expression), NOON))
        .isInstanceOf(holds ? Verdict.Rejected.class : Verdict.Ready.class);
  }

  @Test
  void theFirstRuleThatHoldsAnswers() {
    String rules =
        "{name: a, answer: Ready, when: 'workload.priority > 0'},"
            + "{name: b, answer: Rejected, when: 'true', message: Write a label},"
            + "{name: c, answer: Ready, when: 'true'}";

    assertThat(judge(policy(rules), NOON))
        .isInstanceOfSatisfying(
            Verdict.Rejected.class,
            rejected -> assertThat(rejected.message()).isEqualTo("Rule b: Write a label."));
  }

  /**
   * A Retry lasts until the time changes the answer, beyond openings and closings that don't change
   * it, and no longer than its own delay.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          2026-11-26T11:00:00Z ; '!windows.night'                        ;             ; PT8H    ; 2026-11-26 20:00
          2026-11-26T11:00:00Z ; '!windows.night'                        ; delay: 30m, ; PT30M   ; 2026-11-26 20:00
          2026-11-26T18:50:00Z ; '!windows.night'                        ; delay: 30m, ; PT10M   ; 2026-11-26 20:00
          2026-11-27T11:00:00Z ; '!windows.weekend'                      ;             ; PT12H   ; 2026-11-28 00:00
          2026-11-26T11:00:00Z ; '!(windows.night && windows.weekend)'   ;             ; PT24H   ; 2026-11-28 00:00
          2026-12-24T11:00:00Z ; windows.freeze                          ;             ; PT24H   ; 2027-01-04 00:00
          2027-01-03T22:59:59.5Z ; windows.freeze                        ;             ; PT0.5S  ; 2027-01-04 00:00
          2026-12-19T11:00:00Z ; 'windows.freeze || !windows.night'      ;             ; PT8H    ; 2026-12-19 20:00
          2026-12-20T11:00:00Z ; 'windows.freeze || !windows.night'      ;             ; PT24H   ; 2027-01-04 00:00
          2026-11-26T11:00:00Z ; 'workload.priority < 1'                 ; delay: 45m, ; PT45M   ;
          2027-01-05T11:00:00Z ; 'windows.freeze || workload.priority < 1' ;           ; PT24H   ;
          """)
  void aRetryLastsUntilTheTimeChangesTheAnswer(
      Instant now, String when, @Nullable String delay, Duration expected, @Nullable String until) {
    Policy policy =
        policy(
            "{name: one, answer: Retry, %s when: %s}".formatted(delay == null ? "" : delay, when));

    Verdict.Retry retry = Evaluations.retry(judge(policy, now));

    assertThat(((Delay.From) retry.delay()).backoff().nominal(0, now)).isEqualTo(expected);
    assertThat(retry.message())
        .isEqualTo(
            until == null
                ? "Rule one holds. Asking again in {delay}."
                : "Rule one holds. It can be let through from %s Europe/Berlin on. Asking again in {delay}."
                    .formatted(until));
  }

  /** Never let through by accident: it gives its quota back, and says what to correct. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          workload.labels['tema'] == 'physics'                 ; no such key: tema.
          workload.podSets[1].count > 0                        ; Index out of bounds: 1
          amount('much') > 0                                   ; 'much'
          workload.podSets[0].template.spec.nodeName == 'n'    ; key 'nodeName' is not present in map
          """)
  void aRuleThatFailsSendsBackAndSaysWhatToCorrect(String expression, String why) {
    Policy policy =
        policy(
            "{name: one, answer: Rejected, when: \"%s\"}, {name: two, answer: Ready, when: 'true'}"
                .formatted(expression));

    Verdict.Retry retry = Evaluations.retry(judge(policy, NOON));

    assertThat(retry.reason()).hasToString("RuleFailed");
    assertThat(retry.message())
        .startsWith("The rule one of the PolicyCheck can't be evaluated for this Workload: ")
        .contains(why)
        .contains("spec.rules[0] (one).when is to be corrected");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          answer: Ready, when: 'workload.priority >'          ; spec.rules[0] (one).when is 'workload.priority >': mismatched input
          answer: Ready, when: 'workload.prio > 0'            ; undefined field 'prio' (line 1, column 9)
          answer: Ready, when: 'windows.nigth'                ; undefined field 'nigth'
          answer: Ready, when: 'now > 0'                      ; undeclared reference to 'now'
          answer: Ready, when: 'workload.priority'            ; it gives a int: write an expression that is true or false
          answer: Ready, when: 'workload.podSets[0].template.spec' ; it gives a dyn: write an expression that is true or false
          answer: Ready, when: "workload.labels == 'a'"       ; found no matching overload for '_==_'
          answer: Ready, when: "quantity('1') > 0"            ; undeclared reference to 'quantity'
          answer: Retry, when: 'true'                         ; spec.rules[0] (one).delay is missing: neither this rule nor one before it names a window
          """)
  void aRuleThatMakesNoSenseIsRefused(String fields, String problem) {
    assertThatThrownBy(() -> policy("{name: one, " + fields + "}"))
        .isInstanceOf(InvalidFieldException.class)
        .hasMessageContaining(problem);
  }

  /** As if it had no labels, the first rule would reject. */
  @Test
  void aNamespaceThatHasNotBeenSeenIsWaitedFor() {
    FakeObjects<V1Namespace> namespaces = new FakeObjects<>();
    PolicyCheck check = new PolicyCheck(namespaces);
    Evaluation<Policy> evaluation = evaluation(when("!('tier' in namespaceLabels)"), NOON);

    assertThat(check.evaluate(evaluation)).isInstanceOf(Verdict.Pending.class);
    namespaces.put(
        new V1Namespace().metadata(new V1ObjectMeta().name("ml").labels(Map.of("tier", "a"))));
    assertThat(check.evaluate(evaluation)).isInstanceOf(Verdict.Ready.class);
    namespaces.put(new V1Namespace().metadata(new V1ObjectMeta().name("ml")));
    assertThat(check.evaluate(evaluation)).isInstanceOf(Verdict.Rejected.class);
  }

  /** What a rule may cost is bounded, whatever it says. */
  @Test
  void aRuleThatLooksAtTooMuchFails() {
    String ten = "[1,2,3,4,5,6,7,8,9,0]";
    String expression =
        "%1$s.all(a, %1$s.all(b, %1$s.all(c, %1$s.all(d, %1$s.all(e, a+b+c+d+e >= 0)))))"
            .formatted(ten);

    assertThat(Evaluations.retry(judge(when(expression), NOON)).message()).contains("exceeded");
    assertThatThrownBy(() -> when("true" + " || true".repeat(600)))
        .hasMessageContaining("spec.rules[0] (one).when is 'true || true");
  }

  @Test
  void aPolicyIsEqualByWhatIsWritten() {
    assertThat(when("true")).isEqualTo(when("true")).isNotEqualTo(when("false"));
    assertThat(when("windows.night").unusedWindows()).containsExactly("weekend", "freeze");
  }

  /** A day on which clocks are changed has the hours that people see. */
  @ParameterizedTest
  @CsvSource({
    // The night in which the hour from 2 to 3 is left out, and the one in which it comes twice.
    "2026-03-28T19:00:00Z, 2026-03-29T04:00:00Z",
    "2026-10-24T18:00:00Z, 2026-10-25T05:00:00Z",
    "2026-11-25T19:00:00Z, 2026-11-26T05:00:00Z"
  })
  void aNightLastsAsLongAsOnTheWall(Instant opens, Instant closes) {
    PolicyCheckSpec spec = when("windows.night").spec();
    PolicyWindow night = spec.windows().getFirst();

    assertThat(night.isOpen(opens.minusMillis(1), spec.zone())).isFalse();
    assertThat(night.nextChange(opens.minusMillis(1), spec.zone())).contains(opens);
    assertThat(night.isOpen(opens, spec.zone())).isTrue();
    assertThat(night.nextChange(opens, spec.zone())).contains(closes);
    assertThat(night.isOpen(closes, spec.zone())).isFalse();
  }

  @Test
  void aWindowThatIsOverNeverChanges() {
    Instant over = Instant.parse("2027-01-03T23:00:00Z");
    PolicyWindow freeze = when("windows.freeze").spec().windows().get(2);

    assertThat(freeze.nextChange(over.minusMillis(1), ZoneOffset.UTC)).contains(over);
    assertThat(freeze.nextChange(over, ZoneOffset.UTC)).isEmpty();
    assertThat(freeze.isOpen(over, ZoneOffset.UTC)).isFalse();
  }
}
