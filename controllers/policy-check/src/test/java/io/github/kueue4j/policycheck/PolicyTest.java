// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.policycheck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cel.common.values.CelValue;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.AssignedFlavor;
import io.github.kueue4j.sdk.AssignedPodSet;
import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.fixture.Evaluations;
import io.github.kueue4j.sdk.fixture.FakeObjects;
import io.github.kueue4j.sdk.fixture.ServerAndReader;
import io.github.kueue4j.testdefaults.Checkout;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

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

  private static Verdict judge(Policy policy, Instant now) throws InterruptedException {
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
          workload.priority + 1 == 1 && workload.requests.of('cpu') + 1.0 > 64.0 ; true
          workload.podSets.filter(p, p.count > 3).size() == 1                  ; true
          workload.podSets.exists_one(p, p.count == 4)                         ; true
          workload.labels.exists(name, workload.labels[name] == 'physics')     ; true
          workload.labels == {'team': 'physics'} && workload.labels.size() == 1 ; true
          optional.of(workload.priority).optMap(n, n + 1).orValue(0) == 1      ; true
          'spec' in workload.podSets[0].template && workload.podSets[0].template.?spec.?nodeName.orValue('n') == 'n' ; true
          workload.podSets[0].template.spec.containers.filter(c, c.name == 'c').size() == 1 ; true
          workload.namespace.matches('^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$')      ; true
          workload.namespace.upperAscii().trim().split('L').size() == 2        ; true
          workload.podSets.exists(p, p.flavors[?'cpu'].orValue('') == 'spot')  ; true
          workload.podSets.all(p, p.labels['app'].startsWith('a'))             ; true
          workload.podSets.all(p, p.template.spec.containers.all(c, c.image.startsWith('registry.example.com/'))) ; true
          workload.podSets.exists(p, has(p.template.spec.hostNetwork) && p.template.spec.hostNetwork) ; false
          workload.podSets.exists(p, p.template.spec.containers.exists(c, amount(string(c.?resources.?requests.?memory.orValue('0'))) > amount('64Gi'))) ; false
          workload.podSets.all(p, p.template.spec.?initContainers.orValue([]).all(c, c.image == '')) ; true
          namespaceLabels['kubernetes.io/metadata.name'] == 'ml'               ; true
          windows.night || windows.weekend || windows.freeze                   ; false
          """)
  void aRuleKnowsTheWorkload(String expression, boolean holds) throws InterruptedException {
    assertThat(judge(when(expression), NOON))
        .isInstanceOf(holds ? Verdict.Rejected.class : Verdict.Ready.class);
  }

  @Test
  void theFirstRuleThatHoldsAnswers() throws InterruptedException {
    String rules =
        "{name: a, answer: Ready, when: 'workload.priority > 0'},"
            + "{name: b, answer: Rejected, when: 'true', message: Write a label},"
            + "{name: c, answer: Ready, when: 'true'}";

    assertThat(judge(policy(rules), NOON))
        .isInstanceOfSatisfying(
            Verdict.Rejected.class,
            rejected -> assertThat(rejected.message()).isEqualTo("Rule b: Write a label."));
  }

  /** So that a report can count by rules. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          answer: Ready, when: 'true'                              ; a-1
          answer: Rejected, when: 'true', message: 'See: Rule b'   ; a-1
          answer: Retry, when: '!windows.night', message: Wait     ; a-1
          answer: Ready, when: "workload.labels['tema'] == 'a'"    ; a-1
          answer: Ready, when: 'false'                             ;
          """)
  void aMessageNamesTheRule(String fields, @Nullable String rule) throws InterruptedException {
    String message =
        switch (judge(policy("{name: a-1, " + fields + "}"), NOON)) {
          case Verdict.Ready ready -> ready.message();
          case Verdict.Rejected rejected -> rejected.message();
          case Verdict.Retry retry -> retry.message();
          case Verdict other -> throw new AssertionError(other);
        };

    assertThat(PolicyCheck.ruleIn(message).orElse(null)).isEqualTo(rule);
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
      Instant now, String when, @Nullable String delay, Duration expected, @Nullable String until)
      throws InterruptedException {
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

  /** A window that ends is no promise where the rules then refuse, or can't be evaluated. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          answer: Ready, when: 'true'                             ; true
          answer: Ready, when: 'false'                            ; true
          answer: Rejected, when: 'true'                          ; false
          answer: Ready, when: "workload.labels['tema'] == 'a'"   ; false
          """)
  void aWaitThatEndsInARefusalPromisesNothing(String then, boolean promised)
      throws InterruptedException {
    Policy policy =
        policy(
            "{name: one, answer: Retry, when: '!windows.night'}, {name: two, %s}".formatted(then));

    Verdict.Retry retry = Evaluations.retry(judge(policy, NOON));

    assertThat(((Delay.From) retry.delay()).backoff().nominal(0, NOON))
        .isEqualTo(Duration.ofHours(8));
    assertThat(retry.message().contains("It can be let through from")).isEqualTo(promised);
  }

  /** Chance spreads what comes back together, within what the rule says. */
  @ParameterizedTest
  @CsvSource({
    // The delay ends first, or nothing else ends it: shorter by chance.
    "2026-11-26T11:00:00Z, '!windows.night', PT24M, PT30M",
    "2026-11-26T11:00:00Z, 'true', PT24M, PT30M",
    // The window opens first: later by chance.
    "2026-11-26T18:50:00Z, '!windows.night', PT10M, PT11M",
    "2026-11-26T18:30:10Z, '!windows.night', PT29M50S, PT30M",
  })
  void aDelayIsTheLongest(Instant now, String when, Duration least, Duration most)
      throws InterruptedException {
    Policy policy = policy("{name: one, answer: Retry, delay: 30m, when: '" + when + "'}");

    Backoff backoff = ((Delay.From) Evaluations.retry(judge(policy, now)).delay()).backoff();

    assertThat(backoff.delay(0, now, () -> 0)).isEqualTo(least);
    assertThat(backoff.delay(0, now, () -> -1)).isBetween(most.minusMillis(1), most);
  }

  /** Never let through by accident: it gives its quota back, and says what to correct. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          workload.labels['tema'] == 'physics'                 ; a key or field isn't there (at its character 15)
          workload.podSets[1].count > 0                        ; a list is shorter than the index (at its character 16)
          amount('much') > 0                                   ; a function can't take a value (at its character 6)
          amount(workload.labels['team']) > 0                  ; a function can't take a value (at its character 6)
          workload.labels[workload.labels['team']] == ''       ; a key or field isn't there (at its character 15)
          workload.podSets[0].template.spec.nodeName == 'n'    ; a key or field isn't there
          int(workload.labels['team']) / workload.priority > 0 ; a function can't take a value
          workload.namespace.matches('([a-z]{100}){20}')        ; a function can't take a value
          workload.pods / workload.priority > 0                ; it divides by zero
          """)
  void aRuleThatFailsSendsBackAndSaysWhatToCorrect(String expression, String why)
      throws InterruptedException {
    Policy policy =
        policy(
            "{name: one, answer: Rejected, when: \"%s\"}, {name: two, answer: Ready, when: 'true'}"
                .formatted(expression));

    Verdict.Retry retry = Evaluations.retry(judge(policy, NOON));

    assertThat(retry.reason()).hasToString("RuleFailed");
    assertThat(retry.message())
        .startsWith("spec.rules[0] (one).when is to be corrected")
        .contains(", since " + why)
        .doesNotContain("physics")
        .hasSizeLessThan(300);
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
          answer: Ready, when: "windows == windows"           ; write windows with the name of one, as windows.NAME
          answer: Ready, when: "dyn(windows).night == true"   ; write windows with the name of one, as windows.NAME
          answer: Ready, when: "windows.?night.hasValue()"    ; write windows with the name of one, as windows.NAME
          answer: Ready, when: "workload.podSets.exists(windows, windows.count > 1)" ; write windows with the name of one
          answer: Ready, when: "workload.podSets.exists(p, p.name + p.name == '')" ; write + for numbers and times only
          answer: Ready, when: "p.name.replace('a', 'aa') == ''" ; undeclared reference to 'replace'
          answer: Ready, when: "['a', 'b'].join('-') == ''"   ; undeclared reference to 'join'
          answer: Ready, when: "strings.quote('a') == ''"     ; undeclared reference to 'quote'
          answer: Ready, when: "workload.podSets.map(p, p.name).size() > 0" ; undeclared reference to 'map'
          answer: Ready, when: "workload.podSets + workload.podSets == []" ; write + for numbers and times only
          answer: Ready, when: "workload.podSets.exists(p, p.template + p.template == 'a')" ; write + for numbers and times only
          answer: Ready, when: "workload.podSets.exists(p, [[p, p]].exists(q, [[q, q]].size() > 1))" ; write fixed values only into a list or map
          answer: Ready, when: "workload.podSets.exists(p, {'a': p}.size() > 1)" ; write fixed values only into a list or map
          answer: Ready, when: "optional.of('a').optMap(a, a + a).hasValue()" ; write + for numbers and times only
          answer: Ready, when: "optional.of('a').optMap(a, [a, a]).hasValue()" ; write fixed values only into a list or map
          answer: Retry, when: 'true'                         ; spec.rules[0] (one).delay is missing: neither this rule nor one before it names a window
          """)
  void aRuleThatMakesNoSenseIsRefused(String fields, String problem) {
    assertThatThrownBy(() -> policy("{name: one, " + fields + "}"))
        .isInstanceOf(InvalidFieldException.class)
        .hasMessageContaining(problem);
  }

  /** As if it had no labels, the first rule would reject. */
  @Test
  void aNamespaceThatHasNotBeenSeenIsWaitedFor() throws InterruptedException {
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
  void aRuleThatLooksAtTooMuchFails() throws InterruptedException {
    String ten = "[1,2,3,4,5,6,7,8,9,0]";
    String expression =
        "%1$s.all(a, %1$s.all(b, %1$s.all(c, %1$s.all(d, %1$s.all(e, a+b+c+d+e >= 0)))))"
            .formatted(ten);

    assertThat(Evaluations.retry(judge(when(expression), NOON)).message())
        .contains("it looks at more than 10,000 elements");
    assertThatThrownBy(() -> when("true" + " || true".repeat(600)))
        .hasMessageContaining("spec.rules[0] (one).when is 'true || true");
  }

  /** Of a map that is no value of CEL, each access to a field would walk over all that it holds. */
  @Test
  void whatARuleKnowsIsWalkedOverByNoAccess() {
    Map<String, Object> known =
        Facts.of(evaluation(when("true"), NOON), Map.of("tier", "a")).variables();

    assertThat(known.values()).allSatisfy(PolicyTest::isOfCel);
  }

  private static void isOfCel(Object value) {
    if (value instanceof Map<?, ?> map) {
      assertThat(value).isInstanceOf(CelValue.class);
      assertThat(map.values()).allSatisfy(PolicyTest::isOfCel);
    } else if (value instanceof List<?> list) {
      assertThat(list).allSatisfy(PolicyTest::isOfCel);
    }
  }

  /** No rule after the one that is being evaluated is asked, now or for a later time. */
  @Test
  void anEvaluationThatIsInterruptedEnds() {
    Policy policy = policy("{name: one, answer: Retry, when: '!windows.night'}");
    Facts facts = Facts.of(evaluation(policy, NOON), Map.of());

    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> policy.at(NOON, facts)).isInstanceOf(InterruptedException.class);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> policy.endOfWait(NOON, facts))
        .isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          "Go on.\\n"   ; Rule one: Go on.
          " Go on "      ; Rule one: Go on.
          " \\n"        ; Rule one holds.
          """)
  void aMessageIsStripped(String message, String said) throws InterruptedException {
    Policy policy = policy("{name: one, answer: Ready, when: 'true', message: " + message + "}");

    assertThat(judge(policy, NOON))
        .isInstanceOfSatisfying(
            Verdict.Ready.class, ready -> assertThat(ready.message()).isEqualTo(said));
  }

  @Test
  void theExamplesOfTheGuideCompile() throws IOException {
    Matcher examples =
        Pattern.compile("```yaml\n(apiVersion: checks.kueue4j.io/v1alpha1\n.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(Checkout.root().resolve("docs/guides/policy-check.md")));

    assertThat(examples.results().map(example -> example.group(1)).toList())
        .hasSize(3)
        .allSatisfy(
            yaml -> {
              Map<String, Map<String, Object>> object = new Yaml().load(yaml);
              Map<String, Object> spec = Objects.requireNonNull(object.get("spec"));
              assertThat(
                      Policy.of(
                              CustomResource.of(
                                      PolicyCheck.TYPE, new V1ObjectMeta().name("example"), spec)
                                  .spec())
                          .unusedWindows())
                  .isEmpty();
            });
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
