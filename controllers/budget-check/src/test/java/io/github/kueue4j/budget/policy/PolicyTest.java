// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.ledger.Limit;
import io.github.kueue4j.budget.ledger.Terms;
import io.github.kueue4j.sdk.AssignedFlavor;
import io.github.kueue4j.sdk.AssignedPodSet;
import io.github.kueue4j.sdk.Circumstances;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyTest {
  private static final Circumstances AT =
      new Circumstances(Duration.ofSeconds(30), Optional.empty(), Set::of, () -> Set.of("h100"));

  private static final String DAILY = "'window': {'type': 'Daily'}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'limit': '1e60000000', 'window': {'type': 'Daily'} | spec.limit is '1e60000000': write a",
        "'limit': 1e60000000, 'window': {'type': 'Daily'} | spec.limit is '1e60000000': write a",
        "'limit': '1e13', 'window': {'type': 'Daily'} | spec.limit is '10e12': write an amount",
        "'limit': 1, 'window': {'type': 'Hourly'} | spec.window.type is 'Hourly': write one of",
        "'limit': 1, 'window': {'type': 'Daily', 'timeZone': 'Mars'} | spec.window.timeZone",
        "'limit': 1, 'window': {'type': 'Rolling', 'length': '5m'} | spec.window.length is 'PT5M'",
        "'limit': 1, 'window': {'type': 'Rolling'} | spec.window.length is missing",
        "'carryOver': 1, 'window': {'type': 'Rolling', 'length': '5h'} | spec.carryOver is '1'",
        "'carryOver': 1, 'per': 'LocalQueue', 'window': {'type': 'Daily'} | spec.carryOver is '1'",
        "'prices': [{'resource': 'cpu', 'price': '-1'}], 'window': {'type': 'Daily'} |"
            + " spec.prices[0].price is '-1'",
        "'prices': [{'resource': 'cpu', 'price': '1', 'per': '0'}], 'window': {'type': 'Daily'} |"
            + " spec.prices[0].per is '0'",
        "'prices': [{'resource': 'cpu', 'price': 1}, {'resource': 'cpu', 'price': 2}], 'window':"
            + " {'type': 'Daily'} | spec.prices is 'cpu': name each resource once",
        "'runtime': {'undeclared': 'Assume'}, 'window': {'type': 'Daily'} | spec.runtime.assumed",
        "'consumption': {'endpoint': {'url': 'http://p'}, 'readyMade': 'opencost-cost', 'fresh':"
            + " 'up'}, 'window': {'type': 'Daily'} | spec.consumption.fresh is 'up': leave it out",
        "'consumption': {'endpoint': {'url': 'http://p'}, 'query': 'x', 'fresh': 'x{{pods}}'},"
            + " 'window': {'type': 'Daily'} | spec.consumption.fresh is 'x{{pods}}': ",
        "'consumption': {'endpoint': {'url': 'http://p'}, 'query': 'x', 'fresh':"
            + " 'x{q=`{{queue}}`}'}, 'window': {'type': 'Daily'} | spec.consumption.fresh is 'x{q=",
        "'consumption': {'endpoint': {'url': 'http://p'}, 'query': 'x', 'http': {'url': 'http://c'}},"
            + " 'window': {'type': 'Daily'} | spec.consumption.http is 'given together",
        "'consumption': {'query': 'x'}, 'window': {'type': 'Daily'} | spec.consumption.http is missing",
        "'accounting': {'userLabel': 'example.com/'}, 'window': {'type': 'Daily'} |"
            + " spec.accounting.userLabel is 'example.com/': write the key of a label",
        "'accounting': {'userLabel': 'a user'}, 'window': {'type': 'Daily'} |"
            + " spec.accounting.userLabel is 'a user': write the key of a label",
        "'accounting': {'userLabel': 'example.com/user'}, 'window': {'type': 'Rolling', 'length': '5h'}"
            + " | spec.accounting.userLabel is 'example.com/user': leave it out, or use a Daily",
        "'consumption': {'http': {'url': 'http://c'}, 'query': 'x'}, 'window': {'type': 'Daily'} |"
            + " spec.consumption.query is 'x': leave it out",
        "'consumption': {'http': {'url': 'http://c'}, 'fresh': 'up'}, 'window': {'type': 'Daily'} |"
            + " spec.consumption.fresh is 'up': leave it out",
        "'consumption': {'http': {'url': 'http://c'}, 'maxAge': '25h'}, 'window': {'type': 'Daily'} |"
            + " spec.consumption.maxAge is 'PT25H': write a",
        "'consumption': {'endpoint': {'url': 'http://p'}, 'query': 'x', 'maxAge': '5m'}, 'window':"
            + " {'type': 'Daily'} | spec.consumption.maxAge is 'PT5M': leave it out",
        "'consumption': {'endpoint': {'url': 'http://p'}, 'query': 'x', 'unavailable': {}}, 'window':"
            + " {'type': 'Daily'}, 'failurePolicy': 'Open' | spec.consumption.unavailable is 'given",
        "'consumption': {'http': {'url': 'http://c', 'ca': {'value': 'x'}}}, 'window': {'type':"
            + " 'Daily'} | spec.consumption.http.url is 'http://c': begin url with https://, or",
      })
  void whatMakesNoSenseIsNamed(String spec, String message) {
    assertThatThrownBy(() -> policy(spec)).hasMessageStartingWith(message.strip());
  }

  @Test
  void namespacesAreSelectedByTheirLabels() {
    Policy policy =
        policy(
            DAILY
                + ", 'namespaceSelector': {'matchLabels': {'team': 'a'}, 'matchExpressions':"
                + " [{'key': 'free', 'operator': 'DoesNotExist'}]}");

    assertThat(policy.selects(Map.of("team", "a", "x", "y"))).isTrue();
    assertThat(policy.selects(Map.of("team", "b"))).isFalse();
    assertThat(policy.selects(Map.of("team", "a", "free", ""))).isFalse();
    assertThat(policy(DAILY).selects(Map.of())).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"Ignore, 100", "Lower, 100", "Override, 500"})
  void aHigherBudgetCountsOnlyWhereItMayOverride(String budgets, long limit) {
    Policy policy = policy(DAILY + ", 'limit': 100, 'budgets': '" + budgets + "'");

    assertThat(policy.terms(List.of(budget(null, 500))).orElseThrow().limits())
        .containsExactly(Limit.ofNamespace(Amount.units(limit)));
  }

  @Test
  void aLowerBudgetCountsAndOfSeveralTheLowest() {
    Policy policy = policy(DAILY + ", 'limit': 100, 'budgets': 'Lower'");

    assertThat(
            policy
                .terms(List.of(budget(null, 70), budget(null, 50), budget("q", 20)))
                .orElseThrow()
                .limits())
        .containsExactly(Limit.ofNamespace(Amount.units(50)), new Limit("q", Amount.units(20)));
  }

  @Test
  void perLocalQueueTheLimitIsThatOfEach() {
    Policy policy = policy(DAILY + ", 'limit': 100, 'per': 'LocalQueue', 'budgets': 'Override'");

    Terms terms = policy.terms(List.of(budget("q", 20))).orElseThrow();

    assertThat(terms.concerning("q")).containsExactly(new Limit("q", Amount.units(20)));
    assertThat(terms.concerning("r")).containsExactly(new Limit("r", Amount.units(100)));
  }

  @Test
  void withoutAnyLimitThereAreNoTerms() {
    assertThat(policy(DAILY).terms(List.of(budget(null, 5)))).isEmpty();
    assertThat(policy(DAILY + ", 'budgets': 'Lower'").terms(List.of(budget(null, 5)))).isPresent();
  }

  @Test
  void pricesAreThoseOfTheFlavorFirst() {
    Policy policy =
        policy(
            DAILY
                + ", 'runtime': {'undeclared': 'Assume', 'assumed': '2h'}, 'prices': [{'resource':"
                + " 'cpu', 'price': 4}, {'resource': 'cpu', 'flavor': 'spot', 'price': 1},"
                + " {'resource': 'memory', 'price': 1, 'per': '1Gi'}]");

    assertThat(cost(policy, "spot")).hasToString("8");
    assertThat(cost(policy, "on-demand")).hasToString("20");
  }

  @ParameterizedTest
  @CsvSource({
    "nvidia.com/gpus, cpu nvidia.com/gpu, true",
    "nvdia.com/gpu, cpu nvidia.com/gpu, true",
    "nvidia.com/gpus, cpu, false",
    "nvidia.com/gpus, nvidia.com/gpu nvidia.com/gpus, false",
    "nvidia.com/gpus, amd.com/gpu, false",
    "nvidia.com/mig-1g.5gb, nvidia.com/mig-2g.5gb, false",
    "nvidia.com/gpus, '', false"
  })
  void aPriceOfAnotherNameThanWhatIsUsedIsTold(String priced, String used, boolean told) {
    Policy policy =
        policy(
            DAILY
                + ", 'prices': [{'resource': 'cpu', 'price': 1}, {'resource': '%s', 'price': 2}]"
                    .formatted(priced));

    List<String> doubts = policy.misspeltPrices(Set.of(used.split(" ")));

    assertThat(doubts).hasSize(told ? 1 : 0);
    assertThat(doubts)
        .allMatch(
            doubt ->
                doubt.equals(
                    "spec.prices names "
                        + priced
                        + ", which no Workload holds, and Workloads hold nvidia.com/gpu for free:"
                        + " correct the name, or add a price of nvidia.com/gpu"));
  }

  @ParameterizedTest
  @CsvSource({"endpoint, 30s, 0", "endpoint, 31s, 1", "http, 1m, 1"})
  void aTimeoutThatIsLongerThanAnEvaluationIsTold(String field, String timeout, int told) {
    Policy policy =
        policy(
            DAILY
                + ", 'consumption': {'%s': {'url': 'http://a', 'timeout': '%s'}%s}"
                    .formatted(
                        field,
                        timeout,
                        field.equals("http") ? "" : ", 'readyMade': 'kubelet-cpu-hours'"));

    assertThat(policy.remarks(AT))
        .hasSize(told)
        .allMatch(remark -> remark.startsWith("spec.consumption." + field + ".timeout is "));
  }

  /** Beside a general price, which would be charged in silence. */
  @ParameterizedTest
  @CsvSource({"h100, 0", "h1OO, 1", "a100, 1"})
  void aPriceOfAFlavorThatDoesNotExistIsTold(String flavor, int told) {
    Policy policy =
        policy(
            DAILY
                + ", 'prices': [{'resource': 'gpu', 'price': 1}, {'resource': 'gpu', 'flavor': '%s',"
                    .formatted(flavor)
                + " 'price': 5}]");

    assertThat(policy.remarks(AT))
        .hasSize(told)
        .allMatch(
            remark ->
                remark.equals(
                    "spec.prices names "
                        + flavor
                        + ", and there is no such ResourceFlavor: write h100, or create it"));
  }

  @Test
  void aPriceThatIsMissingInAFlavorIsNoPriceOfZero() {
    Policy policy =
        policy(DAILY + ", 'prices': [{'resource': 'cpu', 'flavor': 'spot', 'price': 1}]");

    assertThat(quote(policy, workload(3600, Map.of()), "on-demand", Map.of()))
        .isEqualTo(
            new Quote.Undecidable(
                false,
                "The BudgetPolicy 'daily' has no price of cpu in the flavor 'on-demand': add one to"
                    + " its spec.prices, or one without a flavor."));
  }

  @ParameterizedTest
  @CsvSource({"90m, 5400", "1h0.5s, 3601", "-1h, 0", "soon, 0", "1000000h, 0"})
  void anAnnotationDeclaresTheRuntimeWhereThePolicyBelievesIt(String text, long seconds) {
    Policy policy = policy(DAILY + ", 'runtime': {'annotation': 'example.com/takes'}");
    Map<String, String> annotations = Map.of("example.com/takes", text);

    for (Quote quote :
        List.of(
            quote(policy, workload(null, annotations), "f", Map.of()),
            quote(policy, workload(null, Map.of()), "f", annotations))) {
      if (seconds == 0) {
        assertThat(quote).isInstanceOf(Quote.Undecidable.class);
        assertThat(quote.toString()).contains("'" + text + "': write a positive duration");
      } else {
        assertThat(((Quote.Priced) quote).runtime()).isEqualTo(Duration.ofSeconds(seconds));
      }
    }
    assertThat(quote(policy(DAILY), workload(null, annotations), "f", annotations))
        .isInstanceOf(Quote.Undecidable.class);
  }

  @Test
  void ofTheEnforcedTimeWhatHasRunAlreadyIsNotChargedAgain() {
    Workload workload = workload(7200, Map.of());
    Workload again =
        workload.withStatus(workload.status().withAccumulatedPastExecutionTimeSeconds(5000));

    Quote.Priced quote = (Quote.Priced) quote(policy(DAILY), again, "f", Map.of());

    assertThat(quote.runtime()).isEqualTo(Duration.ofSeconds(2200));
  }

  @Test
  void oneThatDeclaresNothingIsToldHowTo() {
    assertThat(quote(policy(DAILY), workload(null, Map.of()), "f", Map.of()).toString())
        .contains("forEver=true")
        .contains("set the label kueue.x-k8s.io/max-exec-time-seconds of the Job");
    Policy open = policy(DAILY + ", 'runtime': {'undeclared': 'ChargeAsItRuns'}");
    assertThat(((Quote.Priced) quote(open, workload(null, Map.of()), "f", Map.of())).runtime())
        .isZero();
  }

  private static Amount cost(Policy policy, String flavor) {
    Quote.Priced quote = (Quote.Priced) quote(policy, workload(null, Map.of()), flavor, Map.of());
    return quote.rate().during(quote.runtime());
  }

  private static Quote quote(
      Policy policy, Workload workload, String flavor, Map<String, String> podAnnotations) {
    AssignedFlavor assigned = new AssignedFlavor(flavor, Map.of(), List.of());
    return Quote.of(
        policy,
        workload,
        List.of(
            new AssignedPodSet(
                "main",
                1,
                new V1PodTemplateSpec().metadata(new V1ObjectMeta().annotations(podAnnotations)),
                Map.of("cpu", Quantity.of(2), "memory", Quantity.parse("2Gi")),
                Map.of("cpu", assigned, "memory", assigned))));
  }

  private static Workload workload(@Nullable Integer seconds, Map<String, String> annotations) {
    Workload workload = Workload.named("team-a", "w");
    workload.metadata().setAnnotations(annotations);
    return workload.withSpec(workload.spec().withMaximumExecutionTimeSeconds(seconds));
  }

  private static BudgetSpec budget(@Nullable String queue, long limit) {
    return new BudgetSpec("daily", Optional.ofNullable(queue), Quantity.of(limit));
  }

  private static Policy policy(String spec) {
    CustomResource<BudgetPolicySpec> object =
        KueueJson.fromTree(
            com.google.gson.JsonParser.parseString(
                ("{'apiVersion': 'checks.kueue4j.io/v1alpha1', 'kind': 'BudgetPolicy', 'metadata':"
                        + " {'name': 'daily'}, 'spec': {"
                        + spec
                        + "}}")
                    .replace('\'', '"')),
            Policy.POLICIES);
    return Policy.of(object);
  }
}
