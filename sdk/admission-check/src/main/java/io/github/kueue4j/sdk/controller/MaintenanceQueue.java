// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.controller;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.Controller;
import io.github.kueue4j.runtime.KubernetesApiException;
import io.github.kueue4j.runtime.Requeue;
import io.github.kueue4j.sdk.ConflictException;
import io.kubernetes.client.common.KubernetesObject;
import java.util.Collection;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * The objects that wait for a {@link Maintenance}.
 *
 * @see Maintenance
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class MaintenanceQueue {

  private final Controller.Builder controller;
  private final LateQueue queue = new LateQueue();

  MaintenanceQueue(String name, Maintenance work) {
    this.controller = Controller.builder(name, key -> requeue(work, key));
  }

  private static Requeue requeue(Maintenance work, ObjectKey key) throws Exception {
    try {
      return work.maintain(key).map(Requeue::after).orElseGet(Requeue::never);
    } catch (ConflictException e) {
      // The runtime's own, which it retries without a warning.
      throw e.getCause() instanceof KubernetesApiException.Conflict conflict
          ? conflict
          : new KubernetesApiException.Conflict(String.valueOf(e.getMessage()), null);
    }
  }

  /**
   * Maintains these objects also when others change.
   *
   * @param others watched by the same controller
   * @param concerned the keys of the objects to maintain, for one of the others that was created,
   *     changed or deleted; quick
   * @throws IllegalArgumentException if another controller watches the others
   */
  public <T extends KubernetesObject> MaintenanceQueue whenChanged(
      Watched<T> others, Function<T, ? extends Collection<ObjectKey>> concerned) {
    controller.watch(
        WatchedInformer.of(others).informer(), change -> concerned.apply(change.object()));
    return this;
  }

  /** Maintains this object soon; does nothing before the controller was built. */
  public void trigger(ObjectKey key) {
    queue.add(key);
  }

  /** The controller that does the work; called once. */
  Controller build() {
    return controller.build();
  }

  /** From now on the queue takes keys. */
  void opened(Controller built) {
    queue.open(built);
  }
}
