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

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.FeatureGate;
import io.github.kueue4j.core.job.BatchJob;
import io.github.kueue4j.core.lifecycle.LifecycleSettings;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.runtime.Change;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.Controller;
import io.github.kueue4j.runtime.ControllerHost;
import io.github.kueue4j.runtime.EventRecorder;
import io.github.kueue4j.runtime.Informer;
import io.github.kueue4j.runtime.Informers;
import io.github.kueue4j.runtime.LeaderElection;
import io.github.kueue4j.runtime.Reconciler;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Job;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts the parts of the core together: informers feed the State, workers carry out its wishes. */
final class CoreAssembly implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(CoreAssembly.class);
  private static final int DEFAULT_WORKLOAD_WORKERS = 10;
  private static final int DEFAULT_QUEUE_WORKERS = 2;
  private static final Duration GRACE = Duration.ofSeconds(10);

  private final RevocableApi api;
  private final TimeSource time;
  private final CoreInformers caches;
  private final Outbox outbox = new Outbox();
  private final CoreMetrics metrics;
  private final StateLoop loop;
  private final Controller workloads;
  private final Controller queueStatuses;
  private final Controller clusterQueueFinalizers;
  private final ControllerHost host;
  private final RecorderSwitch events;

  CoreAssembly(
      ClusterConnection connection,
      Configuration configuration,
      TimeSource time,
      Runnable onLeadershipLost) {
    this.time = time;
    this.api = new RevocableApi(connection.api());
    if (!configuration.unusedKeys().isEmpty()) {
      log.atWarn()
          .addKeyValue("keys", configuration.unusedKeys())
          .log("The configuration has keys that this version does not act upon yet");
    }
    Informers informers = Informers.on(connection);
    this.caches = CoreInformers.register(informers);
    MeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    boolean elects = configuration.leaderElection().leaderElect();
    this.metrics =
        new CoreMetrics(
            registry, time, configuration.localQueueMetrics(), elects ? "leader" : "standalone");
    this.events = new RecorderSwitch(EventRecorder.on(connection, time, registry));
    State state = new State(configuration.excludeResourcePrefixes(), outbox, new StateEffects());
    this.loop = new StateLoop(state, time, metrics::cycle);
    FreshCache<Workload> freshWorkloads =
        new FreshCache<>(KueueTypes.WORKLOAD, caches.workloads(), api);
    FreshCache<ClusterQueue> freshClusterQueues =
        new FreshCache<>(KueueTypes.CLUSTER_QUEUE, caches.clusterQueues(), api);
    JobSide<V1Job> jobs =
        new JobSide<>(new BatchJob(), caches.jobs(), caches, api, events, configuration);
    this.workloads = workloadController(configuration, freshWorkloads, jobs);
    this.queueStatuses =
        controller(
                "queue-status",
                new QueueStatusReconciler(
                    api,
                    freshClusterQueues,
                    new FreshCache<>(KueueTypes.LOCAL_QUEUE, caches.localQueues(), api),
                    loop,
                    time,
                    configuration.extensions().queueStatusInterval()))
            .workers(DEFAULT_QUEUE_WORKERS)
            .build();
    this.clusterQueueFinalizers =
        controller(
                "clusterqueue-finalizers",
                new FinalizerReconciler<>(
                    api,
                    KueueTypes.CLUSTER_QUEUE,
                    freshClusterQueues,
                    this::hasHolders,
                    ClusterQueue::withMetadata))
            .watch(caches.clusterQueues())
            .build();
    ControllerHost.Builder builder =
        ControllerHost.builder(connection, time)
            .informers(informers)
            .controller(workloads)
            .controller(queueStatuses)
            .controller(clusterQueueFinalizers)
            .controller(flavorFinalizers())
            .controller(checkFinalizers())
            .events(events)
            .meters(registry)
            .syncTimeout(configuration.cacheSyncTimeout())
            .gracePeriod(GRACE)
            .onLeading(loop::beginScheduling)
            .onLeadershipLost(onLeadershipLost);
    configuration.healthPort().ifPresent(builder::httpPort);
    if (elects) {
      builder.leaderElection(election(configuration));
    }
    this.host = builder.build();
    feedState();
    forget(caches.workloads(), freshWorkloads::gone);
    forget(caches.clusterQueues(), freshClusterQueues::gone);
    forget(caches.jobs(), jobs::gone);
  }

  ControllerHost host() {
    return host;
  }

  void start() throws InterruptedException {
    loop.start();
    host.start();
  }

  @Override
  public void close() {
    host.close();
    loop.close();
  }

  void crash() {
    api.revoke();
    events.silence();
    loop.close();
    host.close();
  }

  private Controller workloadController(
      Configuration configuration, FreshCache<Workload> fresh, JobSide<V1Job> jobs) {
    Facts facts =
        new Facts(
            caches,
            LifecycleSettings.defaults()
                .withAcRequeueAfter(
                    configuration.featureGates().enabled(FeatureGate.AC_REQUEUE_AFTER))
                .withMaximumRetryDelay(configuration.extensions().maximumRetryDelay()),
            outbox);
    WorkloadReconciler reconciler =
        new WorkloadReconciler(
            api, fresh, jobs, facts, outbox, loop, new PlanAftermath(events, metrics), time);
    return controller("workloads", reconciler)
        .watch(caches.workloads())
        .watch(caches.jobs(), change -> jobs.workloadsOf(change.object()))
        .workers(
            configuration
                .groupKindConcurrency()
                .getOrDefault("Workload.kueue.x-k8s.io", DEFAULT_WORKLOAD_WORKERS))
        .build();
  }

  private Controller.Builder controller(String name, Reconciler reconciler) {
    return Controller.builder(name, api.endingWithIt(reconciler));
  }

  private Controller flavorFinalizers() {
    FreshCache<ResourceFlavor> fresh =
        new FreshCache<>(KueueTypes.RESOURCE_FLAVOR, caches.flavors(), api);
    forget(caches.flavors(), fresh::gone);
    return controller(
            "resourceflavor-finalizers",
            new FinalizerReconciler<>(
                api,
                KueueTypes.RESOURCE_FLAVOR,
                fresh,
                name ->
                    caches.clusterQueues().list().stream().anyMatch(q -> flavors(q).contains(name)),
                ResourceFlavor::withMetadata))
        .watch(caches.flavors())
        .watch(caches.clusterQueues(), change -> keys(change, CoreAssembly::flavors))
        .build();
  }

  private Controller checkFinalizers() {
    FreshCache<AdmissionCheck> fresh =
        new FreshCache<>(KueueTypes.ADMISSION_CHECK, caches.checks(), api);
    forget(caches.checks(), fresh::gone);
    return controller(
            "admissioncheck-finalizers",
            new FinalizerReconciler<>(
                api,
                KueueTypes.ADMISSION_CHECK,
                fresh,
                name ->
                    caches.clusterQueues().list().stream().anyMatch(q -> checks(q).contains(name)),
                AdmissionCheck::withMetadata))
        .watch(caches.checks())
        .watch(caches.clusterQueues(), change -> keys(change, CoreAssembly::checks))
        .build();
  }

  /** What a ClusterQueue needed before a change and doesn't need any more may go now. */
  private static Set<ObjectKey> keys(
      Change<ClusterQueue> change, Function<ClusterQueue, Set<String>> names) {
    Set<String> released =
        switch (change) {
          case Change.Added<ClusterQueue> added -> Set.of();
          case Change.Updated<ClusterQueue> updated -> {
            Set<String> before = new LinkedHashSet<>(names.apply(updated.before()));
            before.removeAll(names.apply(updated.object()));
            yield before;
          }
          case Change.Deleted<ClusterQueue> deleted -> names.apply(deleted.object());
        };
    return released.stream().map(ObjectKey::cluster).collect(Collectors.toUnmodifiableSet());
  }

  private static Set<String> flavors(ClusterQueue queue) {
    return queue.spec().resourceGroups().stream()
        .flatMap(group -> group.flavors().stream())
        .map(flavor -> flavor.name())
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Set<String> checks(ClusterQueue queue) {
    return queue.spec().admissionChecks().stream()
        .map(rule -> rule.name())
        .collect(Collectors.toUnmodifiableSet());
  }

  private boolean hasHolders(String clusterQueue) throws InterruptedException {
    try {
      return loop.ask(
              state ->
                  state
                      .clusterQueue(clusterQueue)
                      .filter(entry -> !entry.holders.isEmpty())
                      .isPresent())
          .get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the scheduler's state can't say who holds quota", e);
    }
  }

  private void feedState() {
    feed(
        caches.workloads(),
        (key, workload) ->
            loop.post(
                state -> {
                  if (workload == null) {
                    state.workloadGone(key, time.instant());
                  } else {
                    state.workload(workload, time.instant());
                  }
                }));
    feed(
        caches.clusterQueues(),
        (key, queue) -> loop.post(state -> state.clusterQueue(key.name(), queue, time.instant())));
    feed(
        caches.localQueues(),
        (key, queue) -> loop.post(state -> state.localQueue(key, queue, time.instant())));
    feed(
        caches.flavors(),
        (key, flavor) -> loop.post(state -> state.flavor(key.name(), flavor, time.instant())));
    feed(
        caches.checks(),
        (key, check) -> loop.post(state -> state.check(key.name(), check, time.instant())));
    feed(
        caches.namespaces(),
        (key, namespace) ->
            loop.post(
                state ->
                    state.namespace(key.name(), namespace == null ? null : labels(namespace))));
  }

  private static Map<String, String> labels(KubernetesObject object) {
    return object.getMetadata() == null
        ? Map.of()
        : Objects.requireNonNullElse(object.getMetadata().getLabels(), Map.of());
  }

  /** Tells about every change; a deleted object is null. */
  private static <T extends KubernetesObject> void feed(Informer<T> informer, Feed<T> feed) {
    informer.onChange(
        change -> {
          switch (change) {
            case Change.Added<T> added -> feed.accept(added.key(), added.object());
            case Change.Updated<T> updated -> feed.accept(updated.key(), updated.object());
            case Change.Deleted<T> deleted -> feed.accept(deleted.key(), null);
          }
        });
  }

  /** Takes in an object, or its absence. */
  @FunctionalInterface
  private interface Feed<T> {
    void accept(ObjectKey key, @Nullable T object);
  }

  private static <T extends KubernetesObject> void forget(Informer<T> informer, Consumer<T> gone) {
    informer.onChange(
        change -> {
          if (change instanceof Change.Deleted<T> deleted) {
            gone.accept(deleted.object());
          }
        });
  }

  private static LeaderElection election(Configuration configuration) {
    var settings = configuration.leaderElection();
    return LeaderElection.named(configuration.namespace(), settings.resourceName())
        .withTimes(settings.leaseDuration(), settings.renewDeadline(), settings.retryPeriod());
  }

  /** What the State wants done; called on its thread. */
  private final class StateEffects implements State.Effects {
    private final Set<ObjectKey> changed = new LinkedHashSet<>();

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
    public void queueChanged(ObjectKey queue) {
      queueStatuses.queue().add(queue);
      if (changed.isEmpty()) {
        loop.post(this::measureChanged);
      }
      changed.add(queue);
    }

    private void measureChanged(State state) {
      List<ObjectKey> queues = List.copyOf(changed);
      changed.clear();
      queues.forEach(queue -> measure(state, queue));
    }

    @Override
    public void attempted(Decision decision) {
      metrics.attempted(decision);
    }

    private void measure(State state, ObjectKey key) {
      if (key.namespace().isEmpty()) {
        state
            .clusterQueue(key.name())
            .filter(entry -> entry.object != null)
            .ifPresentOrElse(
                entry -> {
                  metrics.clusterQueue(entry);
                  if (entry.object != null && Health.terminating(entry.object)) {
                    clusterQueueFinalizers.queue().add(key);
                  }
                },
                () -> metrics.clusterQueueGone(key.name()));
      } else {
        state
            .localQueue(key)
            .filter(entry -> entry.object != null)
            .ifPresentOrElse(
                entry ->
                    metrics.localQueue(
                        entry,
                        Health.of(
                            Objects.requireNonNull(entry.object),
                            state.healthBehind(entry).orElse(null))),
                () -> metrics.localQueueGone(key));
      }
    }
  }
}
