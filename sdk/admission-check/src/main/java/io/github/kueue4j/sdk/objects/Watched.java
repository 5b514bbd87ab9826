// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.objects;

import io.github.kueue4j.api.ObjectKey;
import io.kubernetes.client.common.KubernetesObject;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apiguardian.api.API;

/**
 * The objects of one kind that a check watches besides workloads, kept up to date in memory. Empty
 * until the controller has started; evaluations begin when it is complete.
 *
 * <pre>{@code
 * Watched<V1Node> nodes = builder.watch(Watch.of(CoreTypes.NODE));
 * long ready = nodes.list().stream().filter(node -> node.getSpec() != null).count();
 * }</pre>
 *
 * @param <T> the objects' type; treat them as read-only
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Watched<T extends KubernetesObject> {

  /** The object, if there is one. */
  Optional<T> get(ObjectKey key);

  /** All objects, in no particular order. */
  List<T> list();

  /**
   * Calls {@code handler} for each object that is there, and whenever one was created, changed or
   * deleted: for a check that keeps sums of many objects. By then {@link #get} tells what is so
   * now, which may be a later state than the one of this call. Evaluations begin after the calls
   * for the objects that were there at the start.
   *
   * <pre>{@code
   * Map<ObjectKey, String> phases = new ConcurrentHashMap<>();
   * pods.onChange(
   *     key ->
   *         phases.compute(
   *             key, (same, before) -> pods.get(key).map(pod -> pod.getStatus().getPhase()).orElse(null)));
   * }</pre>
   *
   * @param handler quick: it runs on the watch's own thread; gets the calls one after the other
   */
  void onChange(Consumer<ObjectKey> handler);
}
