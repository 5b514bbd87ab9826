// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.core.admission.AdmissionRules;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.FeatureGate;
import io.github.kueue4j.core.finalizer.ObjectsInUse;
import io.github.kueue4j.core.owner.JobListener;
import io.github.kueue4j.core.owner.Jobs;
import io.github.kueue4j.core.owner.ManagedKinds;
import io.github.kueue4j.core.report.BlockingQueueWarning;
import io.github.kueue4j.core.report.CoreMetrics;
import io.github.kueue4j.core.state.Outbox;
import io.github.kueue4j.core.state.SchedulingSettings;
import io.github.kueue4j.core.state.State;
import io.github.kueue4j.core.state.StateLoop;
import io.github.kueue4j.core.webhook.Webhooks;
import io.github.kueue4j.core.workload.PlanReporter;
import io.github.kueue4j.core.workload.SituationBuilder;
import io.github.kueue4j.core.workload.WorkloadReconciler;
import io.github.kueue4j.runtime.controller.Controller;
import io.github.kueue4j.runtime.controller.ControllerHost;
import io.kubernetes.client.common.KubernetesObject;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Optional;

/**
 * Puts the parts of the core together: informers feed the State, and controllers carry out what it
 * requests.
 */
final class CoreAssembly implements AutoCloseable {
  private static final int DEFAULT_WORKLOAD_WORKERS = 10;
  private static final Duration GRACE = Duration.ofSeconds(10);

  private final ClusterAccess cluster;
  private final StateLoop loop;
  private final Optional<Webhooks> webhooks;
  private final Endpoints endpoints;
  private final Duration drain;
  private volatile boolean started;
  private final Optional<ServedView> view;
  private final ControllerHost host;

  CoreAssembly(CoreOptions options) {
    Configuration configuration = options.configuration();
    ConfiguredSettings.warnAboutIneffective(configuration);

    // What everything else reads and writes with.
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    cluster = ClusterAccess.over(options.connection(), configuration, options.time(), registry);
    CoreMetrics metrics = Monitoring.in(registry, cluster.caches(), configuration, options.time());

    // The State and its thread.
    Outbox outbox = new Outbox();
    StateEffects effects = new StateEffects(options.time(), metrics);
    State state =
        new State(SchedulingSettings.of(configuration), outbox, effects, options.time().steady());
    loop =
        new StateLoop(
            state,
            options.time(),
            metrics::cycle,
            options.connection().wireTime(),
            options.connection().fatalErrors(),
            options.connection().threads());

    // The controllers that carry out what the State requests.
    Jobs jobs = jobs(cluster, metrics, options);
    Controller workloads = workloads(cluster, jobs, outbox, loop, metrics, options);
    QueueStatusControllers statuses =
        new QueueStatusControllers(cluster, loop, metrics.queues(), options);
    ObjectsInUse objectsInUse =
        new ObjectsInUse(
            cluster.api(),
            cluster.caches(),
            cluster.clusterQueues(),
            loop,
            cluster.events(),
            configuration::concurrency,
            cluster::controller);
    effects.connect(new StateEffects.Receivers(loop, workloads, statuses, objectsInUse));

    // The servers, and the host that runs it all.
    webhooks = webhooks(cluster, jobs, options, registry);
    ControllerHost.Builder builder =
        ControllerHost.builder(cluster.connection(), options.time())
            .informers(cluster.informers())
            .controller(workloads)
            .events(cluster.events())
            .meters(registry)
            .syncTimeout(configuration.cacheSyncTimeout())
            .gracePeriod(GRACE)
            .liveness(loop::problems)
            .leaseGuard(cluster.leaseGuard())
            .onLeading(
                () -> {
                  metrics.workloads().begin();
                  loop.beginScheduling();
                })
            .onLeadershipLost(options.onLeadershipLost());
    statuses.controllers().forEach(builder::controller);
    objectsInUse.controllers().forEach(builder::controller);
    builder.controller(queueWarnings(cluster, configuration));
    drain = options.drain();
    if (options.probePort() != null) {
      builder.probePort(options.probePort());
    }
    endpoints = Endpoints.on(builder, configuration, options.connection(), webhooks);
    webhooks.ifPresent(served -> builder.readiness(served::problems));
    if (configuration.leaderElection().leaderElect()) {
      builder.leaderElection(ConfiguredSettings.election(configuration, options.identity()));
    }
    host = builder.build();
    view = endpoints.view(options.view(), cluster.caches(), loop, options.time());

    // From now on the State hears what the informers see.
    StateFeed.connect(cluster.caches(), loop, options.time());
    StateFeed.reportUnheeded(cluster.caches(), loop, effects);
    cluster.caches().checks().onChange(change -> metrics.read(change.object()));
  }

  private static Jobs jobs(ClusterAccess cluster, CoreMetrics metrics, CoreOptions options) {
    Configuration configuration = options.configuration();
    ManagedKinds kinds =
        new ManagedKinds(
            cluster.informers(),
            cluster.caches(),
            cluster.workloads(),
            cluster.api(),
            cluster.events(),
            configuration);
    return new Jobs(
        kinds,
        cluster.caches(),
        cluster.api(),
        cluster.events(),
        listener(configuration, metrics),
        configuration,
        options.time());
  }

  private static JobListener listener(Configuration configuration, CoreMetrics metrics) {
    boolean measured =
        configuration.featureGates().enabled(FeatureGate.METRIC_FOR_WORKLOAD_CREATION_LATENCY);
    return new JobListener() {
      @Override
      public void workloadCreated(ResourceType<?> kind, KubernetesObject job) {
        if (measured) {
          metrics.workloadCreated(kind, job);
        }
      }

      @Override
      public void suspensionUnheeded(String framework) {
        metrics.suspensionUnheeded(framework);
      }
    };
  }

  private static Controller workloads(
      ClusterAccess cluster,
      Jobs jobs,
      Outbox outbox,
      StateLoop loop,
      CoreMetrics metrics,
      CoreOptions options) {
    Configuration configuration = options.configuration();
    CoreInformers caches = cluster.caches();
    SituationBuilder situationBuilder =
        new SituationBuilder(
            caches,
            configuration.lifecycle(),
            outbox,
            caches.demands(configuration.resourceRules()),
            jobs,
            configuration.podsReady(),
            configuration.featureGates().enabled(FeatureGate.ADMISSION_GATED_BY));
    WorkloadReconciler reconciler =
        new WorkloadReconciler(
            cluster.workloads(),
            jobs,
            situationBuilder,
            outbox,
            loop,
            new PlanReporter(cluster.events(), metrics, configuration.extensions().events()),
            options.time());
    Controller.Builder controller =
        cluster
            .controller("workloads", reconciler)
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

  private static Controller queueWarnings(ClusterAccess cluster, Configuration configuration) {
    return cluster
        .controller(
            "queue-warnings",
            new BlockingQueueWarning(
                cluster.caches().clusterQueues(), configuration.podsReady(), cluster.events()))
        .watch(cluster.caches().clusterQueues())
        .build();
  }

  private static Optional<Webhooks> webhooks(
      ClusterAccess cluster, Jobs jobs, CoreOptions options, MeterRegistry meters) {
    Configuration configuration = options.configuration();
    return configuration
        .webhook()
        .map(
            settings ->
                Webhooks.on(
                    // Followers answer, too, so that they need no lease to publish a certificate.
                    cluster.connection(),
                    settings,
                    configuration.namespace(),
                    new AdmissionRules(
                            configuration,
                            new CachedDefaultingContext(
                                cluster.caches(), cluster.connection().api(), jobs, configuration))
                        .reviewers(),
                    configuration.tls(),
                    meters));
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
      view.ifPresent(ServedView::start);
      if (webhooks.isPresent()) {
        webhooks.get().awaitFirstLook();
      }
      started = true;
    } catch (RuntimeException | InterruptedException e) {
      close();
      throw e;
    }
  }

  @Override
  public void close() {
    view.ifPresent(ServedView::close);
    host.close();
    loop.close();
    endpoints.close();
    webhooks.ifPresent(this::close);
  }

  /** The last thing that ends: another replica may lead already. */
  private void close(Webhooks served) {
    try {
      if (started && drain.isPositive()) {
        served.drain(drain);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      served.close();
    }
  }

  /** The port of the diagnostics server; -1 if there is none. */
  int diagnosticsPort() {
    return endpoints.diagnosticsPort();
  }

  /** The port of the webhooks; -1 if they aren't served. */
  int webhookPort() {
    return webhooks.map(Webhooks::port).orElse(-1);
  }

  /** The port of the view; -1 if it isn't served. */
  int viewPort() {
    return view.map(ServedView::port).orElse(-1);
  }

  void crash() {
    cluster.revoke();
    view.ifPresent(ServedView::close);
    loop.close();
    endpoints.close();
    webhooks.ifPresent(Webhooks::close);
    host.abandon();
  }
}
