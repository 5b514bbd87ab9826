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
package io.github.kueue4j.sdk.controller;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.Controller;
import io.github.kueue4j.runtime.ControllerHost;
import io.github.kueue4j.runtime.EventRecorder;
import io.github.kueue4j.runtime.Informer;
import io.github.kueue4j.runtime.Informers;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.sdk.AdmissionCheck;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.sdk.ProbingCheck;
import io.kubernetes.client.common.KubernetesObject;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Runs an {@link AdmissionCheck} for all AdmissionCheck objects that name its controller: watches
 * workloads, calls the author's method when an answer is due, writes the verdict unless it came too
 * late, tells whether the checks are Active, counts.
 *
 * <p>A controller runs once: start it, then close it.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CheckController implements AutoCloseable {

  private final ControllerHost host;
  private final Wakes wakes;
  private final List<Runnable> afterwards;

  private CheckController(ControllerHost host, Wakes wakes, List<Runnable> afterwards) {
    this.host = host;
    this.wakes = wakes;
    this.afterwards = List.copyOf(afterwards);
  }

  /**
   * Starts to describe a controller. Asks the server which version of {@code kueue.x-k8s.io} it
   * speaks.
   *
   * @param controllerName what {@code spec.controllerName} of its AdmissionChecks says, for example
   *     {@code example.com/license}
   * @param environment where, by which clock and with what around it
   */
  public static Builder builder(String controllerName, CheckEnvironment environment) {
    return new Builder(controllerName, environment);
  }

  /**
   * Starts to describe a controller that goes by the machine's time.
   *
   * @param controllerName what {@code spec.controllerName} of its AdmissionChecks says
   * @param connection where; stays open when the controller closes
   */
  public static Builder builder(String controllerName, ClusterConnection connection) {
    return new Builder(controllerName, CheckEnvironment.of(connection));
  }

  /**
   * Fills the caches and starts to evaluate; with leader election as soon as the lease is ours.
   *
   * @throws io.github.kueue4j.runtime.InitialSyncTimeoutException if the caches don't fill; the
   *     controller is closed then
   * @throws InterruptedException if the thread is interrupted; the controller is closed then
   */
  public void start() throws InterruptedException {
    host.start();
  }

  /** {@link #start}s and waits until the controller is closed or has lost its lease. */
  public void run() throws InterruptedException {
    start();
    host.awaitTermination();
  }

  /**
   * Evaluates again the workloads that wait for this check, because something outside of the
   * cluster has changed. Cheap: calls in quick succession count as one.
   */
  public void trigger() {
    wakes.everybody();
  }

  /** Evaluates this workload again if it waits for this check. */
  public void trigger(ObjectKey workload) {
    wakes.workload(workload);
  }

  /** What runs the controller: probes, metrics, leadership. */
  public ControllerHost host() {
    return host;
  }

  /** Lets evaluations under way end, and stops. */
  @Override
  public void close() {
    host.close();
    afterwards.forEach(Runnable::run);
  }

  /** Describes a controller. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public static final class Builder {
    private final String controllerName;
    private final CheckEnvironment environment;
    private final ServedVersion served;
    private final Informers informers;
    private final Informer<Workload> workloads;
    private final List<Consumer<Wakes>> watches = new ArrayList<>();
    private Guards guards = Guards.defaults();
    private Duration pendingEvery = Duration.ofMinutes(5);
    private @Nullable Duration readyEvery;
    private Duration probeEvery = Duration.ofSeconds(30);
    private boolean wakeInBackoff;
    private MeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private @Nullable Function<Builder, CheckController> assembly;

    private Builder(String controllerName, CheckEnvironment environment) {
      this.controllerName = controllerName;
      this.environment = environment;
      this.served = ServedVersion.of(environment.connection().api());
      this.informers = Informers.on(environment.connection());
      this.workloads =
          informers
              .of(served.of(KueueTypes.WORKLOAD))
              .index(WorkloadIndex.CHECKS, WorkloadIndex::checks)
              .register();
    }

    /** The check, without parameters. */
    public Builder check(AdmissionCheck<NoParameters> check) {
      return check(Parameters.none(), check);
    }

    /** The check, with parameters from the object that its AdmissionCheck refers to. */
    public <P> Builder check(Parameters<P> parameters, AdmissionCheck<P> check) {
      assembly = builder -> builder.assemble(parameters, check);
      return this;
    }

    /**
     * Keeps objects at hand for the check and wakes workloads when they change.
     *
     * @return the objects; empty until the controller has started
     */
    public <T extends KubernetesObject> Watched<T> watch(Watch<T> watch) {
      Informers.Spec<T> spec = informers.of(served.of(watch.type())).transform(watch.trim());
      if (watch.fieldSelector() != null) {
        spec.fieldSelector(watch.fieldSelector());
      }
      if (watch.labelSelector() != null) {
        spec.labelSelector(watch.labelSelector());
      }
      Informer<T> informer = spec.register();
      watches.add(wakes -> informer.onChange(change -> wake(watch, change.object(), wakes)));
      return new WatchedInformer<>(informer);
    }

    private static <T extends KubernetesObject> void wake(Watch<T> watch, T object, Wakes wakes) {
      switch (watch.wakes()) {
        case Watch.Wake.Everybody<T> everybody -> wakes.everybody();
        case Watch.Wake.Nobody<T> nobody -> {}
        case Watch.Wake.Some<T> some -> some.concerned().apply(object).forEach(wakes::workload);
      }
    }

    /** All workloads, as the controller itself sees them; empty until it has started. */
    public Watched<Workload> workloads() {
      return new WatchedInformer<>(workloads);
    }

    /** For a check that owns objects of its own: creating, reading and deleting them. */
    public ResourceClient resources() {
      return new ApiResources(environment.connection().api(), served);
    }

    /** Timeouts, limits and what happens when evaluations fail; see {@link Guards#defaults}. */
    public Builder guards(Guards limits) {
      guards = limits;
      return this;
    }

    /**
     * When a Pending that names no time is evaluated again at the latest; default 5 min.
     *
     * @throws IllegalArgumentException if the interval is zero or negative
     */
    public Builder recheckPendingEvery(Duration interval) {
      pendingEvery = positive(interval);
      return this;
    }

    /**
     * When the backend of a {@link ProbingCheck} is asked again how it is; default 30 s.
     *
     * @throws IllegalArgumentException if the interval is zero or negative
     */
    public Builder probeEvery(Duration interval) {
      probeEvery = positive(interval);
      return this;
    }

    /**
     * Evaluates workloads again that the check has let through, as long as they hold their quota. A
     * Retry or Rejected then evicts a running workload. Without this call a Ready is final.
     *
     * @throws IllegalArgumentException if the interval is zero or negative
     */
    public Builder recheckReadyEvery(Duration interval) {
      readyEvery = positive(interval);
      return this;
    }

    /**
     * Also evaluates workloads that wait out a delay of this very check, when something that it
     * watches changes: Ready or Pending ends the check's own delay early, Retry begins a new one
     * (LIFECYCLE.md section 6).
     */
    public Builder wakeInBackoff() {
      wakeInBackoff = true;
      return this;
    }

    /** Where to count; default a Prometheus registry of its own. */
    public Builder meters(MeterRegistry registry) {
      meters = registry;
      return this;
    }

    /**
     * The controller, not yet started.
     *
     * @throws IllegalStateException if no check was given
     */
    public CheckController build() {
      if (assembly == null) {
        throw new IllegalStateException(
            "the controller " + controllerName + " has no check: call check(...) before build()");
      }
      return assembly.apply(this);
    }

    private <P> CheckController assemble(Parameters<P> parameters, AdmissionCheck<P> author) {
      var checkObjects = informers.of(served.of(KueueTypes.ADMISSION_CHECK)).register();
      var flavors = informers.of(served.of(KueueTypes.RESOURCE_FLAVOR)).register();
      ParametersLookup<P> lookup = ParametersLookup.of(parameters, informers, served);

      KubernetesApi api = environment.connection().api();
      @Nullable TimeSource givenTime = environment.time();
      TimeSource time = givenTime == null ? TimeSource.system() : givenTime;
      Memory memory = new Memory();
      Queue queue = new Queue();
      Wakes wakes = new Wakes(workloads, memory, time, queue::add);
      EventRecorder events = EventRecorder.on(environment.connection(), time, meters);
      Queue telling = new Queue();
      DroppedDelays droppedDelays =
          new DroppedDelays(check -> telling.add(ObjectKey.cluster(check)));
      CheckMetrics metrics = new CheckMetrics(meters, controllerName);
      Guards limits = environment.limits().apply(guards);
      GuardSet guardSet = new GuardSet(controllerName, limits, time, metrics);
      AdmissionChecks<P> checks =
          new AdmissionChecks<>(
              controllerName,
              checkObjects,
              lookup,
              api,
              served,
              droppedDelays,
              time,
              wakes,
              new Sweep(author, memory, guardSet.calls(), queue::add),
              new Probes<>(author, guardSet.calls(), probeEvery, time));
      Evaluator<P> evaluator =
          new Evaluator<>(
              author,
              checks,
              workloads,
              new PodSets(flavors::get),
              memory,
              guardSet,
              new VerdictWriter(workloads, api, served, droppedDelays, events, time, metrics),
              droppedDelays,
              metrics,
              new Evaluator.Timing(
                  time,
                  environment.random(),
                  pendingEvery,
                  new Due.Rechecks(readyEvery, wakeInBackoff)));

      Controller evaluations =
          Controller.builder("evaluations", evaluator)
              .watch(workloads, WorkloadIndex::concerned)
              .workers(limits.maxConcurrentEvaluations())
              .build();
      Controller.Builder teller = Controller.builder("admissionchecks", checks).watch(checkObjects);
      lookup.informer().ifPresent(informer -> watchAll(teller, informer, checks));
      Controller admissionChecks = teller.build();
      watches.forEach(watch -> watch.accept(wakes));

      ControllerHost host =
          environment
              .hosting()
              .apply(ControllerHost.builder(environment.connection(), time))
              .meters(meters)
              .informers(informers)
              .events(events)
              .controller(admissionChecks)
              .controller(evaluations)
              .build();
      queue.controller = evaluations;
      telling.controller = admissionChecks;
      Runnable closeTime = givenTime == null ? time::close : () -> {};
      return new CheckController(host, wakes, List.of(guardSet::close, closeTime));
    }

    private static <T extends KubernetesObject> void watchAll(
        Controller.Builder controller, Informer<T> informer, AdmissionChecks<?> checks) {
      controller.watch(informer, change -> checks.ownKeys());
    }

    private static Duration positive(Duration interval) {
      if (!interval.isPositive()) {
        throw new IllegalArgumentException("the interval must be positive: " + interval);
      }
      return interval;
    }
  }

  /** A controller's work queue, which exists only once its host has been built. */
  private static final class Queue {
    private volatile @Nullable Controller controller;

    void add(ObjectKey key) {
      @Nullable Controller built = controller;
      if (built != null) {
        built.queue().add(key);
      }
    }
  }
}
