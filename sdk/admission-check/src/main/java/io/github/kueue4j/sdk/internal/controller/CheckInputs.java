// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.informer.Change;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.informer.Informers;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.sdk.objects.KindNotServedException;
import io.github.kueue4j.sdk.objects.Watch;
import io.github.kueue4j.sdk.rbac.MissingRightsException;
import io.kubernetes.client.common.KubernetesObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The objects that a controller reads from the API server: the caches that it fills, what its
 * account and the server must have for that, and which workloads a change wakes.
 */
final class CheckInputs {

  private static final Logger log = LoggerFactory.getLogger(CheckInputs.class);

  private final String controllerName;
  private final KubernetesApi api;
  private final ServedVersion served;
  private final Informers informers;
  private final WholeKinds wholeKinds;
  private final Informer<Workload> workloads;
  private final Informer<AdmissionCheck> checkObjects;
  private final Informer<ResourceFlavor> flavors;
  private final AwaitedKinds kinds;
  private final RequiredRights rights;
  private final List<Consumer<WakeUps>> wakes = new ArrayList<>();

  /** The objects that every controller reads. */
  CheckInputs(String controllerName, ClusterConnection connection) {
    this.controllerName = controllerName;
    this.api = connection.api();
    this.served = ServedVersion.of(api);
    this.kinds = new AwaitedKinds(api);
    this.rights = new RequiredRights(controllerName, connection);
    this.informers = Informers.on(connection);
    this.wholeKinds = new WholeKinds(informers);
    this.workloads =
        informers
            .of(served.of(KueueTypes.WORKLOAD))
            .index(WorkloadIndex.CHECKS, WorkloadIndex::checks)
            .register();
    this.checkObjects = informers.of(served.of(KueueTypes.ADMISSION_CHECK)).register();
    this.flavors = informers.of(served.of(KueueTypes.RESOURCE_FLAVOR)).register();
    rights.basic(served.of(KueueTypes.WORKLOAD));
    rights.basic(served.of(KueueTypes.ADMISSION_CHECK));
    rights.basic(served.of(KueueTypes.RESOURCE_FLAVOR));
  }

  RequiredRights rights() {
    return rights;
  }

  ServedVersion served() {
    return served;
  }

  Informers informers() {
    return informers;
  }

  Informer<Workload> workloads() {
    return workloads;
  }

  Informer<AdmissionCheck> checkObjects() {
    return checkObjects;
  }

  Informer<ResourceFlavor> flavors() {
    return flavors;
  }

  AwaitedKinds kinds() {
    return kinds;
  }

  /** The objects of a watch. */
  <T extends KubernetesObject> Informer<T> watch(Watch<T> watch) {
    rights.watched(
        served.of(watch.type()),
        Objects.requireNonNullElse(watch.namespace(), ""),
        watch.name(),
        watch.awaited());
    Informer<T> informer = keepsAll(watch) ? wholeKinds.of(served.of(watch.type())) : some(watch);
    wakes.add(wakeUps -> informer.onChange(change -> wake(watch, change, wakeUps)));
    return informer;
  }

  /** From now on such a change of a workload wakes it. */
  void wakeOnChange(BiPredicate<Workload, Workload> concerns) {
    wakes.add(
        wakeUps ->
            workloads.onChange(
                change -> {
                  if (change instanceof Change.Updated<Workload>(Workload before, Workload now)
                      && concerns.test(before, now)) {
                    wakeUps.workload(now.key());
                  }
                }));
  }

  /** Whether all objects of the kind are kept as they are. */
  private static boolean keepsAll(Watch<?> watch) {
    return watch.namespace() == null
        && !watch.awaited()
        && watch.fieldSelector() == null
        && watch.labelSelector() == null
        && watch.trim().equals(UnaryOperator.identity());
  }

  private <T extends KubernetesObject> Informer<T> some(Watch<T> watch) {
    Informers.Spec<T> spec =
        informers
            .of(served.of(watch.type()))
            .inNamespace(watch.namespace())
            .transform(watch.trim());
    if (watch.fieldSelector() != null) {
      spec.fieldSelector(watch.fieldSelector());
    }
    if (watch.labelSelector() != null) {
      spec.labelSelector(watch.labelSelector());
    }
    return watch.awaited() ? kinds.await(watch.type(), spec::register) : spec.register();
  }

  private static <T extends KubernetesObject> void wake(
      Watch<T> watch, Change<T> change, WakeUps wakeUps) {
    switch (watch.wakes()) {
      case Watch.Wake.AllWaiting<T> all -> wakeUps.all();
      case Watch.Wake.NoWorkload<T> none -> {}
      case Watch.Wake.Selected<T> selected ->
          change.states().stream()
              .flatMap(state -> selected.concerned().apply(state).stream())
              .distinct()
              .forEach(wakeUps::workload);
    }
  }

  /** From now on changes of what is watched wake workloads. */
  void wake(WakeUps wakeUps) {
    wakes.forEach(each -> each.accept(wakeUps));
  }

  /**
   * How the parameters of AdmissionChecks are looked up; where their kind need not be there and
   * isn't, once it is served.
   *
   * @return to be called once, when the controller is built
   * @throws IllegalArgumentException if they are of a namespaced kind and no namespace was named
   */
  <P> Supplier<ParametersLookup<P>> parameters(Parameters<P> parameters) {
    parameters.source().ifPresent(this::requireNamespace);
    if (parameters.source().filter(this::isMissing).isPresent()) {
      return () -> ParametersLookup.later(parameters.source().orElseThrow(), informers, kinds);
    }
    parameters
        .source()
        .ifPresent(
            source -> {
              rights.parameters(served.of(source.type()), source.namespace());
              if (source.reports()) {
                rights.remedy().status(served.of(source.type()), source.namespace());
              }
            });
    return () -> ParametersLookup.of(parameters, informers, wholeKinds, served);
  }

  /** Whether the parameters need not be given, and the server doesn't know their kind. */
  private boolean isMissing(Parameters.Source<?, ?> source) {
    try {
      return source.defaults().isPresent() && !api.serves(served.of(source.type()));
    } catch (KubernetesApiException e) {
      log.atDebug()
          .addKeyValue("cause", e.getMessage())
          .log("Could not read which kinds the API server serves");
      return false;
    }
  }

  private void requireNamespace(Parameters.Source<?, ?> source) {
    if (source.lacksNamespace()) {
      throw new IllegalArgumentException(
          "the parameters of the controller "
              + controllerName
              + " are "
              + source.type().plural()
              + ", which live in namespaces: say in which with"
              + " Parameters.from(...).inNamespace(\"team-a\")");
    }
  }

  /**
   * Asks the server whether all of it can be read, before the caches are filled.
   *
   * @throws KindNotServedException if the server doesn't know a kind
   * @throws MissingRightsException if a right is missing
   */
  void require(TimeSource time) {
    rights.require();
    kinds.look(time.steady());
  }
}
