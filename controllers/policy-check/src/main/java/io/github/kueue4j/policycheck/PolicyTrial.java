// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.policycheck;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.policycheck.Policy.Outcome;
import io.github.kueue4j.policycheck.PolicyCheckSpec.Rule;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Guards;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.apiguardian.api.API;

/** A PolicyCheck that is tried on Workloads without a cluster, for the author of its rules. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class PolicyTrial {
  private final String name;
  private final Policy policy;

  private PolicyTrial(String name, Policy policy) {
    this.name = name;
    this.policy = policy;
  }

  /** The outcome of a rule. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public enum RuleState {
    /** It holds, and answers. */
    HOLDS("Holds"),
    /** It doesn't hold: the next one is asked. */
    DOES_NOT_HOLD("DoesNotHold"),
    /** It can't be evaluated about this Workload, so that the ones after it don't count. */
    FAILED("Failed"),
    /** One before it has answered, or failed. */
    NOT_ASKED("NotAsked");

    private final String code;

    RuleState(String code) {
      this.code = code;
    }

    /** For programs. */
    public String code() {
      return code;
    }
  }

  /**
   * The outcome of a rule, with its name.
   *
   * @param why for people: the answer, what of the rule is false, what is wrong with it, or the
   *     rule that was before it; may be empty
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public record TriedRule(String name, RuleState state, String why) {}

  /**
   * The answers of the rules about a Workload.
   *
   * @param rules in their order
   * @param entry that the controller would write, under the name of the PolicyCheck; of the delays
   *     that it may have by chance with the shortest
   * @param facts what the rules know, by the names that they have there: {@code workload}, without
   *     the templates of pods, and {@code namespaceLabels}
   * @param windows of each whether it is open
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public record TriedWorkload(
      List<TriedRule> rules,
      AdmissionCheckState entry,
      SortedMap<String, Object> facts,
      Map<String, Boolean> windows) {
    /** Whether each rule that was asked could be evaluated. */
    public boolean sound() {
      return rules.stream().noneMatch(rule -> rule.state() == RuleState.FAILED);
    }
  }

  /**
   * A trial of an object.
   *
   * @throws InvalidFieldException if it has {@link #problems}: the first of them
   */
  public static PolicyTrial of(CustomResource<PolicyCheckSpec> object) {
    object.refuseUnknownFields();
    return new PolicyTrial(object.getMetadata().getName(), Policy.of(object.spec()));
  }

  /**
   * Why the controller would not accept an object: each expression that can't be used, or else the
   * first Retry without an end; or else the first of other fields.
   */
  public static List<InvalidFieldException> problems(CustomResource<PolicyCheckSpec> object) {
    try {
      object.refuseUnknownFields();
      return Policy.problems(object.spec());
    } catch (InvalidFieldException e) {
      return List.of(e);
    }
  }

  /** The time zone of its windows. */
  public ZoneId zone() {
    return policy.spec().zone();
  }

  /** The number of its rules. */
  public int rules() {
    return policy.spec().rules().size();
  }

  /** What the controller would tell of it on the AdmissionCheck, though it is valid. */
  public List<String> remarks() {
    return PolicyCheck.remarks(policy);
  }

  /**
   * Tries it, as if it were asked about the Workload for the first time.
   *
   * @param workload with the quota that it holds, if rules are to know that
   * @param namespaceLabels of the Workload's namespace
   * @param now the time at which it is asked about
   * @throws InterruptedException if the thread was interrupted before the last rule
   */
  public TriedWorkload on(Workload workload, Map<String, String> namespaceLabels, Instant now)
      throws InterruptedException {
    AdmissionCheckState asked = AdmissionCheckState.pending(name, now);
    Evaluation<Policy> evaluation =
        Evaluation.of(
            name, workload.withStatus(workload.status().withAdmissionCheck(asked)), policy, now);
    Facts facts = Facts.of(evaluation, namespaceLabels);
    return new TriedWorkload(
        rules(policy.variables(now, facts)),
        evaluation
            .entryAfter(PolicyCheck.judge(evaluation, facts), Guards.defaults())
            .orElseThrow(),
        facts.withoutTemplates(),
        policy.openWindows(now));
  }

  private List<TriedRule> rules(Map<String, Object> variables) throws InterruptedException {
    List<TriedRule> tried = new ArrayList<>();
    String before = "";
    for (int i = 0; i < policy.spec().rules().size(); i++) {
      Rule rule = policy.spec().rules().get(i);
      if (!before.isEmpty()) {
        tried.add(new TriedRule(rule.name(), RuleState.NOT_ASKED, before));
        continue;
      }
      switch (policy.ofRule(i, variables)) {
        case Outcome.NoneHolds none ->
            tried.add(
                new TriedRule(
                    rule.name(),
                    RuleState.DOES_NOT_HOLD,
                    falseParts(rule, policy.falseParts(i, variables))));
        case Outcome.Answered answered -> {
          tried.add(new TriedRule(rule.name(), RuleState.HOLDS, "answers " + rule.answer().word()));
          before = rule.name() + " before it answers";
        }
        case Outcome.Failed(String field, String why) -> {
          tried.add(new TriedRule(rule.name(), RuleState.FAILED, field + ": " + why));
          before = rule.name() + " before it can't be evaluated";
        }
      }
    }
    return tried;
  }

  /** Empty where that would only repeat the whole rule. */
  private static String falseParts(Rule rule, List<String> parts) {
    return parts.isEmpty() || parts.getFirst().equals(rule.when().strip())
        ? ""
        : String.join(" and ", parts) + (parts.size() == 1 ? " is false" : " are false");
  }
}
