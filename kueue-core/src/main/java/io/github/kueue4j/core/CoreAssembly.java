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
package io.github.kueue4j.core;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.core.admission.AdmissionRules;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.core.cache.FreshCache;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.FeatureGate;
import io.github.kueue4j.core.config.FeatureGates;
import io.github.kueue4j.core.finalizer.ObjectsInUse;
import io.github.kueue4j.core.job.JobKind;
import io.github.kueue4j.core.job.JobKinds;
import io.github.kueue4j.core.job.Trimming;
import io.github.kueue4j.core.lifecycle.LifecycleSettings;
import io.github.kueue4j.core.owner.Jobs;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.report.BlockingQueueWarning;
import io.github.kueue4j.core.report.BuildInfo;
import io.github.kueue4j.core.report.CohortInfo;
import io.github.kueue4j.core.report.CohortStatusReconciler;
import io.github.kueue4j.core.report.CoreMetrics;
import io.github.kueue4j.core.report.Looks;
import io.github.kueue4j.core.report.Measured;
import io.github.kueue4j.core.report.QueueLabels;
import io.github.kueue4j.core.report.QueueStatusReconciler;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.scheduler.SchedulingGates;
import io.github.kueue4j.core.state.Outbox;
import io.github.kueue4j.core.state.State;
import io.github.kueue4j.core.state.StateLoop;
import io.github.kueue4j.core.webhook.Webhooks;
import io.github.kueue4j.core.workload.Facts;
import io.github.kueue4j.core.workload.PlanAftermath;
import io.github.kueue4j.core.workload.WorkloadReconciler;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.Controller;
import io.github.kueue4j.runtime.ControllerHost;
import io.github.kueue4j.runtime.EventRecorder;
import io.github.kueue4j.runtime.Informers;
import io.github.kueue4j.runtime.LeaderElection;
import io.github.kueue4j.runtime.Reconciler;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts the parts of the core together: informers feed the State, workers carry out its wishes. */
final class CoreAssembly implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(CoreAssembly.class);
  private static final int DEFAULT_WORKLOAD_WORKERS = 10;
  private static final int DEFAULT_QUEUE_WORKERS = 2;
  private static final int DEFAULT_COHORT_WORKERS = 1;
  private static final Duration GRACE = Duration.ofSeconds(10);

  private final RevocableApi api;
  private final TimeSource time;
  private final CoreInformers caches;
  private final Outbox outbox = new Outbox();
  private final CoreMetrics metrics;
  private final StateLoop loop;
  private final Controller workloads;
  private final Controller queueStatuses;
  private final Looks queueLooks;
  private final Controller cohortStatuses;
  private final Looks cohortLooks;
  private final ObjectsInUse objectsInUse;
  private final ControllerHost host;
  private final RecorderSwitch events;
  private final Optional<Webhooks> webhooks;
  private final Endpoints endpoints;

  CoreAssembly(
      ClusterConnection unlimited,
      Configuration configuration,
      TimeSource time,
      TimeSource pace,
      @Nullable String identity,
      Runnable onLeadershipLost) {
    ClusterConnection connection = limited(unlimited, configuration);
    this.time = time;
    this.api = new RevocableApi(connection.api());
    if (!configuration.unusedKeys().isEmpty()) {
      log.atWarn()
          .addKeyValue("keys", configuration.unusedKeys())
          .log("The configuration has keys that have no effect");
    }
    if (configuration.usagePolicy().filter(policy -> policy.halfLife().isZero()).isPresent()) {
      log.atWarn()
          .addKeyValue("key", "admissionFairSharing.usageHalfLifeTime")
          .log("Past usage is forgotten at once and orders nothing; set a half-life above 0");
    }
    Informers informers = Informers.on(connection);
    this.caches = CoreInformers.register(informers);
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    boolean elects = configuration.leaderElection().leaderElect();
    String role = elects ? "leader" : "standalone";
    registry.getPrometheusRegistry().register(new CohortInfo(caches, role));
    registry.getPrometheusRegistry().register(BuildInfo.read());
    this.metrics =
        new CoreMetrics(
            registry,
            time,
            measured(configuration),
            QueueLabels.of(caches, configuration.metrics()),
            role);
    this.events = new RecorderSwitch(EventRecorder.on(connection, time, registry));
    StateEffects effects = new StateEffects();
    State state =
        new State(
            configuration.resourceRules(),
            configuration.usagePolicy().orElse(null),
            preemption(configuration),
            gates(configuration.featureGates()),
            configuration.podsReady(),
            outbox,
            effects);
    this.loop = new StateLoop(state, time, metrics::cycle);
    FreshCache<Workload> freshWorkloads =
        FreshCache.over(caches.workloads(), KueueTypes.WORKLOAD, api, Trimming::workload);
    FreshCache<ClusterQueue> freshClusterQueues =
        FreshCache.over(caches.clusterQueues(), KueueTypes.CLUSTER_QUEUE, api);
    Jobs jobs =
        new Jobs(
            kinds(configuration),
            informers,
            caches,
            freshWorkloads,
            api,
            events,
            configuration.featureGates().enabled(FeatureGate.METRIC_FOR_WORKLOAD_CREATION_LATENCY)
                ? metrics::workloadCreated
                : (kind, job) -> {},
            configuration);
    this.workloads = workloadController(configuration, freshWorkloads, jobs);
    boolean fairSharing = !configuration.fairSharingStrategies().isEmpty();
    Duration interval = configuration.extensions().queueStatusInterval();
    this.queueLooks = new Looks(pace, interval);
    this.cohortLooks = new Looks(pace, interval);
    this.queueStatuses =
        controller(
                "queue-status",
                new QueueStatusReconciler(
                    api,
                    freshClusterQueues,
                    FreshCache.over(caches.localQueues(), KueueTypes.LOCAL_QUEUE, api),
                    loop,
                    metrics.queues(),
                    fairSharing,
                    time,
                    queueLooks))
            .delaysBy(pace)
            .workers(
                Math.max(
                    configuration.concurrency("ClusterQueue", DEFAULT_QUEUE_WORKERS),
                    configuration.concurrency("LocalQueue", DEFAULT_QUEUE_WORKERS)))
            .build();
    this.cohortStatuses =
        controller(
                "cohort-status",
                new CohortStatusReconciler(
                    api,
                    FreshCache.over(caches.cohorts(), KueueTypes.COHORT, api),
                    loop,
                    metrics.queues(),
                    fairSharing,
                    cohortLooks))
            .delaysBy(pace)
            .workers(configuration.concurrency("Cohort", DEFAULT_COHORT_WORKERS))
            .build();
    this.objectsInUse =
        new ObjectsInUse(
            api, caches, freshClusterQueues, loop, configuration::concurrency, this::controller);
    ControllerHost.Builder builder =
        ControllerHost.builder(connection, time)
            .informers(informers)
            .controller(workloads)
            .controller(queueStatuses)
            .controller(cohortStatuses)
            .events(events)
            .meters(registry)
            .syncTimeout(configuration.cacheSyncTimeout())
            .gracePeriod(GRACE)
            .onLeading(loop::beginScheduling)
            .onLeadershipLost(onLeadershipLost);
    objectsInUse.controllers().forEach(builder::controller);
    builder.controller(
        controller(
                "queue-warnings",
                new BlockingQueueWarning(caches.clusterQueues(), configuration.podsReady(), events))
            .watch(caches.clusterQueues())
            .build());
    this.webhooks =
        configuration
            .webhook()
            .map(
                settings ->
                    Webhooks.on(
                        api,
                        settings,
                        configuration.namespace(),
                        new AdmissionRules(
                                configuration, new CachedSurroundings(caches, jobs, configuration))
                            .reviewers(),
                        configuration.tls(),
                        unlimited.wireTime()));
    this.endpoints = Endpoints.on(builder, configuration, unlimited, webhooks);
    webhooks.ifPresent(served -> builder.readiness(served::problems));
    if (elects) {
      builder.leaderElection(election(configuration, identity));
    }
    this.host = builder.build();
    StateFeed.connect(caches, loop, time);
    StateFeed.measureRelabelled(caches, loop, effects);
  }

  ControllerHost host() {
    return host;
  }

  StateLoop loop() {
    return loop;
  }

  void start() throws InterruptedException {
    try {
      endpoints.start();
      loop.start();
      webhooks.ifPresent(Webhooks::start);
      host.start();
      if (webhooks.isPresent()) {
        webhooks.get().awaitFirstLook();
      }
    } catch (RuntimeException | InterruptedException e) {
      close();
      throw e;
    }
  }

  @Override
  public void close() {
    host.close();
    loop.close();
    endpoints.close();
    webhooks.ifPresent(Webhooks::close);
  }

  /** The port of the look inside; -1 if it isn't served. */
  int diagnosticsPort() {
    return endpoints.diagnosticsPort();
  }

  /** The port of the webhooks; -1 if they aren't served. */
  int webhookPort() {
    return webhooks.map(Webhooks::port).orElse(-1);
  }

  void crash() {
    api.revoke();
    events.silence();
    loop.close();
    endpoints.close();
    webhooks.ifPresent(Webhooks::close);
    host.abandon();
  }

  private Controller workloadController(
      Configuration configuration, FreshCache<Workload> fresh, Jobs jobs) {
    Facts facts =
        new Facts(
            caches,
            LifecycleSettings.defaults()
                .withAcRequeueAfter(
                    configuration.featureGates().enabled(FeatureGate.AC_REQUEUE_AFTER))
                .withMaximumRetryDelay(configuration.extensions().maximumRetryDelay()),
            outbox,
            caches.demands(configuration.resourceRules()),
            jobs,
            configuration.podsReady(),
            configuration.featureGates().enabled(FeatureGate.ADMISSION_GATED_BY));
    WorkloadReconciler reconciler =
        new WorkloadReconciler(
            api, fresh, jobs, facts, outbox, loop, new PlanAftermath(events, metrics), time);
    Controller.Builder controller =
        controller("workloads", reconciler)
            .watch(caches.workloads())
            .watch(
                caches.workloadPriorityClasses(),
                change -> caches.workloadsOf(KueueTypes.GROUP, change.key().name()))
            .watch(
                caches.podPriorityClasses(),
                change -> caches.workloadsOf(CoreTypes.PRIORITY_CLASS.group(), change.key().name()))
            .workers(configuration.concurrency("Workload", DEFAULT_WORKLOAD_WORKERS));
    jobs.watchedBy(controller);
    return controller.build();
  }

  /** A kind that the server doesn't know would keep the caches from ever being full. */
  private List<? extends JobKind<?>> kinds(Configuration configuration) {
    List<JobKind<?>> kinds = new ArrayList<>();
    for (JobKind<?> kind : JobKinds.ALL) {
      if (configuration.integrations().frameworks().contains(kind.framework())) {
        if (kind.type().group().equals(CoreTypes.JOB.group()) || api.serves(kind.type())) {
          kinds.add(kind);
        } else {
          log.atWarn()
              .addKeyValue("framework", kind.framework())
              .addKeyValue("type", kind.type())
              .log("The server doesn't serve this kind of Jobs; install it and restart the core");
        }
      }
    }
    return kinds;
  }

  private Controller.Builder controller(String name, Reconciler reconciler) {
    return Controller.builder(name, api.endingWithIt(reconciler));
  }

  private static ClusterConnection limited(
      ClusterConnection connection, Configuration configuration) {
    double perSecond = configuration.queriesPerSecond();
    return perSecond > 0 ? connection.limited(perSecond, configuration.burst()) : connection;
  }

  private static Measured measured(Configuration configuration) {
    return new Measured(
        configuration.metrics().resources(),
        configuration.featureGates().enabled(FeatureGate.METRICS_FOR_COHORTS),
        !configuration.fairSharingStrategies().isEmpty());
  }

  private static PreemptionSettings preemption(Configuration configuration) {
    return new PreemptionSettings(
        configuration.fairSharingStrategies(),
        configuration.featureGates().enabled(FeatureGate.FAIR_SHARING_PREEMPT_WITHIN_NOMINAL),
        configuration.featureGates().enabled(FeatureGate.FAIR_SHARING_PRIORITIZE_NON_BORROWING));
  }

  private static SchedulingGates gates(FeatureGates gates) {
    return new SchedulingGates(
        gates.enabled(FeatureGate.PARTIAL_ADMISSION),
        gates.enabled(FeatureGate.FLAVOR_FUNGIBILITY),
        gates.enabled(FeatureGate.PRIORITY_SORTING_WITHIN_COHORT),
        gates.enabled(FeatureGate.RECOMPUTE_ASSIGNMENT_UPON_PREEMPTION_TARGETS_OVERLAP),
        gates.enabled(FeatureGate.ADMISSION_GATED_BY),
        gates.enabled(FeatureGate.PRIORITY_BOOST));
  }

  private static LeaderElection election(Configuration configuration, @Nullable String identity) {
    var settings = configuration.leaderElection();
    LeaderElection election =
        LeaderElection.named(configuration.namespace(), settings.resourceName())
            .withTimes(settings.leaseDuration(), settings.renewDeadline(), settings.retryPeriod());
    return identity == null ? election : election.withIdentity(identity);
  }

  /** What the State wants done; called on its thread. */
  private final class StateEffects implements State.Effects {
    private final Set<ObjectKey> changed = new LinkedHashSet<>();
    private long cycleBegan;

    @Override
    public void wake(ObjectKey workload) {
      workloads.queue().add(workload);
    }

    @Override
    public void wakeAt(ObjectKey workload, Instant when) {
      workloads.queue().addAt(workload, when);
    }

    @Override
    public void retryAt(ObjectKey workload, Instant when) {
      time.at(when, () -> loop.post(state -> state.reconsider(workload, time.instant())));
    }

    @Override
    public void scheduleAt(Instant when) {
      time.at(when, () -> loop.post(state -> {}));
    }

    @Override
    public void queueChanged(ObjectKey queue) {
      if (changed.isEmpty()) {
        loop.post(this::measureChanged);
      }
      changed.add(queue);
    }

    private void measureChanged(State state) {
      List<ObjectKey> queues = List.copyOf(changed);
      changed.clear();
      for (ObjectKey queue : queues) {
        if (queueLooks.ask(queue)) {
          queueStatuses.queue().add(queue);
        }
        if (queue.namespace().isEmpty()) {
          objectsInUse.released(queue);
          state.cohortsAbove(queue.name()).forEach(this::cohortChanged);
        }
      }
      // Last: a meter that fails keeps nobody from being told.
      queues.forEach(queue -> metrics.queues().queue(state, queue));
    }

    @Override
    public void cohortChanged(String cohort) {
      ObjectKey key = ObjectKey.cluster(cohort);
      if (cohortLooks.ask(key)) {
        cohortStatuses.queue().add(key);
      }
    }

    @Override
    public void attempted(Decision decision) {
      metrics.attempted(decision);
    }

    @Override
    public void cycleBegins() {
      cycleBegan = System.nanoTime();
    }

    @Override
    public void cycled(List<Decision> decisions) {
      metrics.cycled(decisions, Duration.ofNanos(System.nanoTime() - cycleBegan));
    }
  }
}
