// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.components;

import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.budget.books.BudgetLedger;
import io.github.kueue4j.budget.books.LedgerName;
import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.policy.BudgetPolicySpec;
import io.github.kueue4j.budget.policy.BudgetSpec;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.budget.report.BudgetReport;
import io.github.kueue4j.observe.view.BudgetReader;
import io.github.kueue4j.observe.view.ShownBudget;
import io.github.kueue4j.observe.view.ShownBudget.BudgetUse;
import io.github.kueue4j.observe.view.ShownBudget.PastUse;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The budgets as the check has booked them in a cluster, for the page. Ledgers are large: one after
 * the other is read, and only sums are kept.
 */
final class BookedBudgets implements BudgetReader {
  /** With more ledgers than this a report takes too long for a page. */
  static final int MOST_LEDGERS = 200;

  /** So many users are shown of a policy. */
  static final int MOST_USERS = 50;

  /** So many of the latest windows are drawn. */
  private static final int MOST_PAST = 31;

  @Override
  public boolean hasAny(KubernetesApi api) {
    return !policies(api).isEmpty();
  }

  private static List<CustomResource<BudgetPolicySpec>> policies(KubernetesApi api) {
    return api.serves(Policy.POLICIES)
        ? api.list(Policy.POLICIES, ListOptions.all()).items()
        : List.of();
  }

  @Override
  public List<ShownBudget> read(KubernetesApi api, Collection<String> namespaces, Instant now) {
    List<CustomResource<BudgetPolicySpec>> policies = policies(api);
    if (policies.isEmpty()) {
      return List.of();
    }
    if ((long) policies.size() * namespaces.size() > MOST_LEDGERS) {
      return policies.stream()
          .map(
              policy ->
                  without(
                      policy,
                      "There are too many namespaces to be shown together, "
                          + namespaces.size()
                          + ": name one, or use 'kueue4j budget report'."))
          .toList();
    }
    Map<String, List<CustomResource<BudgetSpec>>> budgets =
        api
            .list(
                Policy.BUDGETS,
                namespaces.size() == 1
                    ? ListOptions.inNamespace(namespaces.iterator().next())
                    : ListOptions.all())
            .items()
            .stream()
            .collect(
                Collectors.groupingBy(
                    budget -> String.valueOf(budget.getMetadata().getNamespace())));
    List<ShownBudget> shown = new ArrayList<>();
    for (CustomResource<BudgetPolicySpec> object : policies) {
      try {
        Sums sums = new Sums(Policy.of(object));
        for (String namespace : namespaces) {
          sums.add(api, namespace, budgets.getOrDefault(namespace, List.of()), now);
        }
        shown.add(sums.shown());
      } catch (IllegalArgumentException e) {
        shown.add(without(object, "The BudgetPolicy can't be used: " + e.getMessage()));
      }
    }
    return shown;
  }

  private static ShownBudget without(CustomResource<BudgetPolicySpec> policy, String why) {
    return new ShownBudget(
        String.valueOf(policy.getMetadata().getName()),
        null,
        null,
        null,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(why));
  }

  /** The sums of one policy. */
  private static final class Sums {
    private final Policy policy;
    private final List<BudgetUse> namespaces = new ArrayList<>();
    private final List<BudgetUse> queues = new ArrayList<>();
    private final List<BudgetUse> users = new ArrayList<>();
    private final SortedMap<Instant, Amount> past = new TreeMap<>();
    private final List<String> notes = new ArrayList<>();
    private Optional<Instant> since = Optional.empty();
    private Optional<Instant> until = Optional.empty();

    Sums(Policy policy) {
      this.policy = policy;
      if (policy.spec().consumption().isPresent()) {
        notes.add("The policy goes by what a server measures, too: more than this may count.");
      }
    }

    /** One ledger that can't be read takes no other away. */
    void add(
        KubernetesApi api,
        String namespace,
        Collection<CustomResource<BudgetSpec>> budgets,
        Instant now) {
      List<BudgetSpec> own = own(namespace, budgets);
      Optional<BudgetLedger> ledger =
          api.get(BudgetLedger.TYPE, new LedgerName(policy.name(), namespace).key());
      if (ledger.isEmpty()) {
        return;
      }
      try {
        add(BudgetReport.Source.of(policy, ledger.get(), "", own), now);
      } catch (IllegalArgumentException | NullPointerException e) {
        notes.add(
            "The BudgetLedger '%s.%s' can't be read, and its sums are left out: %s"
                .formatted(policy.name(), namespace, e.getMessage()));
      }
    }

    private List<BudgetSpec> own(String namespace, Collection<CustomResource<BudgetSpec>> budgets) {
      List<BudgetSpec> own = new ArrayList<>();
      for (CustomResource<BudgetSpec> budget : budgets) {
        if (Policy.namedBy(budget).filter(policy.name()::equals).isPresent()) {
          try {
            own.add(budget.spec());
          } catch (IllegalArgumentException e) {
            notes.add(
                "The Budget %s/%s can't be used, and its limit is left out: %s"
                    .formatted(namespace, budget.getMetadata().getName(), e.getMessage()));
          }
        }
      }
      return own;
    }

    private void add(BudgetReport.Source source, Instant now) {
      BudgetReport total = report(source, BudgetReport.By.NAMESPACE, now);
      since = Optional.of(total.since());
      until = total.until();
      namespaces.addAll(uses(total));
      queues.addAll(uses(report(source, BudgetReport.By.QUEUE, now)));
      if (policy.userLabel().isPresent()) {
        users.addAll(uses(report(source, BudgetReport.By.PAYER, now)));
      }
      source.past(MOST_PAST, now).forEach((from, used) -> past.merge(from, used, Amount::plus));
    }

    private BudgetReport report(BudgetReport.Source source, BudgetReport.By by, Instant now) {
      return BudgetReport.of(policy, List.of(source), by, Optional.empty(), now);
    }

    private static List<BudgetUse> uses(BudgetReport report) {
      return report.rows().stream().map(Sums::use).toList();
    }

    private static BudgetUse use(BudgetReport.Row row) {
      return new BudgetUse(
          row.who().namespace(),
          row.who().payer().queue(),
          row.who().payer().user(),
          number(row.account().used()),
          number(row.account().running()),
          number(row.account().reserved()),
          row.forecast().map(Sums::number).orElse(null),
          row.limit().map(Sums::number).orElse(null));
    }

    ShownBudget shown() {
      Comparator<BudgetUse> largest = Comparator.comparingDouble(BudgetUse::used).reversed();
      namespaces.sort(largest);
      users.sort(largest);
      if (users.size() > MOST_USERS) {
        notes.add(
            "Of %s users the %s largest are shown; 'kueue4j budget report --by user' has all."
                .formatted(users.size(), MOST_USERS));
      }
      return new ShownBudget(
          policy.name(),
          policy.spec().unit().orElse(null),
          since.orElse(null),
          until.orElse(null),
          namespaces,
          queues,
          users.stream().limit(MOST_USERS).toList(),
          past.entrySet().stream()
              .dropWhile(window -> window.getValue().equals(Amount.ZERO))
              .map(window -> new PastUse(window.getKey(), number(window.getValue())))
              .toList(),
          notes);
    }

    private static double number(Amount amount) {
      return amount.toDecimal().doubleValue();
    }
  }
}
