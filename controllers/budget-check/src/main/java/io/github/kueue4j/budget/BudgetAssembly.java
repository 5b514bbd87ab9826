// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.CheckGroup;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.LocalQueueStatus;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.budget.books.ApiLedgerObjects;
import io.github.kueue4j.budget.books.Books;
import io.github.kueue4j.budget.books.BudgetLedger;
import io.github.kueue4j.budget.books.LedgerName;
import io.github.kueue4j.budget.consumption.Consumption;
import io.github.kueue4j.budget.consumption.MeasuredConsumption;
import io.github.kueue4j.budget.policy.BudgetPolicySpec;
import io.github.kueue4j.budget.policy.BudgetSpec;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.http.HttpBackends;
import io.github.kueue4j.http.SecretTexts;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Guards;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.sdk.maintenance.MaintenanceQueue;
import io.github.kueue4j.sdk.objects.ResourceClient;
import io.github.kueue4j.sdk.objects.Watch;
import io.github.kueue4j.sdk.objects.Watched;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Puts the parts of the check together. */
final class BudgetAssembly {

  /** At midnight each namespace's ledger is written. */
  private static final int MAINTAINED_AT_ONCE = 4;

  private BudgetAssembly() {}

  static CheckController.Builder builder(CheckEnvironment environment, BudgetOptions options) {
    CheckController.Builder controller =
        CheckController.builder(options.controllerName(), environment)
            .namesDelays()
            .recheckReadyEvery(options.recheckReadyEvery());
    Watched<Workload> workloads = controller.workloads();
    ByNamespace workloadsOf = ByNamespace.of(workloads);
    Watched<V1Namespace> namespaces =
        controller.watch(
            Watch.of(CoreTypes.NAMESPACE)
                .trimmed(BudgetAssembly::labelsOnly)
                .waking(namespace -> workloadsOf.in(ObjectKey.of(namespace).name())));
    Watched<CustomResource<BudgetSpec>> budgets =
        controller.watch(
            Watch.of(Policy.BUDGETS)
                .waking(budget -> workloadsOf.in(ObjectKey.of(budget).namespace())));
    Watched<BudgetLedger> ledgers = controller.watch(Watch.of(BudgetLedger.TYPE).quietly());
    ByNamespace ledgersOf = ByNamespace.ofLedgers(ledgers);
    ByNamespace budgetsOf = ByNamespace.of(budgets);
    TimeSource given = environment.time();
    InstantSource time = given == null ? TimeSource.wallClock() : given;
    HttpBackends backends =
        options.allowFiles()
            ? HttpBackends.withFiles(SecretTexts.none(), options.addresses())
            : HttpBackends.of(SecretTexts.none(), options.addresses());
    controller.whenClosed(backends::close);
    Consumption consumption = new MeasuredConsumption(backends);
    Agreements agreements = new Agreements(namespaces, budgets, ledgers, consumption, time);
    ResourceClient resources = controller.resources();
    Watched<CustomResource<BudgetPolicySpec>> policies =
        controller.watch(Watch.of(Policy.POLICIES).quietly());
    Summaries summaries = new Summaries(policies, agreements);
    Books books = new Books(new ApiLedgerObjects(resources), summaries);
    forgetWhatIsGone(namespaces, policies, consumption);
    Consumer<ObjectKey> wake = controller.waker()::wake;
    Consumer<String> wakeWaiting =
        namespace ->
            workloadsOf.in(namespace).stream()
                .filter(key -> workloads.get(key).filter(BudgetAssembly::waits).isPresent())
                .forEach(wake);
    wakeWhenQuotaIsGivenBack(workloads, wake);
    Promises promises = new Promises();
    Releases releases = new Releases();
    ledgers.onChange(
        key -> {
          Optional<BudgetLedger> ledger = ledgers.get(key);
          LedgerName.of(key)
              .ifPresent(
                  name ->
                      ledger.ifPresentOrElse(
                          one -> books.seen(name, one), () -> forget(name, books, promises)));
          releases.of(key, ledger).ifPresent(name -> wakeWaiting.accept(name.namespace()));
        });
    LedgerUpkeep ledgerUpkeep =
        new LedgerUpkeep(agreements, summaries, books, workloads, resources, time);
    controller.measure(registry -> BudgetMeters.bindTo(registry, ledgerUpkeep));
    MaintenanceQueue upkeep = controller.maintain("budget-ledgers", ledgers, ledgerUpkeep);
    upkeep
        .workers(MAINTAINED_AT_ONCE)
        .whenChanged(workloads, workload -> ledgersOf.in(workload.key().namespace()))
        .whenChanged(namespaces, namespace -> ledgersOf.in(ObjectKey.of(namespace).name()))
        .whenChanged(policies, policy -> ofPolicy(ledgers, ObjectKey.of(policy).name()));
    Watched<LocalQueue> queues =
        controller.watch(
            Watch.of(KueueTypes.LOCAL_QUEUE)
                .trimmed(queue -> queue.withStatus(LocalQueueStatus.empty()))
                .quietly());
    controller
        .maintain(
            "budgets", budgets, new BudgetStatuses(agreements, summaries, queues, resources, time))
        .whenChanged(policies, policy -> budgets.list().stream().map(ObjectKey::of).toList())
        .whenChanged(namespaces, namespace -> budgetsOf.in(ObjectKey.of(namespace).name()))
        .whenChanged(
            ledgers,
            ledger ->
                LedgerName.of(ObjectKey.of(ledger))
                    .map(name -> budgetsOf.in(name.namespace()))
                    .orElseGet(Set::of));
    BudgetMeters meters = new BudgetMeters();
    controller
        .measure(meters::bindTo)
        .maintain(
            "budget-policies",
            policies,
            new PolicyStatuses(
                policies, workloads, agreements, summaries, resources, meters, time));
    Watched<AdmissionCheck> checks =
        controller.watch(Watch.of(KueueTypes.ADMISSION_CHECK).quietly());
    Warnings warnings = new WarningEvents(resources);
    RunningWorkloads running =
        new RunningWorkloads(
            agreements, books, warnings, options.jitter(), name -> upkeep.wake(name.key()));
    MaintenanceQueue lapses =
        controller.maintain(
            "budget-promises",
            ledgers,
            new LapsedPromises(promises, agreements, wakeWaiting, time));
    promises.whenPromised(name -> lapses.wake(name.key()));
    return controller.check(
        Parameters.from(Policy.POLICIES, Policy::of).reportingStatus(),
        new BudgetCheck(
            agreements,
            new Bookings(
                agreements,
                books,
                check -> checks.get(ObjectKey.cluster(check)).flatMap(CheckGroup::of).isPresent()),
            running,
            promises,
            new Undecided(environment.guards().apply(Guards.defaults()).errorBudget()),
            new AnswerVerdicts(warnings, options.jitter()),
            controller.backendReport()));
  }

  /** Pods that will never run again cost nothing from now on. */
  private static void wakeWhenQuotaIsGivenBack(
      Watched<Workload> workloads, Consumer<ObjectKey> wake) {
    workloads.onChange(
        key -> {
          if (workloads.get(key).filter(BudgetAssembly::gaveSomeBack).isPresent()) {
            wake.accept(key);
          }
        });
  }

  private static boolean gaveSomeBack(Workload workload) {
    return !workload.status().reclaimablePods().isEmpty()
        && workload.conditions().admitted()
        && !workload.conditions().finished();
  }

  private static void forgetWhatIsGone(
      Watched<V1Namespace> namespaces,
      Watched<CustomResource<BudgetPolicySpec>> policies,
      Consumption consumption) {
    namespaces.onChange(
        key -> {
          if (namespaces.get(key).isEmpty()) {
            consumption.forgetNamespace(key.name());
          }
        });
    policies.onChange(
        key -> {
          if (policies.get(key).isEmpty()) {
            consumption.forgetPolicy(key.name());
          }
        });
  }

  private static void forget(LedgerName name, Books books, Promises promises) {
    books.forget(name);
    promises.forget(name);
  }

  /** Whether it waits out a delay of a check: it may be this one. */
  private static boolean waits(Workload workload) {
    return workload.status().admissionChecks().stream()
        .anyMatch(entry -> entry.is(CheckState.RETRY));
  }

  private static List<ObjectKey> ofPolicy(Watched<BudgetLedger> ledgers, String policy) {
    return ledgers.list().stream()
        .map(ObjectKey::of)
        .filter(key -> LedgerName.of(key).filter(one -> one.policy().equals(policy)).isPresent())
        .toList();
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
}
