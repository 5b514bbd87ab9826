// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.ControllerName;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.LeaseGuard;
import io.github.kueue4j.sdk.BackendReport;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Guards;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.sdk.Waker;
import io.github.kueue4j.sdk.maintenance.Maintenance;
import io.github.kueue4j.sdk.maintenance.MaintenanceQueue;
import io.github.kueue4j.sdk.objects.ResourceClient;
import io.github.kueue4j.sdk.objects.Watch;
import io.github.kueue4j.sdk.objects.Watched;
import io.kubernetes.client.common.KubernetesObject;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The description of a controller that its builder collects; {@link Assembly} puts it together. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ControllerDescription implements CheckController.Builder {
  final String controllerName;
  final CheckEnvironment environment;
  final CheckInputs inputs;
  final LeaseGuard leaseGuard = new LeaseGuard();
  final List<MaintenanceWork> maintenances = new ArrayList<>();
  final List<Runnable> closing = new ArrayList<>();
  @Nullable ReachReport backendReport;
  private final List<Consumer<MeterRegistry>> binders = new ArrayList<>();
  Guards guards = Guards.defaults();
  Duration pendingEvery = Duration.ofMinutes(5);
  @Nullable Duration readyEvery;
  boolean readyUntilAdmission;
  Duration probeEvery = Duration.ofSeconds(30);
  boolean namesDelays;
  MeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private @Nullable Supplier<CheckController> assembly;
  private volatile @Nullable WakeUps wakeUps;

  /** Begins a description; asks the server which versions it serves. */
  public ControllerDescription(String controllerName, CheckEnvironment environment) {
    this.controllerName = ControllerName.checked(controllerName);
    this.environment = environment;
    this.inputs = new CheckInputs(controllerName, environment.connection());
  }

  @Override
  public ControllerDescription check(Check<NoParameters> check) {
    return check(Parameters.none(), check);
  }

  @Override
  public <P> ControllerDescription check(Parameters<P> parameters, Check<P> check) {
    if (assembly != null) {
      throw new IllegalStateException(
          "the controller "
              + controllerName
              + " has a check already: one check judges for all its AdmissionChecks; build another"
              + " controller, with another name, for another check");
    }
    Supplier<ParametersLookup<P>> lookup = inputs.parameters(parameters);
    assembly =
        () -> {
          AssembledController controller =
              new Assembly<>(this, parameters.source(), lookup.get(), check).controller();
          wakeUps = controller.wakeUps();
          return controller;
        };
    return this;
  }

  @Override
  public <T extends KubernetesObject> Watched<T> watch(Watch<T> watch) {
    return new WatchedInformer<>(inputs.watch(watch));
  }

  @Override
  public MaintenanceQueue maintain(String name, Watched<?> objects, Maintenance work) {
    MaintenanceWork queue =
        new MaintenanceWork(name, work)
            .whenChanged(objects, object -> List.of(ObjectKey.of(object)));
    maintenances.add(queue);
    return queue;
  }

  @Override
  public Waker waker() {
    return new Waker() {
      @Override
      public void wake(ObjectKey workload) {
        @Nullable WakeUps built = wakeUps;
        if (built != null) {
          built.workload(workload);
        }
      }

      @Override
      public void wakeAll() {
        @Nullable WakeUps built = wakeUps;
        if (built != null) {
          built.all();
        }
      }
    };
  }

  @Override
  public ControllerDescription wakeOnWorkloadChange(BiPredicate<Workload, Workload> concerns) {
    inputs.wakeOnChange(concerns);
    return this;
  }

  @Override
  public Watched<Workload> workloads() {
    return new WatchedInformer<>(inputs.workloads());
  }

  @Override
  public Watched<AdmissionCheck> admissionChecks() {
    return new WatchedInformer<>(inputs.checkObjects());
  }

  @Override
  public Watched<ResourceFlavor> resourceFlavors() {
    return new WatchedInformer<>(inputs.flavors());
  }

  @Override
  public ResourceClient resources() {
    inputs.rights().remedy().changesObjects();
    return new ApiResources(api(), inputs.served());
  }

  KubernetesApi api() {
    return guarded().api();
  }

  ClusterConnection guarded() {
    return environment.connection().guardedBy(leaseGuard);
  }

  @Override
  public ControllerDescription guards(Guards limits) {
    guards = limits;
    return this;
  }

  @Override
  public ControllerDescription recheckPendingEvery(Duration interval) {
    pendingEvery = positive(interval);
    return this;
  }

  @Override
  public ControllerDescription probeEvery(Duration interval) {
    probeEvery = positive(interval);
    return this;
  }

  @Override
  public ControllerDescription recheckReadyEvery(Duration interval) {
    readyEvery = positive(interval);
    readyUntilAdmission = false;
    return this;
  }

  @Override
  public ControllerDescription recheckReadyUntilAdmission(Duration interval) {
    readyEvery = positive(interval);
    readyUntilAdmission = true;
    return this;
  }

  @Override
  public ControllerDescription namesDelays() {
    namesDelays = true;
    return this;
  }

  @Override
  public BackendReport backendReport() {
    @Nullable ReachReport known = backendReport;
    if (known == null) {
      known = new ReachReport();
      backendReport = known;
    }
    return known;
  }

  @Override
  public ControllerDescription meters(MeterRegistry registry) {
    meters = registry;
    return this;
  }

  @Override
  public ControllerDescription measure(Consumer<MeterRegistry> binder) {
    binders.add(binder);
    return this;
  }

  @Override
  public ControllerDescription whenClosed(Runnable task) {
    closing.add(task);
    return this;
  }

  @Override
  public CheckController build() {
    if (assembly == null) {
      throw new IllegalStateException(
          "the controller " + controllerName + " has no check: call check(...) before build()");
    }
    binders.forEach(binder -> binder.accept(meters));
    return assembly.get();
  }

  private static Duration positive(Duration interval) {
    if (!interval.isPositive()) {
      throw new IllegalArgumentException("the interval must be positive: " + interval);
    }
    return interval;
  }
}
