// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.controller;

import io.github.kueue4j.api.ObjectKey;
import io.kubernetes.client.common.KubernetesObject;
import java.util.List;
import java.util.Optional;
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
}
