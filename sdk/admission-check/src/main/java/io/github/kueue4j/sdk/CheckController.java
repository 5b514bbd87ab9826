// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.runtime.Termination;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.controller.ControllerHost;
import io.github.kueue4j.sdk.internal.controller.ControllerDescription;
import io.github.kueue4j.sdk.maintenance.Maintenance;
import io.github.kueue4j.sdk.maintenance.MaintenanceQueue;
import io.github.kueue4j.sdk.objects.ResourceClient;
import io.github.kueue4j.sdk.objects.Watch;
import io.github.kueue4j.sdk.objects.Watched;
import io.kubernetes.client.common.KubernetesObject;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.apiguardian.api.API;

/**
 * Runs a {@link Check} for all AdmissionCheck objects that name its controller: watches workloads,
 * calls the author's method when an answer is due, writes the verdict unless it came too late,
 * keeps the Active condition of the checks up to date, and counts all of it in metrics.
 *
 * <p>A controller runs once: start it, then close it.
 *
 * @see io.github.kueue4j.sdk.program.CheckProgram
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface CheckController extends Waker, AutoCloseable {

  /**
   * Starts to describe a controller. Asks the server which version of {@code kueue.x-k8s.io} it
   * speaks.
   *
   * @param controllerName what {@code spec.controllerName} of its AdmissionChecks says, for example
   *     {@code example.com/license}
   * @param environment where, by which clock and with what around it
   * @throws IllegalArgumentException if the name isn't a domain, a slash and a name
   */
  static Builder builder(String controllerName, CheckEnvironment environment) {
    return new ControllerDescription(controllerName, environment);
  }

  /**
   * Starts to describe a controller that uses the machine's clock.
   *
   * @param controllerName what {@code spec.controllerName} of its AdmissionChecks says
   * @param connection where; stays open when the controller closes
   * @throws IllegalArgumentException if the name isn't a domain, a slash and a name
   */
  static Builder builder(String controllerName, ClusterConnection connection) {
    return builder(controllerName, CheckEnvironment.of(connection));
  }

  /**
   * Fills the caches and starts to evaluate; with leader election as soon as this replica holds the
   * lease.
   *
   * @throws io.github.kueue4j.sdk.objects.KindNotServedException if the server doesn't know a kind
   *     that the check reads; the controller is closed then
   * @throws io.github.kueue4j.sdk.rbac.MissingRightsException if the account may not read what the
   *     check needs; the controller is closed then
   * @throws io.github.kueue4j.runtime.informer.InitialSyncTimeoutException if the caches don't
   *     fill; the controller is closed then
   * @throws io.github.kueue4j.runtime.http.HttpPortException if a port can't be bound; the
   *     controller is closed then
   * @throws InterruptedException if the thread is interrupted; the controller is closed then
   */
  void start() throws InterruptedException;

  /**
   * {@link #start}s and waits until the controller is closed or has lost its lease. A signal ends
   * the process without an orderly stop; see {@link #runUntilTerminated()}.
   */
  void run() throws InterruptedException;

  /** {@link #runUntilTerminated(Runnable)} without anything to do after the start. */
  Ending runUntilTerminated() throws InterruptedException;

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
   * @throws io.github.kueue4j.runtime.informer.InitialSyncTimeoutException if the caches don't
   *     fill; the controller is closed then
   * @throws InterruptedException if the thread is interrupted
   */
  Ending runUntilTerminated(Runnable onStarted) throws InterruptedException;

  /** The host of the controller: probes, metrics, leader election. */
  ControllerHost host();

  /** The name by which AdmissionChecks choose it, {@code spec.controllerName}. */
  String controllerName();

  /** The port at which it is asked in advance, also if 0 was configured; -1 if it isn't served. */
  int answersPort();

  /** Waits for the evaluations that run, and stops. */
  @Override
  void close();

  /** Describes a controller. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  interface Builder {
    /**
     * The check, without parameters.
     *
     * @throws IllegalStateException if the controller has a check already
     */
    Builder check(Check<NoParameters> check);

    /**
     * The check, with parameters from the object that its AdmissionCheck refers to.
     *
     * @throws IllegalStateException if the controller has a check already
     * @throws IllegalArgumentException if the parameters are of a namespaced kind and no namespace
     *     was named
     */
    <P> Builder check(Parameters<P> parameters, Check<P> check);

    /**
     * Keeps objects in memory for the check and wakes workloads when they change.
     *
     * @return the objects; empty until the controller has started
     */
    <T extends KubernetesObject> Watched<T> watch(Watch<T> watch);

    /**
     * Has these objects maintained, beside the evaluations; {@link Maintenance} has an example.
     *
     * @param name of the work, for logs, metrics and threads
     * @param objects what {@link #watch} or {@link #workloads} returned
     * @throws IllegalArgumentException if another controller watches the objects
     */
    MaintenanceQueue maintain(String name, Watched<?> objects, Maintenance work);

    /**
     * Wakes workloads for a check that finds out by itself which of those that wait are concerned
     * by what has changed. One that has to ask for that does it in a {@link #maintain Maintenance},
     * which is repeated as often as it says, by the replica that leads.
     */
    Waker waker();

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
    Builder wakeOnWorkloadChange(BiPredicate<Workload, Workload> concerns);

    /** All workloads in the controller's own cache; empty until it has started. */
    Watched<Workload> workloads();

    /** All AdmissionChecks, those of other controllers included; empty until it has started. */
    Watched<AdmissionCheck> admissionChecks();

    /** All ResourceFlavors; empty until it has started. */
    Watched<ResourceFlavor> resourceFlavors();

    /** For a check that owns objects of its own: creating, reading, changing and deleting them. */
    ResourceClient resources();

    /** Timeouts, limits and what happens when evaluations fail; see {@link Guards#defaults}. */
    Builder guards(Guards limits);

    /**
     * When a Pending that names no time is evaluated again at the latest; default 5 min.
     *
     * @throws IllegalArgumentException if the interval is zero or negative
     */
    Builder recheckPendingEvery(Duration interval);

    /**
     * How often the backend of a {@link ProbingCheck} is probed; default 30 s.
     *
     * @throws IllegalArgumentException if the interval is zero or negative
     */
    Builder probeEvery(Duration interval);

    /**
     * Evaluates workloads again whose verdict was Ready, as long as they hold their quota. A Retry
     * or Rejected then evicts a running workload: at once, unless the guards have {@link
     * Guards.RevocationLimits}. Also when their spec, labels or annotations change, and once after
     * a start those that aren't admitted yet. Without this call a Ready is final once the workload
     * is admitted.
     *
     * @throws IllegalArgumentException if the interval is zero or negative
     */
    Builder recheckReadyEvery(Duration interval);

    /**
     * As {@link #recheckReadyEvery}, but only as long as the workload isn't admitted: nothing that
     * runs is looked at again, and an answer that comes as the workload is admitted is dropped.
     *
     * @throws IllegalArgumentException if the interval is zero or negative
     */
    Builder recheckReadyUntilAdmission(Duration interval);

    /**
     * Says that each Retry of the check has a delay of its own, never {@link
     * io.github.kueue4j.sdk.Delay#none}: {@code spec.retry} of an AdmissionCheck has no effect
     * then, and its Active condition tells so.
     */
    Builder namesDelays();

    /**
     * Has the check say by itself when its backend answered, which the controller otherwise takes
     * from the verdicts. The condition {@code BackendReachable} then stands from the first answer
     * on, otherwise from the first failure on.
     *
     * @return for the check: where to say it; the same at each call
     */
    BackendReport backendReport();

    /** The registry of the controller's metrics; default a Prometheus registry of its own. */
    Builder meters(MeterRegistry registry);

    /**
     * Adds meters of the check's own to those of the controller, such as a gauge of what it
     * watches.
     *
     * @param binder called once, by {@link #build}, with the registry that is in use then
     */
    Builder measure(Consumer<MeterRegistry> binder);

    /**
     * Runs this when the controller is closed, after its last evaluation: for what the check has
     * opened, such as connections.
     *
     * @param task quick; throws nothing
     */
    Builder whenClosed(Runnable task);

    /**
     * The controller, not yet started.
     *
     * @throws IllegalStateException if no check was given
     */
    CheckController build();
  }

  /**
   * Why a controller has ended.
   *
   * @see io.github.kueue4j.sdk.program.CheckProgram
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  enum Ending {
    /** The process was asked to end, by SIGTERM or SIGINT. */
    SIGNAL,

    /** The Lease was lost: another replica leads or may lead. Start the process again. */
    LEASE_LOST,

    /** {@link CheckController#close} was called. */
    CLOSED
  }
}
