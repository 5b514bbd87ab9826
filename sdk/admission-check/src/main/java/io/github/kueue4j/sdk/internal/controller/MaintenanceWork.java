// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.controller.Controller;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.sdk.maintenance.Maintenance;
import io.github.kueue4j.sdk.maintenance.MaintenanceQueue;
import io.github.kueue4j.sdk.objects.Watched;
import io.kubernetes.client.common.KubernetesObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** The objects that wait for a {@link Maintenance}, and the controller that does it. */
final class MaintenanceWork implements MaintenanceQueue {

  private final String name;
  private final Maintenance work;
  private final List<Consumer<Controller.Builder>> watches = new ArrayList<>();
  private final LateQueue queue = new LateQueue();
  private int workers = 1;

  MaintenanceWork(String name, Maintenance work) {
    this.name = name;
    this.work = work;
  }

  @Override
  public <T extends KubernetesObject> MaintenanceWork whenChanged(
      Watched<T> others, Function<T, ? extends Collection<ObjectKey>> concerned) {
    Informer<T> informer = WatchedInformer.of(others).informer();
    watches.add(
        controller ->
            controller.watch(
                informer,
                change ->
                    change.states().stream()
                        .flatMap(state -> concerned.apply(state).stream())
                        .distinct()
                        .toList()));
    return this;
  }

  @Override
  public MaintenanceWork workers(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("workers must be at least 1 but is " + count);
    }
    workers = count;
    return this;
  }

  @Override
  public void wake(ObjectKey key) {
    queue.add(key);
  }

  Controller build(AuthorCalls calls, CheckMetrics metrics) {
    Controller.Builder controller =
        Controller.builder(name, new MaintenanceReconciler(name, work, calls, metrics))
            .workers(workers);
    watches.forEach(watch -> watch.accept(controller));
    return controller.build();
  }

  void opened(Controller built) {
    queue.open(built);
  }
}
