// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.controller;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.Controller;
import io.github.kueue4j.runtime.Informer;
import io.kubernetes.client.common.KubernetesObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * The objects that wait for a {@link Maintenance}.
 *
 * @see Maintenance
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class MaintenanceQueue {

  private final String name;
  private final Maintenance work;
  private final List<Consumer<Controller.Builder>> watches = new ArrayList<>();
  private final LateQueue queue = new LateQueue();
  private int workers = 1;

  MaintenanceQueue(String name, Maintenance work) {
    this.name = name;
    this.work = work;
  }

  /**
   * Maintains these objects also when others change.
   *
   * @param others watched by the same controller
   * @param concerned the keys of the objects to maintain, for one of the others that was created,
   *     changed or deleted; for a change it is asked about the state before, too, so that an object
   *     which no longer belongs to a key wakes it a last time; quick
   * @throws IllegalArgumentException if another controller watches the others
   */
  public <T extends KubernetesObject> MaintenanceQueue whenChanged(
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

  /**
   * Maintains up to so many objects at the same time; 1 otherwise.
   *
   * @throws IllegalArgumentException if it is less than 1
   */
  public MaintenanceQueue workers(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("workers must be at least 1 but is " + count);
    }
    workers = count;
    return this;
  }

  /** Maintains this object soon; does nothing before the controller was built. */
  public void trigger(ObjectKey key) {
    queue.add(key);
  }

  /** The controller that does the work; called once. */
  Controller build(AuthorCalls calls, CheckMetrics metrics) {
    Controller.Builder controller =
        Controller.builder(name, new MaintenanceReconciler(name, work, calls, metrics))
            .workers(workers);
    watches.forEach(watch -> watch.accept(controller));
    return controller.build();
  }

  /** From now on the queue takes keys. */
  void opened(Controller built) {
    queue.open(built);
  }
}
