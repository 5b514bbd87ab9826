// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.budget.books.Books;
import io.github.kueue4j.budget.books.LedgerName;
import io.github.kueue4j.budget.books.Summary;
import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.ledger.Limit;
import io.github.kueue4j.budget.ledger.Terms;
import io.github.kueue4j.budget.ledger.Use;
import io.github.kueue4j.budget.policy.BudgetPolicySpec;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.sdk.objects.Watched;
import java.time.Instant;
import java.util.Optional;

/** The summaries that people see of ledgers. */
final class Summaries implements Books.Summarizer {

  private final Watched<CustomResource<BudgetPolicySpec>> policies;
  private final Agreements agreements;

  Summaries(Watched<CustomResource<BudgetPolicySpec>> policies, Agreements agreements) {
    this.policies = policies;
    this.agreements = agreements;
  }

  @Override
  public Optional<Summary> of(LedgerName name, Ledger ledger, Instant now) {
    return policy(name)
        .flatMap(
            policy ->
                agreements.of(policy, name.namespace())
                        instanceof Agreements.Agreement.Agreed(Terms terms)
                    ? Optional.of(summary(policy, terms, ledger, now))
                    : Optional.empty());
  }

  /** The policy of a ledger, if there is one that makes sense. */
  Optional<Policy> policy(LedgerName name) {
    return policies
        .get(ObjectKey.cluster(name.policy()))
        .flatMap(
            object -> {
              try {
                return Optional.of(Policy.of(object));
              } catch (IllegalArgumentException invalid) {
                // The AdmissionCheck tells what to correct.
                return Optional.empty();
              }
            });
  }

  private static Summary summary(Policy policy, Terms terms, Ledger ledger, Instant now) {
    Use use = ledger.use(terms, now, "");
    Optional<Amount> limit =
        terms.limits().stream()
            .filter(one -> one.queue().isEmpty())
            .map((Limit one) -> ledger.effective(one))
            .findFirst();
    return new Summary(
        limit.map(policy::text).orElse(null),
        policy.text(use.spent()),
        policy.text(use.reserved()),
        limit.map(amount -> policy.text(amount.minus(use.total()))).orElse(null),
        terms.window().end(now),
        now);
  }
}
