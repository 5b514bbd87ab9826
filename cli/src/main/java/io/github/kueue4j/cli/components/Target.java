// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.components;

import io.github.kueue4j.runtime.client.ClusterConnection;
import java.nio.file.Path;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The cluster that a component works on. */
@FunctionalInterface
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public interface Target {

  /** The cluster of a kubeconfig file's current context. */
  static Target of(Path kubeconfig) {
    return of(kubeconfig, null);
  }

  /** The cluster of a context of a kubeconfig file; null: its current one. */
  static Target of(Path kubeconfig, @Nullable String context) {
    return component ->
        ClusterConnection.builder(component).kubeconfig(kubeconfig, context).connect();
  }

  /**
   * Connects.
   *
   * @param component who connects; the user agent
   * @throws RuntimeException if the cluster can't be found or used; the message says why
   */
  ClusterConnection connect(String component);
}
