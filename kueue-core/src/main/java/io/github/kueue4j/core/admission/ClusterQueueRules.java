// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.admission;

import io.github.kueue4j.api.AdmissionCheckStrategyRule;
import io.github.kueue4j.api.AdmissionChecksStrategy;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.Cohort;
import io.github.kueue4j.api.CohortSpec;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ResourceGroup;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1LabelSelectorRequirement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rules for ClusterQueues, Cohorts and LocalQueues beyond their schemas. */
final class ClusterQueueRules {
  private static final Set<String> WITH_VALUES = Set.of("In", "NotIn");
  private static final Set<String> WITHOUT_VALUES = Set.of("Exists", "DoesNotExist");

  private ClusterQueueRules() {}

  static List<Violation> of(ClusterQueue queue) {
    ClusterQueueSpec spec = queue.spec();
    Findings findings = new Findings();
    new QuotaRules(findings, true, named(spec.cohortName())).groups(spec.resourceGroups());
    selector(findings, spec.namespaceSelector());
    QuotaRules.weight(findings, spec.fairSharing());
    findings.add(strategy(queue));
    return findings.all();
  }

  static List<Violation> of(Cohort cohort) {
    CohortSpec spec = cohort.spec();
    Findings findings = new Findings();
    new QuotaRules(findings, false, named(spec.parentName())).groups(spec.resourceGroups());
    QuotaRules.weight(findings, spec.fairSharing());
    return findings.all();
  }

  static List<Violation> of(LocalQueue queue) {
    Findings findings = new Findings();
    QuotaRules.weight(findings, queue.spec().fairSharing());
    return findings.all();
  }

  /** Checks may be limited only to flavors of the queue. */
  static List<Violation> strategy(ClusterQueue queue) {
    AdmissionChecksStrategy strategy = queue.spec().admissionChecksStrategy();
    if (strategy == null) {
      return List.of();
    }
    Findings findings = new Findings();
    Set<String> flavors =
        queue.spec().resourceGroups().stream()
            .map(ResourceGroup::flavors)
            .flatMap(List::stream)
            .map(flavor -> flavor.name())
            .collect(Collectors.toSet());
    List<AdmissionCheckStrategyRule> rules = strategy.admissionChecks();
    for (int i = 0; i < rules.size(); i++) {
      List<String> named = rules.get(i).onFlavors();
      for (int j = 0; j < named.size(); j++) {
        if (!flavors.contains(named.get(j))) {
          findings.notSupported(
              "spec.admissionChecksStrategy.admissionChecks[" + i + "].onFlavors[" + j + "]",
              named.get(j),
              flavors,
              "flavor of this ClusterQueue");
        }
      }
    }
    return findings.all();
  }

  private static void selector(Findings findings, @Nullable V1LabelSelector selector) {
    if (selector == null) {
      return;
    }
    String path = "spec.namespaceSelector";
    Syntax.labels(
        findings,
        path + ".matchLabels",
        Objects.requireNonNullElse(selector.getMatchLabels(), Map.of()));
    List<V1LabelSelectorRequirement> requirements =
        Objects.requireNonNullElse(selector.getMatchExpressions(), List.of());
    for (int i = 0; i < requirements.size(); i++) {
      requirement(findings, path + ".matchExpressions[" + i + "]", requirements.get(i));
    }
  }

  private static void requirement(
      Findings findings, String path, V1LabelSelectorRequirement requirement) {
    String key = Objects.requireNonNullElse(requirement.getKey(), "");
    String operator = Objects.requireNonNullElse(requirement.getOperator(), "");
    List<String> values = Objects.requireNonNullElse(requirement.getValues(), List.of());
    findings.invalid(path + ".key", key, Syntax.qualifiedName(key));
    if (WITH_VALUES.contains(operator) && values.isEmpty()) {
      findings.required(path + ".values", "must be given with the operator " + operator);
    } else if (WITHOUT_VALUES.contains(operator) && !values.isEmpty()) {
      findings.forbidden(path + ".values", "remove them, the operator is " + operator);
    } else if (!WITH_VALUES.contains(operator) && !WITHOUT_VALUES.contains(operator)) {
      findings.notSupported(
          path + ".operator",
          operator,
          Set.of("In", "NotIn", "Exists", "DoesNotExist"),
          "operator");
    }
    for (int i = 0; i < values.size(); i++) {
      findings.invalid(
          path + ".values[" + i + "]", values.get(i), Syntax.labelValue(values.get(i)));
    }
  }

  private static boolean named(@Nullable String name) {
    return name != null && !name.isEmpty();
  }
}
