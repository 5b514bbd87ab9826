// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.maintenance;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.sdk.objects.Watched;
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
public interface MaintenanceQueue {

  /**
   * Maintains these objects also when others change.
   *
   * @param others watched by the same controller
   * @param concerned the keys of the objects to maintain, for one of the others that was created,
   *     changed or deleted; for a change it is asked about the state before, too, so that an object
   *     which no longer belongs to a key wakes it a last time; quick
   * @throws IllegalArgumentException if another controller watches the others
   */
  <T extends KubernetesObject> MaintenanceQueue whenChanged(
      Watched<T> others, Function<T, ? extends Collection<ObjectKey>> concerned);

  /**
   * Maintains up to so many objects at the same time; 1 otherwise.
   *
   * @throws IllegalArgumentException if it is less than 1
   */
  MaintenanceQueue workers(int count);

  /** Maintains this object soon; does nothing before the controller was built. */
  void wake(ObjectKey key);
}
