// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.NearestName;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.budget.books.LedgerName;
import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.ledger.Limit;
import io.github.kueue4j.budget.ledger.Terms;
import io.github.kueue4j.budget.ledger.Use;
import io.github.kueue4j.budget.policy.BudgetPolicySpec;
import io.github.kueue4j.budget.policy.BudgetSpec;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.sdk.maintenance.Maintenance;
import io.github.kueue4j.sdk.objects.ResourceClient;
import io.github.kueue4j.sdk.objects.Watched;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Keeps the status of Budgets: what is used of them, and whether they are honoured. */
final class BudgetStatuses implements Maintenance {
  private static final Agreements.Agreement NOT_SELECTED = new Agreements.Agreement.NotSelected();

  private static final Duration REFRESH = Duration.ofMinutes(1);
  private static final int MOST_QUEUES = 20;
  private static final List<String> FIELDS =
      List.of("limit", "spent", "reserved", "remaining", "resetsAt", "localQueues");

  /** Not a field of the status: it becomes a condition. */
  private static final String SOFT_LIMIT = "SoftLimitReached";

  private final Agreements agreements;
  private final Summaries summaries;
  private final Watched<LocalQueue> queues;
  private final ResourceClient resources;
  private final InstantSource time;

  /** What was written last, so that nothing is written again without a change. */
  private final Map<ObjectKey, Written> written = new ConcurrentHashMap<>();

  private record Written(@Nullable String uid, Map<String, Object> status) {}

  /** The acceptance of a Budget: whether it is used, and if not, why. */
  private record Acceptance(boolean accepted, String reason, String message) {}

  BudgetStatuses(
      Agreements agreements,
      Summaries summaries,
      Watched<LocalQueue> queues,
      ResourceClient resources,
      InstantSource time) {
    this.agreements = agreements;
    this.summaries = summaries;
    this.queues = queues;
    this.resources = resources;
    this.time = time;
  }

  @Override
  public Optional<Duration> maintain(ObjectKey key) {
    Optional<CustomResource<BudgetSpec>> found = agreements.budgets().get(key);
    if (found.isEmpty()) {
      written.remove(key);
      return Optional.empty();
    }
    CustomResource<BudgetSpec> budget = found.get();
    Map<String, Object> status = new HashMap<>();
    boolean changes = false;
    Acceptance acceptance;
    try {
      BudgetSpec spec = budget.spec();
      LedgerName name = new LedgerName(spec.policy(), key.namespace());
      Optional<Policy> policy = summaries.policy(name);
      acceptance =
          policy
              .filter(one -> agreements.of(one, key.namespace()).equals(NOT_SELECTED))
              .map(BudgetStatuses::outOfReach)
              .orElseGet(() -> acceptance(spec, policy));
      if (acceptance.accepted()) {
        acceptance =
            new Acceptance(
                true,
                acceptance.reason(),
                acceptance.message()
                    + unknownQueue(key.namespace(), spec)
                    + others(key, spec, policy.orElseThrow()));
        changes = amounts(status, spec, name, policy.orElseThrow());
      }
    } catch (IllegalArgumentException e) {
      acceptance = new Acceptance(false, "Invalid", e.getMessage() + ".");
    }
    write(budget, status, acceptance);
    return changes ? Optional.of(REFRESH) : Optional.empty();
  }

  private static Acceptance outOfReach(Policy policy) {
    return new Acceptance(
        false,
        "NotSelected",
        "The BudgetPolicy '"
            + policy.name()
            + "' doesn't select this namespace: it limits nothing here.");
  }

  private static Acceptance acceptance(BudgetSpec spec, Optional<Policy> policy) {
    if (policy.isEmpty()) {
      return new Acceptance(
          false, "NoPolicy", "There is no BudgetPolicy '" + spec.policy() + "' that can be used.");
    }
    return switch (policy.get().spec().budgets().orElse(BudgetPolicySpec.Budgets.IGNORE)) {
      case IGNORE ->
          new Acceptance(
              false,
              "NotHonoured",
              "The BudgetPolicy '"
                  + spec.policy()
                  + "' honours no Budgets: its administrator can set spec.budgets.");
      case LOWER ->
          new Acceptance(true, "Accepted", "It holds as far as it is below the policy's limit.");
      case OVERRIDE -> new Acceptance(true, "Accepted", "It holds in place of the policy's limit.");
    };
  }

  /** A Budget may be older than its LocalQueue: that is told, and no reason not to accept it. */
  private String unknownQueue(String namespace, BudgetSpec spec) {
    return spec.localQueue()
        .filter(name -> queues.get(new ObjectKey(namespace, name)).isEmpty())
        .map(name -> " This namespace has no LocalQueue '" + name + "'" + meant(namespace, name))
        .orElse("");
  }

  private String meant(String namespace, String name) {
    List<String> there =
        queues.list().stream()
            .map(LocalQueue::key)
            .filter(key -> key.namespace().equals(namespace))
            .map(ObjectKey::name)
            .toList();
    return NearestName.of(name, there)
        .map(nearest -> "; did you mean '" + nearest + "'?")
        .orElse(", so nothing is limited by it now.");
  }

  /** The Budgets that set a limit of the same. */
  private String others(ObjectKey key, BudgetSpec spec, Policy policy) {
    String names =
        agreements.honoured(policy, key.namespace()).stream()
            .filter(
                other -> !ObjectKey.of(other).equals(key) && isOfQueue(other, spec.localQueue()))
            .map(other -> "'" + other.getMetadata().getName() + "'")
            .sorted()
            .collect(Collectors.joining(", "));
    return names.isEmpty()
        ? ""
        : " Other Budgets limit the same, and the lowest limit holds: delete all but one of this and "
            + names
            + ".";
  }

  private static boolean isOfQueue(CustomResource<BudgetSpec> budget, Optional<String> queue) {
    try {
      return budget.spec().localQueue().equals(queue);
    } catch (IllegalArgumentException unreadable) {
      // Its own status tells what to correct.
      return false;
    }
  }

  /** Whether the numbers change as time passes. */
  private boolean amounts(
      Map<String, Object> status, BudgetSpec spec, LedgerName name, Policy policy) {
    if (!(agreements.of(policy, name.namespace())
        instanceof Agreements.Agreement.Agreed(Terms terms))) {
      return false;
    }
    Instant now = time.instant();
    Ledger ledger = agreements.ledger(name).rolled(terms, now);
    String queue = spec.localQueue().orElse("");
    Use use = ledger.use(terms, now, queue);
    Optional<Amount> limit = limit(terms, queue, ledger);
    status.put("spent", policy.text(use.spent()));
    status.put("reserved", policy.text(use.reserved()));
    limit.ifPresent(
        amount -> {
          status.put("limit", policy.text(amount));
          if (!(queue.isEmpty() && policy.perQueue())) {
            status.put("remaining", policy.text(amount.minus(use.total())));
            policy
                .softLimit(amount)
                .ifPresent(soft -> status.put(SOFT_LIMIT, use.total().exceeds(soft)));
          }
        });
    status.put("resetsAt", terms.window().end(now).toString());
    if (queue.isEmpty()) {
      status.put("localQueues", queues(ledger, terms, now, policy));
    }
    return true;
  }

  private static Optional<Amount> limit(Terms terms, String queue, Ledger ledger) {
    return terms.limits().stream()
        .filter(limit -> limit.queue().equals(queue))
        .map((Limit limit) -> ledger.effective(limit))
        .findFirst()
        .or(terms::anyQueue);
  }

  private static List<Map<String, Object>> queues(
      Ledger ledger, Terms terms, Instant now, Policy policy) {
    TreeSet<String> names = new TreeSet<>();
    ledger.open().values().forEach(one -> names.add(one.queue()));
    ledger
        .spent()
        .values()
        .forEach(slot -> slot.keySet().forEach(payer -> names.add(payer.queue())));
    names.remove("");
    Map<String, Use> uses = new LinkedHashMap<>();
    names.forEach(name -> uses.put(name, ledger.use(terms, now, name)));
    List<Map.Entry<String, Use>> most = new ArrayList<>(uses.entrySet());
    most.sort(
        Comparator.comparing((Map.Entry<String, Use> one) -> one.getValue().total()).reversed());
    return most.stream()
        .limit(MOST_QUEUES)
        .map(
            one ->
                Map.<String, Object>of(
                    "name",
                    one.getKey(),
                    "spent",
                    policy.text(one.getValue().spent()),
                    "reserved",
                    policy.text(one.getValue().reserved())))
        .toList();
  }

  private void write(
      CustomResource<BudgetSpec> budget, Map<String, Object> amounts, Acceptance acceptance) {
    ObjectKey key = ObjectKey.of(budget);
    Map<String, @Nullable Object> status = new HashMap<>();
    for (String field : FIELDS) {
      // In a patch, null removes.
      status.put(field, amounts.get(field));
    }
    Map<String, Object> compared = new HashMap<>(amounts);
    compared.put("acceptance", acceptance);
    Written now = new Written(budget.getMetadata().getUid(), compared);
    if (now.equals(written.get(key))) {
      return;
    }
    status.put("conditions", conditions(budget, amounts.get(SOFT_LIMIT), acceptance));
    resources.patchStatus(Policy.BUDGETS, budget, status);
    written.put(key, now);
  }

  private List<Map<String, Object>> conditions(
      CustomResource<BudgetSpec> budget, @Nullable Object overSoftLimit, Acceptance acceptance) {
    List<Map<String, Object>> conditions = new ArrayList<>();
    conditions.add(
        condition(
            budget, "Accepted", acceptance.accepted(), acceptance.reason(), acceptance.message()));
    if (overSoftLimit != null) {
      boolean over = overSoftLimit.equals(true);
      conditions.add(
          condition(
              budget,
              SOFT_LIMIT,
              over,
              over ? "SoftLimitReached" : "BelowSoftLimit",
              over
                  ? "More is used than the policy's softLimitPercent of the limit."
                  : "No more is used than the policy's softLimitPercent of the limit."));
    }
    return conditions;
  }

  private Map<String, Object> condition(
      CustomResource<BudgetSpec> budget,
      String type,
      boolean holds,
      String reason,
      String message) {
    String state = holds ? "True" : "False";
    Instant since =
        budget.conditions().stream()
            .filter(one -> one.type().equals(type) && one.status().equals(state))
            .map(one -> one.lastTransitionTime())
            .findFirst()
            .orElseGet(() -> Instant.ofEpochSecond(time.instant().getEpochSecond()));
    return Map.of(
        "type", type,
        "status", state,
        "reason", reason,
        "message", message,
        "lastTransitionTime", since.toString(),
        "observedGeneration", Objects.requireNonNullElse(budget.getMetadata().getGeneration(), 0L));
  }
}
