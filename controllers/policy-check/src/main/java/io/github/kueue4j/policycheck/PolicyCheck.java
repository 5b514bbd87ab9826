// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.policycheck;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.policycheck.Policy.EndOfWait;
import io.github.kueue4j.policycheck.Policy.Outcome;
import io.github.kueue4j.policycheck.PolicyCheckSpec.Rule;
import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Circumstances;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.objects.Watch;
import io.github.kueue4j.sdk.objects.Watched;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** Lets the rules of a PolicyCheck decide which Workloads may start. The package says how. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class PolicyCheck implements Check<Policy> {

  /** The kind of its parameters. */
  public static final ResourceType<CustomResource<PolicyCheckSpec>> TYPE =
      ResourceType.clusterScoped(
          "checks.kueue4j.io/v1alpha1", "PolicyCheck", PolicyCheckSpec.class);

  /** What AdmissionChecks name as their controller, unless it is run under another name. */
  public static final String CONTROLLER_NAME = "kueue4j.io/policy";

  private static final Reason NOT_NOW = Reason.of("RuleSaysRetry");
  private static final Reason NEVER = Reason.of("RuleSaysRejected");
  private static final Reason FAILED = Reason.of("RuleFailed");

  /** A corrected rule ends it, so that this is for Workloads that are corrected. */
  private static final Backoff AFTER_FAILURE =
      Backoff.exponential(Duration.ofMinutes(1), 2).atMost(Duration.ofHours(1));

  private static final Duration NAMESPACE_SOON = Duration.ofSeconds(5);

  private static final DateTimeFormatter MINUTES =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm VV", Locale.ROOT);

  /** How messages name a rule: one that holds, and one that can't be evaluated. */
  private static final Pattern RULE =
      Pattern.compile(
          "Rule ([-a-z0-9]+)(?:: | holds[.]).*|spec[.]rules\\[[0-9]+\\] [(]([-a-z0-9]+)[)][.]when .*",
          Pattern.DOTALL);

  private final Watched<V1Namespace> namespaces;

  PolicyCheck(Watched<V1Namespace> namespaces) {
    this.namespaces = namespaces;
  }

  /** The check as a controller that can still be changed, for example to serve metrics. */
  public static CheckController.Builder builder(
      CheckEnvironment environment, String controllerName) {
    CheckController.Builder controller = CheckController.builder(controllerName, environment);
    Policies compiled = new Policies();
    return controller
        .namesDelays()
        .check(
            Parameters.of(TYPE, compiled::of).reportingStatus(),
            new PolicyCheck(
                controller.watch(
                    Watch.of(CoreTypes.NAMESPACE).trimmed(PolicyCheck::labelsOnly).quietly())));
  }

  /** The check as a controller, not yet started. */
  public static CheckController controller(CheckEnvironment environment, String controllerName) {
    return builder(environment, controllerName).build();
  }

  /** The rule that a message of this check is about; empty if no rule held. */
  public static Optional<String> ruleIn(String message) {
    Matcher rule = RULE.matcher(message);
    return rule.matches()
        ? Optional.ofNullable(rule.group(1)).or(() -> Optional.ofNullable(rule.group(2)))
        : Optional.empty();
  }

  /** The definition of the kind of its parameters, as YAML. */
  public static List<String> crds() {
    return Crds.beside(PolicyCheck.class, TYPE);
  }

  private static V1Namespace labelsOnly(V1Namespace namespace) {
    V1ObjectMeta all = Objects.requireNonNull(namespace.getMetadata());
    return new V1Namespace()
        .metadata(
            new V1ObjectMeta()
                .name(all.getName())
                .uid(all.getUid())
                .resourceVersion(all.getResourceVersion())
                .labels(all.getLabels()));
  }

  @Override
  public Verdict evaluate(Evaluation<Policy> evaluation) throws InterruptedException {
    Optional<V1Namespace> namespace = namespaces.get(ObjectKey.cluster(evaluation.namespace()));
    if (namespace.isEmpty()) {
      // Without its labels a rule could reject by mistake.
      return Verdict.pending("The namespace has not been seen yet.", NAMESPACE_SOON);
    }
    Map<String, String> labels =
        Objects.requireNonNullElse(
            Objects.requireNonNull(namespace.get().getMetadata()).getLabels(), Map.of());
    return judge(evaluation, Facts.of(evaluation, labels));
  }

  /** An evaluation has no effects. */
  @Override
  public Optional<Verdict> dryEvaluate(Evaluation<Policy> evaluation) throws InterruptedException {
    return Optional.of(evaluate(evaluation));
  }

  /** Pure. */
  static Verdict judge(Evaluation<Policy> evaluation, Facts facts) throws InterruptedException {
    Policy policy = evaluation.parameters();
    return switch (policy.at(evaluation.now(), facts)) {
      case Outcome.NoneHolds none -> Verdict.ready("No rule of the PolicyCheck holds.");
      case Outcome.Answered(Rule rule) ->
          switch (rule.answer()) {
            case READY -> Verdict.ready(message(rule));
            case REJECTED -> Verdict.rejected(NEVER, message(rule));
            case RETRY -> retry(evaluation, facts, rule);
          };
      case Outcome.Failed(String field, String why) ->
          Verdict.retry(
              FAILED,
              "%s is to be corrected, for example to ask whether a key is there before its value: it"
                      .formatted(field)
                  + " can't be evaluated for this Workload, since %s. Asking again in {delay}."
                      .formatted(why),
              AFTER_FAILURE);
    };
  }

  /** It ends when the time changes the answer, or after the rule's delay if that is sooner. */
  private static Verdict retry(Evaluation<Policy> evaluation, Facts facts, Rule rule)
      throws InterruptedException {
    Policy policy = evaluation.parameters();
    Optional<EndOfWait> end = policy.endOfWait(evaluation.now(), facts);
    Optional<Backoff> untilThen =
        end.map(then -> Backoff.until(then.at()).atMost(PolicyCheckSpec.LONGEST));
    return Verdict.retry(
        NOT_NOW,
        message(rule)
            + end.filter(EndOfWait::opens)
                .map(then -> " It can be let through from " + text(policy, then.at()) + " on.")
                .orElse("")
            + " Asking again in {delay}.",
        rule.delay()
            .map(delay -> atMost(delay, untilThen))
            .or(() -> untilThen)
            .orElseGet(() -> Backoff.fixed(PolicyCheckSpec.LONGEST)));
  }

  /** Chance doesn't lengthen the delay. */
  private static Backoff atMost(Duration delay, Optional<Backoff> untilThen) {
    Backoff own = Backoff.fixed(delay);
    return untilThen.map(first -> Backoff.earliest(first, own)).orElse(own).atMost(delay);
  }

  private static String text(Policy policy, Instant moment) {
    return MINUTES.format(moment.atZone(policy.spec().zone()));
  }

  @Override
  public List<String> remarks(Policy policy, Circumstances at) {
    return remarks(policy);
  }

  static List<String> remarks(Policy policy) {
    return policy.unusedWindows().stream()
        .map(name -> "spec.windows has " + name + ", which no rule names: name it, or leave it out")
        .toList();
  }

  private static String message(Rule rule) {
    String text = rule.message().map(message -> ": " + message).orElse(" holds.");
    return "Rule " + rule.name() + text + (text.matches("(?s).*[.!?]") ? "" : ".");
  }
}
