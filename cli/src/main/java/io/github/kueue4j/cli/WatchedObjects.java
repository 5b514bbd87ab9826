// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.informer.InformerHealth;
import io.github.kueue4j.runtime.informer.Informers;
import io.github.kueue4j.runtime.informer.InitialSyncTimeoutException;
import io.kubernetes.client.common.KubernetesObject;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** Objects that are kept up to date until a command ends. */
final class WatchedObjects implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Informers informers;

  WatchedObjects(ClusterConnection connection) {
    this.informers = Informers.on(connection);
  }

  /** The objects of a kind; empty before {@link #start}. */
  <T extends KubernetesObject> Informer<T> of(ResourceType<T> type, String namespace) {
    return informers.of(type).inNamespace(namespace).register();
  }

  /**
   * Reads them, and goes on watching.
   *
   * @throws UserError if the server doesn't let the objects be watched
   */
  void start() throws InterruptedException {
    informers.start();
    try {
      informers.awaitSynced(PATIENCE);
    } catch (InitialSyncTimeoutException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    }
  }

  /** Why some of them aren't up to date now; empty if they are. */
  Optional<String> problem() {
    return informers.health().stream()
        .map(InformerHealth::lastError)
        .filter(Objects::nonNull)
        .findFirst();
  }

  @Override
  public void close() {
    informers.close();
  }
}
