// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.budget.books.BudgetLedger;
import io.github.kueue4j.budget.books.LedgerName;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.policy.BudgetSpec;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.http.AddressRange;
import io.github.kueue4j.http.AddressRules;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.sdk.program.CheckStarter;
import io.github.kueue4j.testkit.script.KueueCluster;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import io.github.kueue4j.testkit.script.RunningController;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/** An API server with the check's kinds, on which Kueue's part is played. */
final class Situation implements AutoCloseable {
  static final String NAMESPACE = "default";

  final KueueCluster cluster;
  private final ClusterConnection connection;

  Situation(KueueCluster cluster) {
    this.cluster = cluster;
    BudgetCheck.crds().forEach(cluster::apply);
    connection = ClusterConnection.builder("looker").url(cluster.uri()).open();
  }

  EmbeddedApiServer server() {
    return cluster.server();
  }

  /** A policy of this name, whose spec these lines are, and an AdmissionCheck that names it. */
  Situation policy(String name, String spec) {
    policyOnly(name, spec);
    cluster.admissionCheck(
        "budget", "kueue4j.io/budget", "checks.kueue4j.io", "BudgetPolicy", name);
    return this;
  }

  void policyOnly(String name, String spec) {
    cluster.apply(
        """
        apiVersion: checks.kueue4j.io/v1alpha1
        kind: BudgetPolicy
        metadata: {name: %s}
        spec:
        %s"""
            .formatted(name, spec.indent(2)));
  }

  void budget(String name, String spec) {
    cluster.apply(
        """
        apiVersion: checks.kueue4j.io/v1alpha1
        kind: Budget
        metadata: {name: %s, namespace: default}
        spec: %s
        """
            .formatted(name, spec));
  }

  void localQueue(String name) {
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: %s, namespace: default}
        spec: {clusterQueue: all}
        """
            .formatted(name));
  }

  RunningController run() {
    return run(BudgetOptions.defaults());
  }

  /** Servers on this machine may be asked what was spent. */
  void runWithLoopback() {
    run(
        BudgetOptions.defaults()
            .withAddresses(AddressRules.defaults().allowing(AddressRange.parse("127.0.0.0/8"))));
  }

  private RunningController run(BudgetOptions options) {
    return cluster.run(
        CheckStarter.of(environment -> BudgetCheck.controller(environment, options)));
  }

  /** A Workload of this many CPUs that may run for this long; 0 hours: it doesn't say. */
  PlayedWorkload workload(String name, int cpus, int hours) {
    return workload(name, "script", cpus, hours);
  }

  PlayedWorkload workload(String name, String queue, int cpus, int hours) {
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: %s, namespace: default}
        spec:
          queueName: %s
          %s
          podSets:
            - name: main
              count: 1
              template:
                spec:
                  restartPolicy: Never
                  containers:
                    - {name: main, image: example.invalid/main, resources: {requests: {cpu: %d}}}
        """
            .formatted(
                name,
                queue,
                hours == 0 ? "" : "maximumExecutionTimeSeconds: " + hours * 3600,
                cpus));
    return cluster.script().existing(name);
  }

  /** The check's word. */
  static String message(PlayedWorkload workload, CheckState state) {
    AdmissionCheckState entry = workload.awaitState("budget", state).entry("budget");
    return entry.message();
  }

  Optional<BudgetLedger> ledgerObject(String policy) {
    return connection.api().get(BudgetLedger.TYPE, new LedgerName(policy, NAMESPACE).key());
  }

  Ledger awaitLedger(String policy, Predicate<Ledger> condition) {
    return Awaitility.await()
        .until(
            () -> ledgerObject(policy).map(BudgetLedger::ledger).orElseGet(Ledger::empty),
            condition);
  }

  /** The status of a Budget as JSON. */
  String budgetStatus(String name) {
    CustomResource<BudgetSpec> budget =
        connection.api().get(Policy.BUDGETS, new ObjectKey(NAMESPACE, name)).orElseThrow();
    return KueueJson.toTree(budget).getAsJsonObject().get("status") == null
        ? ""
        : KueueJson.toTree(budget).getAsJsonObject().get("status").toString();
  }

  /** What the status of a policy counts, once it is there. */
  PolicyStatuses.Counted counted(String policy) {
    awaitCounted(policy, any -> true);
    return findCounted(policy).orElseThrow();
  }

  /** Waits until the status of a policy counts what it should, while time passes. */
  void awaitCounted(String policy, Predicate<PolicyStatuses.Counted> condition) {
    awaitWhileTimePasses(() -> findCounted(policy).filter(condition).isPresent());
  }

  private Optional<PolicyStatuses.Counted> findCounted(String policy) {
    return connection
        .api()
        .get(Policy.POLICIES, ObjectKey.cluster(policy))
        .flatMap(each -> each.status(PolicyStatuses.Counted.class));
  }

  void awaitBudget(String name, String... parts) {
    Awaitility.await().untilAsserted(() -> assertThat(budgetStatus(name)).contains(parts));
  }

  /** The policy's condition BackendReachable, while time passes. */
  void awaitBackend(String policy, String status, String message) {
    awaitWhileTimePasses(
        () ->
            Conditions.find(
                    connection
                        .api()
                        .get(Policy.POLICIES, ObjectKey.cluster(policy))
                        .orElseThrow()
                        .conditions(),
                    "BackendReachable")
                .filter(one -> one.status().equals(status) && one.message().contains(message))
                .isPresent());
  }

  /** For what a timer of the controller brings about. */
  void awaitWhileTimePasses(BooleanSupplier condition) {
    cluster.advanceUntil(Duration.ofMinutes(1), "what takes time", condition);
  }

  void awaitEvent(String text) {
    Awaitility.await()
        .until(
            () ->
                connection
                    .api()
                    .list(CoreTypes.EVENT, ListOptions.inNamespace(NAMESPACE))
                    .items()
                    .stream()
                    .anyMatch(event -> String.valueOf(event.getNote()).contains(text)));
  }

  ClusterConnection connection() {
    return connection;
  }

  @Override
  public void close() {
    connection.close();
  }
}
