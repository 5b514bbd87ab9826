/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Cohort;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.WaitForPodsReady;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.queue.Demands;
import io.github.kueue4j.core.queue.ResourceRules;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.scheduler.SchedulingGates;
import io.github.kueue4j.core.usage.UsagePolicy;
import io.kubernetes.client.openapi.models.V1LimitRange;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Everything that scheduling depends on: queues, who waits, who holds how much quota. It is fed by
 * the informers' changes and by the outcome of our own writes, and belongs to one thread (see
 * {@link StateLoop}); it writes nothing itself but asks for it through the {@link Outbox}.
 *
 * <p>A decided reservation counts at once, before any version of the Workload shows it: nothing is
 * reserved twice however late the informer is.
 */
@API(status = API.Status.INTERNAL)
public final class State {
  private final QueueIndex queues = new QueueIndex();
  private final Claims claims;
  private final Scheduling scheduling;
  private final FairUsage usage;
  private final Reports reports;
  private final WorkloadChanges workloadChanges;
  private final RuleChanges ruleChanges;

  /** What follows from a change of the State. Called on the State's thread; must not block. */
  @API(status = API.Status.INTERNAL)
  public interface Effects {
    /** A Workload should be looked at. */
    void wake(ObjectKey workload);

    /** A Workload should be looked at, but not before {@code when}. */
    void wakeAt(ObjectKey workload, Instant when);

    /** A Workload can be tried again from {@code when} on. */
    void retryAt(ObjectKey workload, Instant when);

    /** The scheduler should run again at {@code when}, whatever happens until then. */
    void scheduleAt(Instant when);

    /** What is counted for a queue has changed; LocalQueues have a namespace. */
    void queueChanged(ObjectKey queue);

    /** A Cohort came, changed or went, or it has other members. */
    void cohortChanged(String cohort);

    /** A head was tried. */
    void attempted(Decision decision);

    /** A scheduling cycle that has candidates begins. */
    default void cycleBegins() {}

    /** A scheduling cycle is over that decided so. */
    default void cycled(List<Decision> decisions) {}
  }

  /**
   * A State that knows nothing yet.
   *
   * @param rules what of the pods' resources needs quota
   */
  public State(ResourceRules rules, Outbox outbox, Effects effects) {
    this(rules, null, PreemptionSettings.classical(), outbox, effects);
  }

  /**
   * A State that knows nothing yet.
   *
   * @param rules what of the pods' resources needs quota
   * @param usagePolicy how past usage counts for admission fair sharing; null: it doesn't
   * @param preemption how the configuration wants it
   */
  public State(
      ResourceRules rules,
      @Nullable UsagePolicy usagePolicy,
      PreemptionSettings preemption,
      Outbox outbox,
      Effects effects) {
    this(
        rules,
        usagePolicy,
        preemption,
        SchedulingGates.defaults(),
        WaitForPodsReady.ifAsked(),
        outbox,
        effects);
  }

  /**
   * A State that knows nothing yet.
   *
   * @param rules what of the pods' resources needs quota
   * @param usagePolicy how past usage counts for admission fair sharing; null: it doesn't
   * @param preemption how the configuration wants it
   * @param gates what feature gates say
   * @param podsReady whether it matters that pods are ready
   */
  public State(
      ResourceRules rules,
      @Nullable UsagePolicy usagePolicy,
      PreemptionSettings preemption,
      SchedulingGates gates,
      WaitForPodsReady podsReady,
      Outbox outbox,
      Effects effects) {
    Catalog catalog = new Catalog();
    Quotas quotas = new Quotas(queues, catalog);
    this.usage = new FairUsage(queues, catalog, quotas, usagePolicy, effects);
    this.reports = new Reports(queues, quotas, usage);
    WaitingNotices notices = new WaitingNotices(outbox, effects);
    PreemptionOrders orders =
        new PreemptionOrders(queues, quotas, gates.priorityBoost(), outbox, effects);
    this.claims = new Claims(preemption, queues, quotas, catalog, usage, orders, outbox, effects);
    StartGate gate = new StartGate(podsReady.blockAdmission());
    Ledger ledger =
        new Ledger(
            queues,
            quotas,
            claims,
            new Demands(rules, catalog::limits, catalog::overhead),
            notices,
            outbox,
            usage,
            podsReady,
            gates,
            gate,
            effects);
    this.scheduling =
        new Scheduling(
            preemption,
            gates,
            queues,
            catalog,
            quotas,
            ledger,
            claims,
            orders,
            notices,
            outbox,
            new Nominations(queues, catalog, quotas, usage),
            usage,
            gate,
            effects);
    this.workloadChanges = new WorkloadChanges(queues, ledger, outbox, effects);
    this.ruleChanges = new RuleChanges(queues, catalog, quotas, ledger, usage, reports, effects);
  }

  // What happens in the world.

  /** A version of a Workload was seen; one that is older than what is known changes nothing. */
  public void workload(Workload workload, Instant now) {
    workloadChanges.workload(workload, now);
  }

  /**
   * Our own write has returned this version. A Workload that the informer doesn't know (any more)
   * is none of our business: it may be gone already, and nobody would ever tell us again.
   */
  public void written(Workload workload, Instant now) {
    workloadChanges.written(workload, now);
  }

  /** A Workload was deleted. */
  public void workloadGone(ObjectKey key, Instant now) {
    workloadChanges.workloadGone(key, now);
  }

  /** The worker has written the reservation, or found that it is there. */
  public void reservationWritten(
      ObjectKey key, Decision.Reserve decision, Workload written, Instant now) {
    workloadChanges.reservationWritten(key, decision, written, now);
  }

  /**
   * The worker could not write the reservation: the quota is free again.
   *
   * @param notBefore when to try again
   */
  public void reservationFailed(
      ObjectKey key, Decision.Reserve decision, Instant notBefore, Instant now) {
    workloadChanges.reservationFailed(key, decision, notBefore, now);
  }

  /**
   * A victim's worker found nothing to preempt. If it still looks like one from here, the preemptor
   * is tried again, so that it doesn't wait for ever for what nobody does.
   *
   * @param notBefore when to try again
   */
  public void preemptionFailed(PreemptionOrder order, Instant notBefore, Instant now) {
    workloadChanges.preemptionFailed(order, notBefore, now);
  }

  /** Looks at a Workload again, since time has passed. */
  public void reconsider(ObjectKey key, Instant now) {
    workloadChanges.reconsider(key, now);
  }

  /** A ClusterQueue came, changed or went; null when it is gone. */
  public void clusterQueue(String name, @Nullable ClusterQueue queue, Instant now) {
    ruleChanges.clusterQueue(name, queue, now);
  }

  /** A Cohort came, changed or went; null when it is gone, which its members need not notice. */
  public void cohort(String name, @Nullable Cohort cohort, Instant now) {
    ruleChanges.cohort(name, cohort, now);
  }

  /** A LocalQueue came, changed or went; null when it is gone. */
  public void localQueue(ObjectKey key, @Nullable LocalQueue queue, Instant now) {
    ruleChanges.localQueue(key, queue, now);
  }

  /** A ResourceFlavor came, changed or went; null when it is gone. */
  public void flavor(String name, @Nullable ResourceFlavor flavor, Instant now) {
    ruleChanges.flavor(name, flavor, now);
  }

  /** An AdmissionCheck came, changed or went; null when it is gone. */
  public void check(String name, @Nullable AdmissionCheck check, Instant now) {
    ruleChanges.check(name, check, now);
  }

  /** A LimitRange came, changed or went; null when it is gone. */
  public void limitRange(ObjectKey key, @Nullable V1LimitRange range, Instant now) {
    ruleChanges.limitRange(key, range, now);
  }

  /**
   * A RuntimeClass came, changed or went.
   *
   * @param overhead what it adds to every pod; empty when it is gone
   */
  public void runtimeClass(String name, Map<String, Quantity> overhead, Instant now) {
    ruleChanges.runtimeClass(name, overhead, now);
  }

  /**
   * A namespace came or changed.
   *
   * @param labels null when it is gone
   */
  public void namespace(String name, @Nullable Map<String, String> labels) {
    ruleChanges.namespace(name, labels);
  }

  /**
   * Runs scheduling cycles until no queue has a head left that is worth a try.
   *
   * @return false if it stopped early so that events get their turn
   */
  public boolean schedule(Instant now) {
    if (usage.look(now)) {
      claims.chooseAnew(now);
    }
    return scheduling.run(now);
  }

  // What the shell asks.

  /** What a ClusterQueue holds; empty if there is no such object. */
  public Optional<ClusterQueueReport> clusterQueue(String name) {
    return reports.clusterQueue(name);
  }

  /** What all that wait in a ClusterQueue ask for together, by resource. */
  public Amounts<String> pendingRequests(String clusterQueue) {
    return reports.pendingRequests(clusterQueue);
  }

  /** What a LocalQueue holds; empty if there is no such object. */
  public Optional<LocalQueueReport> localQueue(ObjectKey key) {
    return reports.localQueue(key);
  }

  /** What a Cohort holds; empty if neither an object nor a member names it. */
  public Optional<CohortReport> cohort(String name) {
    return reports.cohort(name);
  }

  /** The Cohorts above a ClusterQueue, its own first and the root last. */
  public List<String> cohortsAbove(String clusterQueue) {
    return reports.cohortsAbove(clusterQueue);
  }

  /** Whether any Workload holds quota of a ClusterQueue, be there such an object or not. */
  public boolean quotaHeldIn(String clusterQueue) {
    return queues.clusterQueue(clusterQueue).filter(entry -> !entry.holders.isEmpty()).isPresent();
  }
}
