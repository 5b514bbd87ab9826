// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.StopPolicy;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.core.cache.FreshCache;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.lifecycle.Preemption;
import io.github.kueue4j.core.owner.JobListener;
import io.github.kueue4j.core.owner.Jobs;
import io.github.kueue4j.core.owner.ManagedKinds;
import io.github.kueue4j.core.preemption.Candidate;
import io.github.kueue4j.core.report.CoreMetrics;
import io.github.kueue4j.core.report.Measured;
import io.github.kueue4j.core.report.QueueLabels;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.workload.PlanReporter;
import io.github.kueue4j.core.workload.SituationBuilder;
import io.github.kueue4j.core.workload.WorkloadReconciler;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.EventRecorder;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.informer.Informers;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.simulation.SimulatedCluster;
import io.kubernetes.client.common.KubernetesObject;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the State or a queue comes to say after the worker of a Workload has decided. */
@Simulated
class LateNewsTest {
  @Test
  void aReservationThatQuotaNoLongerCoversIsWithdrawnAndNotAdmitted() throws Exception {
    try (World world = new World()) {
      world.onCatchUp = () -> world.outbox.overcommitted(world.key(), true);

      world.reconcile();

      assertThat(world.statuses).noneMatch(TestCluster::admitted);
      assertThat(TestCluster.reserved(world.statuses.getFirst())).isFalse();
    }
  }

  @Test
  void aReservationThatCountsOnVictimsIsNotAdmitted() throws Exception {
    try (World world = new World()) {
      world.onCatchUp = () -> world.outbox.awaitsVictims(world.key(), true);

      world.reconcile();

      assertThat(world.statuses).isEmpty();
    }
  }

  @Test
  void aReservationOfWhichNothingIsHeardIsAdmittedByOnePatch() throws Exception {
    try (World world = new World()) {
      world.reconcile();

      assertThat(world.statuses).singleElement().matches(TestCluster::admitted);
      assertThat(world.catchUps).as("one after the start, one before the admission").isEqualTo(2);
    }
  }

  @Test
  void aVictimThatIsNeededNoMoreIsNotEvicted() throws Exception {
    try (World world = new World()) {
      world.admit();
      ObjectKey preemptor = TestCluster.key("preemptor");
      world.outbox.preempt(preemptor, Map.of(world.key(), world.order(preemptor)));
      world.onLookAtJob = () -> world.outbox.withdrawPreemptions(preemptor);

      world.reconcile();

      assertThat(world.looks).as("looks at the Job").isPositive();
      assertThat(world.cluster.workload("w").conditions().evicted()).isFalse();
    }
  }

  @Test
  void aWorkloadWhoseQueueRunsAgainIsNotDrained() throws Exception {
    try (World world = new World()) {
      world.admit();
      world.stopQueue(StopPolicy.HOLD_AND_DRAIN);
      world.onLookAtJob = () -> world.stopQueue(StopPolicy.NONE);

      world.reconcile();

      assertThat(world.looks).as("looks at the Job").isPositive();
      assertThat(world.cluster.workload("w").conditions().evicted()).isFalse();
    }
  }

  /** The worker of a Workload whose one check is Ready and whose Job hasn't begun. */
  private static final class World implements WriteOutcomes, AutoCloseable {
    final TestCluster cluster = new TestCluster();
    final Outbox outbox = new Outbox();
    final List<Workload> statuses = new ArrayList<>();
    Runnable onCatchUp = () -> {};
    Runnable onLookAtJob = () -> {};
    int catchUps;
    int looks;

    private final ClusterConnection connection =
        SimulatedCluster.connection("worker", cluster.server).connect();
    private final Informers informers = Informers.on(connection);
    private final CoreInformers caches = CoreInformers.register(informers);
    private final EventRecorder events =
        EventRecorder.on(connection, cluster.time, new SimpleMeterRegistry());
    private final WorkloadReconciler worker = worker();

    World() throws InterruptedException {
      cluster.check("budget");
      cluster.queue("admissionChecksStrategy: {admissionChecks: [{name: budget}]}", "default=1");
      cluster.startCore();
      cluster.job("w", 1);
      cluster.awaitWorkload("w", TestCluster::reserved);
      cluster.settle();
      cluster.crashCore();
      cluster.answer("w", "budget", CheckState.READY, null);
      informers.start();
      informers.awaitSynced(Duration.ofMinutes(1));
    }

    private WorkloadReconciler worker() {
      Configuration configuration =
          Configuration.parse(
              """
              apiVersion: config.kueue.x-k8s.io/v1beta2
              kind: Configuration
              """);
      KubernetesApi api =
          (KubernetesApi)
              Proxy.newProxyInstance(
                  KubernetesApi.class.getClassLoader(),
                  new Class<?>[] {KubernetesApi.class},
                  (proxy, method, arguments) -> request(method, arguments));
      FreshCache<Workload> workloads =
          FreshCache.over(caches.workloads(), KueueTypes.WORKLOAD, api);
      Jobs jobs =
          new Jobs(
              new ManagedKinds(informers, caches, workloads, api, events, configuration),
              caches,
              api,
              events,
              new Unlistened(),
              configuration,
              cluster.time);
      return new WorkloadReconciler(
          workloads,
          jobs,
          new SituationBuilder(
              caches,
              configuration.lifecycle(),
              outbox,
              caches.demands(configuration.resourceRules()),
              jobs,
              configuration.podsReady(),
              false),
          outbox,
          this,
          new PlanReporter(
              events,
              new CoreMetrics(
                  new SimpleMeterRegistry(),
                  cluster.time,
                  new Measured(false, false, false),
                  QueueLabels.of(caches, configuration.metrics()),
                  configuration.integrations().kinds(),
                  "standalone"),
              configuration.extensions().events()),
          cluster.time);
    }

    private Object request(Method method, Object[] arguments) throws Throwable {
      if (method.getName().equals("get") && arguments[0] == CoreTypes.JOB) {
        looks++;
        onLookAtJob.run();
      }
      try {
        Object answer = method.invoke(connection.api(), arguments);
        if (method.getName().equals("patchStatus") && answer instanceof Workload workload) {
          statuses.add(workload);
        }
        return answer;
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }

    void reconcile() throws InterruptedException {
      worker.reconcile(key());
    }

    ObjectKey key() {
      return ObjectKey.of(cluster.workload("w"));
    }

    /** Another core has admitted the Workload, and ended before it could start the Job. */
    void admit() {
      Workload before = cluster.workload("w");
      Workload admitted =
          cluster.api.patchStatus(
              KueueTypes.WORKLOAD,
              GuardedPatch.ofStatus(
                  before,
                  before.withStatus(
                      before
                          .status()
                          .withConditions(
                              Conditions.set(
                                  before.status().conditions(),
                                  Condition.isTrue(
                                      WorkloadConditions.ADMITTED,
                                      "Admitted",
                                      "",
                                      cluster.time.instant()))))));
      await()
          .until(
              () ->
                  caches.workloads().get(ObjectKey.of(admitted)).stream()
                      .anyMatch(TestCluster::admitted));
    }

    PreemptionOrder order(ObjectKey preemptor) {
      Workload victim = cluster.workload("w");
      return new PreemptionOrder(
          Candidate.asWritten(victim, 0),
          preemptor,
          "cq",
          new Preemption("InClusterQueue", "for another"),
          "",
          "");
    }

    /** Writes how the queue is stopped, and waits until the worker can know. */
    void stopQueue(StopPolicy policy) {
      ClusterQueue before = cluster.clusterQueue();
      cluster.api.patch(
          KueueTypes.CLUSTER_QUEUE,
          ObjectKey.of(before),
          TestCluster.merge("{\"spec\": {\"stopPolicy\": \"%s\"}}".formatted(policy.value())));
      await()
          .until(
              () ->
                  caches.clusterQueues().get(ObjectKey.of(before)).stream()
                      .anyMatch(queue -> queue.spec().stopPolicy().equals(policy)));
    }

    @Override
    public void written(Workload workload) {}

    @Override
    public void reservationWritten(AssumedReservation reservation, Workload written) {}

    @Override
    public void reservationFailed(AssumedReservation reservation, Duration pause) {}

    @Override
    public void preemptionFailed(PreemptionOrder order, Duration pause) {}

    @Override
    public void catchUp() {
      catchUps++;
      if (catchUps > 1) {
        onCatchUp.run();
      }
    }

    @Override
    public void close() {
      events.close();
      informers.close();
      connection.close();
      cluster.close();
    }
  }

  private static final class Unlistened implements JobListener {
    @Override
    public void workloadCreated(ResourceType<?> kind, KubernetesObject job) {}

    @Override
    public void suspensionUnheeded(String framework) {}
  }
}
