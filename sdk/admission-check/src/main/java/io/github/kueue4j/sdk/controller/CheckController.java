// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.controller;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.ControllerHost;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.runtime.LeaseGuard;
import io.github.kueue4j.runtime.Termination;
import io.github.kueue4j.sdk.Check;
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
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Runs an {@link Check} for all AdmissionCheck objects that name its controller: watches workloads,
 * calls the author's method when an answer is due, writes the verdict unless it came too late,
 * keeps the Active condition of the checks up to date, and counts all of it in metrics.
 *
 * <p>A controller runs once: start it, then close it.
 *
 * @see io.github.kueue4j.sdk.program.CheckProgram
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CheckController implements AutoCloseable {

  private final ControllerHost host;
  private final WakeUps wakeUps;
  private final FatalErrors fatalErrors;
  private final Runnable rights;
  private final List<Runnable> afterwards;

  CheckController(
      ControllerHost host,
      WakeUps wakeUps,
      FatalErrors fatalErrors,
      Runnable rights,
      List<Runnable> afterwards) {
    this.host = host;
    this.wakeUps = wakeUps;
    this.fatalErrors = fatalErrors;
    this.rights = rights;
    this.afterwards = List.copyOf(afterwards);
  }

  /**
   * Starts to describe a controller. Asks the server which version of {@code kueue.x-k8s.io} it
   * speaks.
   *
   * @param controllerName what {@code spec.controllerName} of its AdmissionChecks says, for example
   *     {@code example.com/license}
   * @param environment where, by which clock and with what around it
   * @throws IllegalArgumentException if the name isn't a domain, a slash and a name
   */
  public static Builder builder(String controllerName, CheckEnvironment environment) {
    return new Builder(controllerName, environment);
  }

  /**
   * Starts to describe a controller that uses the machine's clock.
   *
   * @param controllerName what {@code spec.controllerName} of its AdmissionChecks says
   * @param connection where; stays open when the controller closes
   * @throws IllegalArgumentException if the name isn't a domain, a slash and a name
   */
  public static Builder builder(String controllerName, ClusterConnection connection) {
    return new Builder(controllerName, CheckEnvironment.of(connection));
  }

  /**
   * Fills the caches and starts to evaluate; with leader election as soon as this replica holds the
   * lease.
   *
   * @throws KindNotServedException if the server doesn't know a kind that the check reads; the
   *     controller is closed then
   * @throws MissingRightsException if the account may not read what the check needs; the controller
   *     is closed then
   * @throws io.github.kueue4j.runtime.InitialSyncTimeoutException if the caches don't fill; the
   *     controller is closed then
   * @throws InterruptedException if the thread is interrupted; the controller is closed then
   */
  public void start() throws InterruptedException {
    try {
      rights.run();
    } catch (KindNotServedException | MissingRightsException e) {
      close();
      throw e;
    }
    host.start();
  }

  /**
   * {@link #start}s and waits until the controller is closed or has lost its lease. A signal ends
   * the process without an orderly stop; see {@link #runUntilTerminated()}.
   */
  public void run() throws InterruptedException {
    start();
    host.awaitTermination();
  }

  /** {@link #runUntilTerminated(Runnable)} without anything to do after the start. */
  public Ending runUntilTerminated() throws InterruptedException {
    return runUntilTerminated(() -> {});
  }

  /**
   * Starts, and runs until SIGTERM or SIGINT (Ctrl-C), for the main method of a process. A signal
   * stops the controller in order: evaluations that run get the host's grace period, their verdicts
   * and events are written, the Lease is released, so that the next replica leads with its next
   * attempt, after 2 s at most by default. The process then ends with status 0 (SIGTERM) or 130
   * (SIGINT); it waits for the stop, for {@link Termination#LIMIT} at most (status 143 then), but
   * not for what the caller does afterwards.
   *
   * @param onStarted called once the caches are filled, before any leadership
   * @return why it ended; the process ends by itself only after a signal
   * @throws io.github.kueue4j.runtime.InitialSyncTimeoutException if the caches don't fill; the
   *     controller is closed then
   * @throws InterruptedException if the thread is interrupted
   */
  public Ending runUntilTerminated(Runnable onStarted) throws InterruptedException {
    try (Termination termination = Termination.listen(this::close, fatalErrors)) {
      try {
        start();
        onStarted.run();
      } catch (RuntimeException e) {
        if (!termination.asked()) {
          throw e;
        }
        // Closed while it started.
      }
      host.awaitTermination();
      if (termination.asked()) {
        return Ending.SIGNAL;
      }
      return host.lostLease() ? Ending.LEASE_LOST : Ending.CLOSED;
    }
  }

  /**
   * Evaluates again the workloads that wait for this check, because something outside of the
   * cluster has changed. Calls in quick succession count as one.
   */
  public void trigger() {
    wakeUps.all();
  }

  /** Evaluates this workload again if it waits for this check. */
  public void trigger(ObjectKey workload) {
    wakeUps.workload(workload);
  }

  /** The host of the controller: probes, metrics, leader election. */
  public ControllerHost host() {
    return host;
  }

  /** Waits for the evaluations that run, and stops. */
  @Override
  public void close() {
    host.close();
    afterwards.forEach(Runnable::run);
  }

  /** Describes a controller. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public static final class Builder {
    // What Assembly puts together.
    final String controllerName;
    final CheckEnvironment environment;
    final CheckInputs inputs;
    final LeaseGuard leaseGuard = new LeaseGuard();
    final List<MaintenanceQueue> maintenances = new ArrayList<>();
    final List<Runnable> closing = new ArrayList<>();
    @Nullable BackendReport backendReport;
    private final List<Consumer<MeterRegistry>> binders = new ArrayList<>();
    Guards guards = Guards.defaults();
    Duration pendingEvery = Duration.ofMinutes(5);
    @Nullable Duration readyEvery;
    Duration probeEvery = Duration.ofSeconds(30);
    boolean namesDelays;
    MeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private @Nullable Function<Builder, CheckController> assembly;
    private volatile @Nullable WakeUps wakeUps;

    private Builder(String controllerName, CheckEnvironment environment) {
      this.controllerName = ControllerName.checked(controllerName);
      this.environment = environment;
      this.inputs = new CheckInputs(controllerName, environment.connection());
    }

    /**
     * The check, without parameters.
     *
     * @throws IllegalStateException if the controller has a check already
     */
    public Builder check(Check<NoParameters> check) {
      return check(Parameters.none(), check);
    }

    /**
     * The check, with parameters from the object that its AdmissionCheck refers to.
     *
     * @throws IllegalStateException if the controller has a check already
     * @throws IllegalArgumentException if the parameters are of a namespaced kind and no namespace
     *     was named
     */
    public <P> Builder check(Parameters<P> parameters, Check<P> check) {
      if (assembly != null) {
        throw new IllegalStateException(
            "the controller "
                + controllerName
                + " has a check already: one check judges for all its AdmissionChecks; build another"
                + " controller, with another name, for another check");
      }
      Supplier<ParametersLookup<P>> lookup = inputs.parameters(parameters);
      assembly =
          builder -> {
            CheckController controller =
                new Assembly<>(builder, parameters.source(), lookup.get(), check).controller();
            wakeUps = controller.wakeUps;
            return controller;
          };
      return this;
    }

    /**
     * Keeps objects in memory for the check and wakes workloads when they change.
     *
     * @return the objects; empty until the controller has started
     */
    public <T extends KubernetesObject> Watched<T> watch(Watch<T> watch) {
      return new WatchedInformer<>(inputs.watch(watch));
    }

    /**
     * Has these objects maintained, beside the evaluations; {@link Maintenance} has an example.
     *
     * @param name of the work, for logs, metrics and threads
     * @param objects what {@link #watch} or {@link #workloads} returned
     * @throws IllegalArgumentException if another controller watches the objects
     */
    public MaintenanceQueue maintain(String name, Watched<?> objects, Maintenance work) {
      MaintenanceQueue queue =
          new MaintenanceQueue(name, work)
              .whenChanged(objects, object -> List.of(ObjectKey.of(object)));
      maintenances.add(queue);
      return queue;
    }

    /**
     * Evaluates a workload again if it waits for this check, as {@link
     * CheckController#trigger(ObjectKey)} does: for a check that finds out by itself which of those
     * that wait are concerned by what has changed. Does nothing before the controller is built.
     */
    public Consumer<ObjectKey> trigger() {
      return workload -> {
        @Nullable WakeUps built = wakeUps;
        if (built != null) {
          built.workload(workload);
        }
      };
    }

    /**
     * Evaluates a workload again that waits for this check when it has changed so, for example when
     * a person has set a label:
     *
     * <pre>{@code
     * builder.wakeOnWorkloadChange(
     *     (before, now) -> !Objects.equals(before.metadata().getLabels(), now.metadata().getLabels()))
     * }</pre>
     *
     * @param concerns quick, throws nothing; is asked about every change, those of the check's own
     *     entries included, so it compares what the check looks at
     */
    public Builder wakeOnWorkloadChange(BiPredicate<Workload, Workload> concerns) {
      inputs.wakeOnChange(concerns);
      return this;
    }

    /** All workloads in the controller's own cache; empty until it has started. */
    public Watched<Workload> workloads() {
      return new WatchedInformer<>(inputs.workloads());
    }

    /** All AdmissionChecks, those of other controllers included; empty until it has started. */
    public Watched<AdmissionCheck> admissionChecks() {
      return new WatchedInformer<>(inputs.checkObjects());
    }

    /** All ResourceFlavors; empty until it has started. */
    public Watched<ResourceFlavor> resourceFlavors() {
      return new WatchedInformer<>(inputs.flavors());
    }

    /** For a check that owns objects of its own: creating, reading and deleting them. */
    public ResourceClient resources() {
      return new ApiResources(api(), inputs.served());
    }

    /** For writes: with leader election, those of the leader only. */
    KubernetesApi api() {
      return guarded().api();
    }

    ClusterConnection guarded() {
      return environment.connection().guardedBy(leaseGuard);
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
     * How often the backend of a {@link ProbingCheck} is probed; default 30 s.
     *
     * @throws IllegalArgumentException if the interval is zero or negative
     */
    public Builder probeEvery(Duration interval) {
      probeEvery = positive(interval);
      return this;
    }

    /**
     * Evaluates workloads again whose verdict was Ready, as long as they hold their quota. A Retry
     * or Rejected then evicts a running workload: at once, unless the guards have {@link
     * RevocationLimits}. Also when their spec, labels or annotations change, and once after a start
     * those that aren't admitted yet. Without this call a Ready is final once the workload is
     * admitted.
     *
     * @throws IllegalArgumentException if the interval is zero or negative
     */
    public Builder recheckReadyEvery(Duration interval) {
      readyEvery = positive(interval);
      return this;
    }

    /**
     * Says that each Retry of the check has a delay of its own, never {@link
     * io.github.kueue4j.sdk.Delay#none}: {@code spec.retry} of an AdmissionCheck has no effect
     * then, and its Active condition tells so.
     */
    public Builder namesDelays() {
      namesDelays = true;
      return this;
    }

    /**
     * Has the check say by itself when its backend answered, which the controller otherwise takes
     * from the verdicts. The condition {@code BackendReachable} then stands from the first answer
     * on, otherwise from the first failure on.
     *
     * @return for the check: where to say it; the same at each call
     */
    public BackendReport backendReport() {
      @Nullable BackendReport known = backendReport;
      if (known == null) {
        known = BackendReport.unread();
        backendReport = known;
      }
      return known;
    }

    /** The registry of the controller's metrics; default a Prometheus registry of its own. */
    public Builder meters(MeterRegistry registry) {
      meters = registry;
      return this;
    }

    /**
     * Adds meters of the check's own to those of the controller, such as a gauge of what it
     * watches.
     *
     * @param binder called once, by {@link #build}, with the registry that is in use then
     */
    public Builder measure(Consumer<MeterRegistry> binder) {
      binders.add(binder);
      return this;
    }

    /**
     * Runs this when the controller is closed, after its last evaluation: for what the check has
     * opened, such as connections.
     *
     * @param task quick; throws nothing
     */
    public Builder whenClosed(Runnable task) {
      closing.add(task);
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
      binders.forEach(binder -> binder.accept(meters));
      return assembly.apply(this);
    }

    private static Duration positive(Duration interval) {
      if (!interval.isPositive()) {
        throw new IllegalArgumentException("the interval must be positive: " + interval);
      }
      return interval;
    }
  }
}
