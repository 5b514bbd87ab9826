// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.runtime.Reconciler;
import io.github.kueue4j.runtime.Requeue;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * The kinds of Jobs that the configuration names and the server didn't serve at the start, since
 * their controller isn't installed. Informers start with the process only; so once such a kind is
 * served, the process isn't healthy any more, and is restarted.
 */
final class UnservedKinds implements Reconciler {
  /** What is looked at; there is no object. */
  static final ObjectKey ALL = ObjectKey.cluster("all");

  private static final Duration INTERVAL = Duration.ofMinutes(1);

  private final KubernetesApi api;
  private final List<? extends ResourceType<?>> kinds;
  private volatile List<String> problems = List.of();

  UnservedKinds(KubernetesApi api, Collection<? extends ResourceType<?>> kinds) {
    this.api = api;
    this.kinds = List.copyOf(kinds);
  }

  /** Why the process has to be restarted; empty if it hasn't. */
  List<String> problems() {
    return problems;
  }

  @Override
  public Requeue reconcile(ObjectKey key) {
    problems =
        kinds.stream()
            .filter(api::serves)
            .map(kind -> "the server serves " + kind + " only since the start")
            .toList();
    return Requeue.after(INTERVAL);
  }
}
