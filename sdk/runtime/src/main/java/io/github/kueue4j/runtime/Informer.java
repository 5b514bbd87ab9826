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
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apiguardian.api.API;

/**
 * A cache of all objects of one type (in one namespace or selection), kept up to date by a watch.
 *
 * <p>Objects from the cache are shared: treat them as read-only. The cache may lag behind the
 * server; decisions that follow a conflict read live from {@link KubernetesApi}.
 *
 * @param <T> the objects' type
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Informer<T extends KubernetesObject> {

  /** The object, if the cache has it. */
  Optional<T> get(ObjectKey key);

  /** All objects, in no particular order. */
  List<T> list();

  /**
   * The objects for which the index function of that name gave {@code value}.
   *
   * @throws IllegalArgumentException if no such index was registered
   */
  List<T> byIndex(String index, String value);

  /**
   * Calls {@code handler} for every object there is now (as {@link Change.Added}) and for every
   * later change, in order per object, after the cache shows it.
   *
   * <p>Handlers run on the informer's own thread: they must be short (enqueue, update an index) and
   * not wait. One that throws is logged with the object's key and called again for the next change.
   *
   * @return ends the calls when closed
   */
  Registration onChange(Consumer<Change<T>> handler);

  /** Whether the cache and all handlers have seen the first complete list. */
  boolean synced();

  /** How the informer is doing, for probes and people. */
  InformerHealth health();

  /** A handler's registration. */
  interface Registration extends AutoCloseable {
    /** Ends the calls; does nothing if ended already. */
    @Override
    void close();
  }
}
