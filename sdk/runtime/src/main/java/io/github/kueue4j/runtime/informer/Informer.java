// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.informer;

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
 * server; decisions that follow a conflict read live from {@link
 * io.github.kueue4j.runtime.client.KubernetesApi}.
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
   * Calls {@code handler} for every present object (as {@link Change.Added}) and for every later
   * change, in order per object, after the cache is updated.
   *
   * <p>Handlers run on the informer's own thread: they must be short (enqueue, update an index) and
   * not block. An exception is logged with the object's key, and the handler is called again for
   * the next change.
   *
   * @return the registration; closing it ends the calls
   */
  Registration onChange(Consumer<Change<T>> handler);

  /** Whether the cache and all handlers have the objects of the first complete list. */
  boolean synced();

  /** The informer's state, for probes and diagnostics. */
  InformerHealth health();

  /** A handler's registration. */
  interface Registration extends AutoCloseable {
    /** Ends the calls; does nothing if ended already. */
    @Override
    void close();
  }
}
