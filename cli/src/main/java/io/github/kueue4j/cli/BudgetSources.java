// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckParametersReference;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.budget.books.BudgetLedger;
import io.github.kueue4j.budget.books.LedgerName;
import io.github.kueue4j.budget.policy.BudgetPolicySpec;
import io.github.kueue4j.budget.policy.BudgetSpec;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.budget.report.BudgetReport;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The budgets as the check has booked them in a cluster.
 *
 * @param notes hears of what can't be read
 */
record BudgetSources(KubernetesApi api, Consumer<String> notes) {

  /** A policy and its ledgers. */
  record OfPolicy(Policy policy, List<BudgetReport.Source> ledgers) {}

  /** Refuses a cluster without the kinds. */
  BudgetSources {
    if (!api.serves(Policy.POLICIES)) {
      throw new UserError(
          "the cluster does not serve "
              + Policy.POLICIES.qualifiedName()
              + "; the chart admission-checks installs it, or 'crds --for budget | kubectl apply -f -'");
    }
  }

  List<OfPolicy> all() {
    List<CustomResource<BudgetPolicySpec>> policies =
        api.list(Policy.POLICIES, ListOptions.all()).items();
    if (policies.isEmpty()) {
      throw new UserError("the cluster has no BudgetPolicy, so nothing is booked: create one");
    }
    return ofLedgers(policies.stream().map(BudgetSources::read).toList());
  }

  OfPolicy ofCheck(String name) {
    AdmissionCheck check =
        api.get(KueueTypes.ADMISSION_CHECK, ObjectKey.cluster(name))
            .orElseThrow(
                () ->
                    new UserError(
                        "there is no AdmissionCheck '"
                            + name
                            + "'; 'kubectl get admissionchecks' lists them"));
    @Nullable AdmissionCheckParametersReference parameters = check.spec().parameters();
    if (parameters == null || !parameters.kind().equals(Policy.POLICIES.kind())) {
      throw new UserError(
          "the AdmissionCheck '"
              + name
              + "' has no BudgetPolicy as its parameters; name one of controller kueue4j.io/budget");
    }
    return ofLedgers(List.of(policy(parameters.name(), "AdmissionCheck '" + name + "'")))
        .getFirst();
  }

  OfPolicy ofBudget(String text) {
    String[] parts = text.split("/", -1);
    if (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
      throw new UserError("--budget is '" + text + "': write NAMESPACE/NAME");
    }
    BudgetSpec budget =
        api.get(Policy.BUDGETS, new ObjectKey(parts[0], parts[1]))
            .map(found -> spec(found))
            .orElseThrow(
                () ->
                    new UserError(
                        "there is no Budget '%s'; 'kubectl get budgets -n %s' lists them"
                            .formatted(text, parts[0])));
    Policy policy = policy(budget.policy(), "Budget '" + text + "'");
    List<CustomResource<BudgetSpec>> budgets =
        api.list(Policy.BUDGETS, ListOptions.inNamespace(parts[0])).items();
    LedgerName name = new LedgerName(policy.name(), parts[0]);
    return new OfPolicy(
        policy,
        api.get(BudgetLedger.TYPE, name.key()).stream()
            .map(ledger -> source(policy, name, ledger, budget.localQueue().orElse(""), budgets))
            .toList());
  }

  private List<OfPolicy> ofLedgers(List<Policy> policies) {
    List<CustomResource<BudgetSpec>> budgets = api.list(Policy.BUDGETS, ListOptions.all()).items();
    List<BudgetLedger> ledgers = api.list(BudgetLedger.TYPE, ListOptions.all()).items();
    return policies.stream()
        .sorted(Comparator.comparing(Policy::name))
        .map(
            policy -> {
              List<BudgetReport.Source> sources = new ArrayList<>();
              for (BudgetLedger ledger : ledgers) {
                LedgerName.of(ObjectKey.of(ledger))
                    .filter(name -> name.policy().equals(policy.name()))
                    .ifPresent(name -> sources.add(source(policy, name, ledger, "", budgets)));
              }
              return new OfPolicy(policy, sources);
            })
        .toList();
  }

  private BudgetReport.Source source(
      Policy policy,
      LedgerName name,
      BudgetLedger ledger,
      String queue,
      Collection<CustomResource<BudgetSpec>> budgets) {
    List<BudgetSpec> own = new ArrayList<>();
    for (CustomResource<BudgetSpec> budget : budgets) {
      if (ObjectKey.of(budget).namespace().equals(name.namespace())
          && Policy.namedBy(budget).filter(policy.name()::equals).isPresent()) {
        try {
          own.add(budget.spec());
        } catch (IllegalArgumentException e) {
          notes.accept(
              "the Budget "
                  + ObjectKey.of(budget)
                  + " can't be used, and its limit is left out: "
                  + e.getMessage());
        }
      }
    }
    return BudgetReport.Source.of(policy, ledger, queue, own);
  }

  private Policy policy(String name, String namedBy) {
    return api.get(Policy.POLICIES, ObjectKey.cluster(name))
        .map(BudgetSources::read)
        .orElseThrow(
            () ->
                new UserError(
                    "there is no BudgetPolicy '%s', which the %s names; 'kubectl get budgetpolicies' lists them"
                        .formatted(name, namedBy)));
  }

  private static Policy read(CustomResource<BudgetPolicySpec> object) {
    try {
      return Policy.of(object);
    } catch (IllegalArgumentException e) {
      throw new UserError(
          "the BudgetPolicy '"
              + object.getMetadata().getName()
              + "' can't be used: "
              + e.getMessage(),
          e);
    }
  }

  private static BudgetSpec spec(CustomResource<BudgetSpec> object) {
    try {
      return object.spec();
    } catch (IllegalArgumentException e) {
      throw new UserError(
          "the Budget " + ObjectKey.of(object) + " can't be used: " + e.getMessage(), e);
    }
  }
}
