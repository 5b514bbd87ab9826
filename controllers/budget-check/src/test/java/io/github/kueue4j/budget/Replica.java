// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.budget.books.Books;
import io.github.kueue4j.budget.books.BudgetLedger;
import io.github.kueue4j.budget.books.LedgerName;
import io.github.kueue4j.budget.books.LedgerServer;
import io.github.kueue4j.budget.consumption.Consumption;
import io.github.kueue4j.budget.policy.BudgetPolicySpec;
import io.github.kueue4j.budget.policy.BudgetSpec;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.sdk.AssignedPodSet;
import io.github.kueue4j.sdk.BackendReport;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.objects.ResourceClient;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One process of the check without a controller around it: a test calls what the controller would,
 * and decides what its watches show.
 */
final class Replica {
  static final String NAMESPACE = "team-a";
  static final Duration ERROR_BUDGET = Duration.ofMinutes(10);

  final Shown<Workload> workloads = new Shown<>();
  final Shown<V1Namespace> namespaces = new Shown<>();
  final Shown<CustomResource<BudgetSpec>> budgets = new Shown<>();
  final Shown<BudgetLedger> ledgers = new Shown<>();
  final Shown<CustomResource<BudgetPolicySpec>> policies = new Shown<>();

  final List<String> warned = new ArrayList<>();

  /** From now on the server creates no events. */
  boolean refusesEvents;

  /** Whether the check has alternatives. */
  boolean grouped;

  /** What a live look at Workloads finds; shared by replicas. */
  final Map<ObjectKey, Workload> live;

  final LedgerServer server;

  /** How often a Workload was looked at live. */
  int liveReads;

  Instant now;
  Books books;
  LedgerUpkeep upkeep;
  BudgetCheck check;

  Replica(LedgerServer server, Map<ObjectKey, Workload> live, Instant now) {
    this(server, live, now, Consumption.ofLedger());
  }

  /** One that asks what is consumed. */
  Replica(
      LedgerServer server, Map<ObjectKey, Workload> live, Instant now, Consumption consumption) {
    this.server = server;
    this.live = live;
    this.now = now;
    Agreements agreements =
        new Agreements(namespaces, budgets, ledgers, consumption, () -> this.now);
    Summaries summaries = new Summaries(policies, agreements);
    books = new Books(server, summaries);
    upkeep = new LedgerUpkeep(agreements, summaries, books, workloads, new Live(), () -> this.now);
    Warnings warnings = new WarningEvents(new Live());
    RunningWorkloads running = new RunningWorkloads(agreements, books, warnings, 0, name -> {});
    check =
        new BudgetCheck(
            agreements,
            new Bookings(agreements, books, check -> grouped),
            running,
            new Promises(),
            new Undecided(ERROR_BUDGET),
            new AnswerVerdicts(warnings, BudgetOptions.defaults().jitter()),
            BackendReport.unread());
    namespaces.show(new V1Namespace().metadata(new V1ObjectMeta().name(NAMESPACE)));
  }

  static Replica alone(Instant now) {
    return new Replica(new LedgerServer(), new HashMap<>(), now);
  }

  /** A policy of this spec, in YAML's words. */
  Policy policy(String name, Map<String, Object> spec) {
    CustomResource<BudgetPolicySpec> object =
        CustomResource.of(Policy.POLICIES, new V1ObjectMeta().name(name), spec);
    policies.show(object);
    return Policy.of(object);
  }

  void passes(Duration time) {
    now = now.plus(time);
  }

  /** What the check says of a Workload that its watch shows like this. */
  Verdict evaluate(
      Policy policy, Workload workload, AdmissionCheckState entry, List<AssignedPodSet> podSets)
      throws InterruptedException {
    return check.evaluate(evaluation(policy, workload, entry, podSets));
  }

  /** The same as another AdmissionCheck, for the first time. */
  Verdict evaluateAs(String name, Policy policy, Workload workload) throws InterruptedException {
    return check.evaluate(Evaluation.of(name, workload, policy, now));
  }

  /** What it says in advance. */
  Verdict dryEvaluate(Policy policy, Workload workload, List<AssignedPodSet> podSets)
      throws InterruptedException {
    return check
        .dryEvaluate(
            evaluation(policy, workload, AdmissionCheckState.pending("budget", now), podSets))
        .orElseThrow();
  }

  /** Whether the delay of one ends that waits without quota. */
  boolean delayEnds(Policy policy, Workload workload, List<AssignedPodSet> podSets)
      throws InterruptedException {
    AdmissionCheckState sentBack =
        AdmissionCheckState.pending("budget", now).withState(CheckState.RETRY);
    return check.delayEnds(evaluation(policy, workload, sentBack, podSets)).isPresent();
  }

  private Evaluation<Policy> evaluation(
      Policy policy, Workload workload, AdmissionCheckState entry, List<AssignedPodSet> podSets) {
    return new Evaluation<>("budget", workload, podSets, entry, policy, now, now.plusSeconds(30));
  }

  /** The watch of ledgers catches up. */
  void seeLedger(LedgerName name) {
    server
        .object(name)
        .ifPresentOrElse(
            ledger -> {
              ledgers.show(ledger);
              books.seen(name, ledger);
            },
            () -> {
              ledgers.gone(name.key());
              books.forget(name);
            });
  }

  /** Maintains the ledger as the watches show the world. */
  Optional<Duration> maintain(LedgerName name) throws InterruptedException {
    seeLedger(name);
    return upkeep.maintain(name.key());
  }

  /** What the server has of Workloads, ledgers and events. */
  private final class Live implements ResourceClient {
    @Override
    public <T extends KubernetesObject> ResourceType<T> served(ResourceType<T> type) {
      return type;
    }

    @Override
    public <T extends KubernetesObject> T createIfAbsent(ResourceType<T> type, T object) {
      if (refusesEvents || !(object instanceof EventsV1Event event)) {
        throw new IllegalStateException("the server refuses " + object.getKind());
      }
      warned.add(event.getReason() + ": " + event.getNote());
      return object;
    }

    @Override
    public <T extends KubernetesObject> Optional<T> get(ResourceType<T> type, ObjectKey key) {
      liveReads++;
      return Optional.ofNullable(live.get(key))
          .map(workload -> KueueJson.fromTree(KueueJson.toTree(workload), type));
    }

    @Override
    public <T extends KubernetesObject> T patch(
        ResourceType<T> type, T seen, Map<String, ? extends @Nullable Object> change) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <T extends KubernetesObject> T patchStatus(
        ResourceType<T> type, T seen, Map<String, ? extends @Nullable Object> status) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <T extends KubernetesObject> boolean delete(ResourceType<T> type, T object) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <T extends KubernetesObject> boolean deleteUnchanged(ResourceType<T> type, T seen) {
      return server.deleteUnchanged((BudgetLedger) seen);
    }
  }
}
