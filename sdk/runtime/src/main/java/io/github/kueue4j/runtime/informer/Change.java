// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.informer;

import io.github.kueue4j.api.ObjectKey;
import io.kubernetes.client.common.KubernetesObject;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A change of one object, as an {@link Informer} reports it.
 *
 * <p>An object that was deleted and created again under the same name, even while the watch was
 * down, is a {@link Deleted} followed by an {@link Added}: uids never change in an {@link Updated}.
 *
 * @param <T> the object's type
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface Change<T extends KubernetesObject> {

  /** The newest known state; for a deleted object its last known state. */
  T object();

  /** The object's key. */
  default ObjectKey key() {
    return ObjectKey.of(object());
  }

  /**
   * Every state that the change is about, the newest last: what an object said before, too, for
   * those whom it concerns no longer.
   */
  default List<T> states() {
    return this instanceof Updated<T>(T before, T now) ? List.of(before, now) : List.of(object());
  }

  /**
   * The object is new to the informer.
   *
   * @param object its state
   */
  record Added<T extends KubernetesObject>(T object) implements Change<T> {}

  /**
   * The object has another resourceVersion than before.
   *
   * @param before its previous state
   * @param object its new state
   */
  record Updated<T extends KubernetesObject>(T before, T object) implements Change<T> {}

  /**
   * The object was deleted.
   *
   * @param object its last known state
   * @param missed whether the object's very last state is unknown, so that {@code object} may be
   *     older: the deletion was only noticed by a later list, or its event couldn't be read
   */
  record Deleted<T extends KubernetesObject>(T object, boolean missed) implements Change<T> {}
}
