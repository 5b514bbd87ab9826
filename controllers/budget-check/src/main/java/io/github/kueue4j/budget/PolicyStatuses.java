// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.budget.books.BudgetLedger;
import io.github.kueue4j.budget.books.LedgerName;
import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.ledger.Limit;
import io.github.kueue4j.budget.ledger.Payer;
import io.github.kueue4j.budget.ledger.Terms;
import io.github.kueue4j.budget.ledger.Use;
import io.github.kueue4j.budget.policy.BudgetPolicySpec;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.budget.report.BudgetReport;
import io.github.kueue4j.sdk.maintenance.Maintenance;
import io.github.kueue4j.sdk.objects.ResourceClient;
import io.github.kueue4j.sdk.objects.Watched;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Keeps the status of BudgetPolicies, and the gauges: how much is used in all namespaces. */
final class PolicyStatuses implements Maintenance {
  private static final String AGE_UNCHECKED =
      "spec.consumption.fresh is not set: when an exporter dies, the query may go on giving what was"
          + " measured before, and then only the ledger's own numbers limit what runs";

  /** Reading all ledgers takes time where there are many, so not after each change of one. */
  private static final Duration EVERY = Duration.ofSeconds(30);

  /**
   * The number of payers with gauges of their own; of further ones of a namespace the gauges show
   * the sum.
   */
  private static final int MOST_PAYERS = 20;

  private final Watched<CustomResource<BudgetPolicySpec>> policies;
  private final Watched<Workload> workloads;
  private final Agreements agreements;
  private final Summaries summaries;
  private final ResourceClient resources;
  private final BudgetMeters meters;
  private final InstantSource time;

  PolicyStatuses(
      Watched<CustomResource<BudgetPolicySpec>> policies,
      Watched<Workload> workloads,
      Agreements agreements,
      Summaries summaries,
      ResourceClient resources,
      BudgetMeters meters,
      InstantSource time) {
    this.policies = policies;
    this.workloads = workloads;
    this.agreements = agreements;
    this.summaries = summaries;
    this.resources = resources;
    this.meters = meters;
    this.time = time;
  }

  /** As it is in the object. */
  record Counted(
      Optional<Integer> namespaces, Optional<Integer> exhausted, Optional<String> warning) {}

  @Override
  public Optional<Duration> maintain(ObjectKey key) {
    Optional<CustomResource<BudgetPolicySpec>> object = policies.get(key);
    Optional<Policy> policy = summaries.policy(new LedgerName(key.name(), ""));
    if (object.isEmpty() || policy.isEmpty()) {
      meters.show(key.name(), List.of());
      return Optional.empty();
    }
    Instant now = time.instant();
    List<BudgetReport.Source> sources = new ArrayList<>();
    int exhausted = 0;
    for (BudgetLedger one : agreements.ledgers().list()) {
      Optional<LedgerName> name =
          LedgerName.of(ObjectKey.of(one)).filter(found -> found.policy().equals(key.name()));
      if (name.isPresent()
          && agreements.of(policy.get(), name.get().namespace())
              instanceof Agreements.Agreement.Agreed(Terms terms)) {
        Ledger ledger = agreements.ledger(name.get()).rolled(terms, now);
        sources.add(
            new BudgetReport.Source(name.get().namespace(), "", ledger, one.created(), terms));
        exhausted += isExhausted(ledger, terms, now) ? 1 : 0;
      }
    }
    sources.sort(Comparator.comparing(BudgetReport.Source::namespace));
    meters.show(key.name(), readings(policy.get(), sources, now));
    Optional<String> warning = warning(policy.get());
    Counted counted = new Counted(Optional.of(sources.size()), Optional.of(exhausted), warning);
    if (!object.get().status(Counted.class).filter(counted::equals).isPresent()) {
      Map<String, @Nullable Object> status = new HashMap<>();
      status.put("namespaces", sources.size());
      status.put("exhausted", exhausted);
      // In a patch, null removes.
      status.put("warning", warning.orElse(null));
      resources.patchStatus(Policy.POLICIES, object.get(), status);
    }
    return Optional.of(EVERY);
  }

  private Optional<String> warning(Policy policy) {
    Optional<String> age =
        policy
            .spec()
            .consumption()
            .filter(measured -> !measured.agesAreChecked())
            .map(measured -> AGE_UNCHECKED);
    Set<String> used =
        workloads.list().stream()
            .map(workload -> workload.status().admission())
            .filter(Objects::nonNull)
            .flatMap(admission -> admission.podSetAssignments().stream())
            .flatMap(podSet -> podSet.resourceUsage().keySet().stream())
            .collect(Collectors.toSet());
    List<String> all = Stream.concat(age.stream(), policy.misspeltPrices(used).stream()).toList();
    return all.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", all));
  }

  /** The readings that the gauges show of these ledgers. */
  static List<BudgetMeters.Reading> readings(
      Policy policy, List<BudgetReport.Source> sources, Instant now) {
    return sources.stream()
        .limit(BudgetMeters.MOST)
        .map(source -> reading(policy, source, now))
        .toList();
  }

  private static BudgetMeters.Reading reading(
      Policy policy, BudgetReport.Source source, Instant now) {
    BudgetReport report =
        BudgetReport.of(policy, List.of(source), BudgetReport.By.PAYER, Optional.empty(), now);
    TreeMap<Payer, Amount> accounts = new TreeMap<>();
    if (policy.accountsAreMetrics()) {
      // The largest come first.
      for (BudgetReport.Row row : report.rows()) {
        Payer payer = accounts.size() < MOST_PAYERS ? row.who().payer() : Payer.ALL_OTHERS;
        accounts.merge(payer, row.account().used(), Amount::plus);
      }
    }
    Use use = source.ledger().use(source.terms(), now, "");
    Optional<Amount> limit =
        source.terms().limits().stream()
            .filter(one -> one.queue().isEmpty())
            .map((Limit one) -> source.ledger().effective(one))
            .findFirst();
    return new BudgetMeters.Reading(
        new LedgerName(policy.name(), source.namespace()),
        use.spent(),
        use.reserved(),
        limit.map(amount -> amount.minus(use.total())).orElse(null),
        limit.flatMap(policy::softLimit).map(use.total()::exceeds).orElse(null),
        report.total().forecast().map(use.spent()::max).orElse(null),
        accounts);
  }

  /** Whether the namespace or one of its LocalQueues with a limit of its own has nothing left. */
  private static boolean isExhausted(Ledger ledger, Terms terms, Instant now) {
    return terms.limits().stream()
        .anyMatch(
            limit ->
                !ledger.effective(limit).exceeds(ledger.use(terms, now, limit.queue()).total()));
  }
}
