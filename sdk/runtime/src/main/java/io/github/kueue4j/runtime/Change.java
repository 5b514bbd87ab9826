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
package io.github.kueue4j.runtime;

import io.github.kueue4j.api.ObjectKey;
import io.kubernetes.client.common.KubernetesObject;
import org.apiguardian.api.API;

/**
 * What happened to one object, as seen by an {@link Informer}.
 *
 * <p>An object that was deleted and created again under the same name, even while the watch was
 * down, is a {@link Deleted} followed by an {@link Added}: uids never change in an {@link Updated}.
 *
 * @param <T> the object's type
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface Change<T extends KubernetesObject> {

  /** The newest state that is known; for a deleted object its last one. */
  T object();

  /** The object's key. */
  default ObjectKey key() {
    return ObjectKey.of(object());
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
   * The object is gone.
   *
   * @param object its last known state
   * @param missed whether the deletion was only noticed by a later list, so that {@code object} may
   *     be older than the object's very last state
   */
  record Deleted<T extends KubernetesObject>(T object, boolean missed) implements Change<T> {}
}
