// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.policycheck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.policycheck.PolicyTrial.RuleState;
import io.github.kueue4j.policycheck.PolicyTrial.TriedRule;
import io.github.kueue4j.policycheck.PolicyTrial.TriedWorkload;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

/** What is said of each rule to its author. */
@Tag("quick")
class PolicyTrialTest {
  private static final Instant NOON = Instant.parse("2026-11-26T11:00:00Z");

  private static CustomResource<PolicyCheckSpec> object(String spec) {
    Map<String, Object> fields = new Yaml().load("{" + spec + "}");
    return CustomResource.of(PolicyCheck.TYPE, new V1ObjectMeta().name("house"), fields);
  }

  private static CustomResource<PolicyCheckSpec> rules(String rules) {
    return object(
        "windows: [{name: night, weekly: {from: '20:00', to: '06:00'}}], rules: [" + rules + "]");
  }

  private static TriedWorkload tried(String rules) throws InterruptedException {
    Workload workload = Workload.named("ml", "w");
    V1PodTemplateSpec template =
        new V1PodTemplateSpec()
            .metadata(new V1ObjectMeta().labels(Map.of("app", "a", "template", "b")));
    return PolicyTrial.of(rules(rules))
        .on(
            workload.withSpec(
                workload.spec().withPodSets(List.of(new PodSet("main", template, 2, null)))),
            Map.of("tier", "a", "template", "c"),
            NOON);
  }

  @Test
  void eachRuleSaysWhatBecameOfIt() throws InterruptedException {
    TriedWorkload tried =
        tried(
            "{name: a, answer: Rejected, when: 'workload.pods > 5 && workload.priority < 1'},"
                + "{name: b, answer: Retry, when: '!windows.night', message: At night.},"
                + "{name: c, answer: Ready, when: 'true'}");

    assertThat(tried.rules())
        .containsExactly(
            new TriedRule("a", RuleState.DOES_NOT_HOLD, "workload.pods > 5 is false"),
            new TriedRule("b", RuleState.HOLDS, "answers Retry"),
            new TriedRule("c", RuleState.NOT_ASKED, "b before it answers"));
    assertThat(tried.sound()).isTrue();
    assertThat(tried.entry())
        .isEqualTo(
            AdmissionCheckState.pending("house", NOON)
                .withState(CheckState.RETRY)
                .withRequeueAfterSeconds(9 * 3600)
                .withMessage(
                    "Rule b: At night. It can be let through from 2026-11-26 20:00 UTC on. Asking"
                        + " again in 9 h."));
    assertThat(tried.windows()).containsExactly(Map.entry("night", false));
  }

  @Test
  void noRuleIsAskedAfterOneThatFails() throws InterruptedException {
    TriedWorkload tried =
        tried(
            "{name: a, answer: Ready, when: \"workload.labels['team'] == 'a'\"},"
                + "{name: b, answer: Ready, when: 'true'}");

    assertThat(tried.rules())
        .containsExactly(
            new TriedRule(
                "a",
                RuleState.FAILED,
                "spec.rules[0] (a).when: a key or field isn't there (at its character 15)"),
            new TriedRule("b", RuleState.NOT_ASKED, "a before it can't be evaluated"));
    assertThat(tried.sound()).isFalse();
    assertThat(tried.entry().state()).isEqualTo(CheckState.RETRY);
    assertThat(tried.entry().requeueAfterSeconds()).isEqualTo(60);
  }

  @Test
  void whatItSaidOfTheWorkloadBeforeCountsNoMore() throws InterruptedException {
    Workload workload = Workload.named("ml", "w");
    AdmissionCheckState refused =
        AdmissionCheckState.pending("house", NOON.minusSeconds(60))
            .withState(CheckState.RETRY)
            .withRequeueAfterSeconds(3600)
            .withRetryCount(3);

    assertThat(
            PolicyTrial.of(rules("{name: a, answer: Ready, when: 'true'}"))
                .on(
                    workload.withStatus(workload.status().withAdmissionCheck(refused)),
                    Map.of(),
                    NOON)
                .entry())
        .isEqualTo(
            AdmissionCheckState.pending("house", NOON)
                .withState(CheckState.READY)
                .withMessage("Rule a holds."));
  }

  /** What is in brackets, in a text or in a macro isn't taken apart. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          windows.night                                               ; ``
          !windows.night && windows.night                             ; windows.night is false
          windows.night && workload.pods > 5 && workload.pods > 1     ; windows.night and workload.pods > 5 are false
          workload.pods > 1 && (windows.night && workload.pods > 5)   ; (windows.night && workload.pods > 5) is false
          (workload.pods > 1 && windows.night) && workload.pods > 1   ; (workload.pods > 1 && windows.night) is false
          workload.namespace == 'ä&&b' && workload.pods > 1           ; workload.namespace == 'ä&&b' is false
          workload.podSets.exists(p, p.count > 1 && p.count > 5) && !windows.night ; workload.podSets.exists(p, p.count > 1 && p.count > 5) is false
          workload.labels['a'] == 'b' && workload.pods > 5            ; workload.pods > 5 is false
          windows.night || workload.pods > 5 && !windows.night        ; ``
          windows.night ? true : workload.pods > 5 && !windows.night  ; ``
          """)
  void whatIsFalseOfARuleIsNamed(String when, String why) throws InterruptedException {
    assertThat(tried("{name: a, answer: Ready, when: \"" + when + "\"}").rules())
        .containsExactly(new TriedRule("a", RuleState.DOES_NOT_HOLD, why));
  }

  @Test
  void whatRulesKnowIsShownWithoutTemplates() throws InterruptedException {
    TriedWorkload tried = tried("{name: a, answer: Ready, when: 'true'}");

    assertThat(tried.facts().get("namespaceLabels"))
        .isEqualTo(Map.of("tier", "a", "template", "c"));
    assertThat(tried.facts().get("workload"))
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
        .containsEntry("namespace", "ml")
        .containsEntry("pods", 2L)
        .containsEntry(
            "podSets",
            List.of(
                Map.of(
                    "name", "main",
                    "count", 2L,
                    "labels", Map.of("app", "a", "template", "b"),
                    "annotations", Map.of(),
                    "requests", Map.of(),
                    "flavors", Map.of())));
  }

  @Test
  void eachWrongExpressionIsNamed() {
    CustomResource<PolicyCheckSpec> object =
        rules(
            "{name: a, answer: Ready, when: 'windows.nigth'},"
                + "{name: b, answer: Ready, when: 'workload.pods > 0'},"
                + "{name: c, answer: Ready, when: 'workloat.pods > 0'}");

    assertThat(PolicyTrial.problems(object).stream().map(Throwable::getMessage).toList())
        .satisfiesExactly(
            first ->
                assertThat(first)
                    .startsWith("spec.rules[0] (a).when is 'windows.nigth': undefined field")
                    .endsWith("(line 1, column 8), did you mean 'night'?"),
            second ->
                assertThat(second)
                    .startsWith("spec.rules[2] (c).when is 'workloat.pods > 0': undeclared")
                    .endsWith(", did you mean 'workload'?"));
    assertThatThrownBy(() -> PolicyTrial.of(object))
        .isInstanceOf(InvalidFieldException.class)
        .hasMessageStartingWith("spec.rules[0]");
  }

  @Test
  void otherFieldsAreReadAsByTheController() {
    assertThat(PolicyTrial.problems(object("rules: [{name: a, answer: Ready, wen: 'true'}]")))
        .singleElement()
        .satisfies(
            problem ->
                assertThat(problem)
                    .hasMessageContaining("spec.rules[0].wen")
                    .hasMessageContaining("when"));
    assertThat(
            PolicyTrial.problems(
                object("timeZone: Berlin, rules: [{name: a, answer: Ready, when: 'true'}]")))
        .singleElement()
        .satisfies(problem -> assertThat(problem).hasMessageContaining("'Berlin'"));
    assertThat(PolicyTrial.of(rules("{name: a, answer: Ready, when: 'true'}")).remarks())
        .singleElement()
        .asString()
        .startsWith("spec.windows has night, which no rule names");
  }
}
