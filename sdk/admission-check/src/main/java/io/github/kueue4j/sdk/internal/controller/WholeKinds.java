// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.informer.Informers;
import io.kubernetes.client.common.KubernetesObject;
import java.util.HashMap;
import java.util.Map;

/**
 * The informers that keep all objects of a kind as they are: one for each kind, although the
 * parameters and a watch of the author may both need it.
 */
final class WholeKinds {
  private final Informers informers;
  private final Map<ResourceType<?>, Informer<?>> known = new HashMap<>();

  WholeKinds(Informers informers) {
    this.informers = informers;
  }

  /** The informer of this kind, in the version that the server serves. */
  @SuppressWarnings("unchecked") // An informer is entered under its own type only.
  <T extends KubernetesObject> Informer<T> of(ResourceType<T> served) {
    return (Informer<T>)
        known.computeIfAbsent(served, type -> informers.of(served).inNamespace(null).register());
  }
}
