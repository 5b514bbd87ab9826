// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.components;

import io.github.kueue4j.runtime.ClusterConnection;
import java.nio.file.Path;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The cluster that a component works on.
 *
 * @param kubeconfig the file that names it, or empty for the one that kubectl would take: {@code
 *     KUBECONFIG}, {@code ~/.kube/config}, or else the cluster whose pod we are
 * @param context of the kubeconfig; empty for its current one
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public record Target(Optional<Path> kubeconfig, Optional<String> context) {

  /** The cluster of a kubeconfig file's current context. */
  public static Target of(Path kubeconfig) {
    return new Target(Optional.of(kubeconfig), Optional.empty());
  }

  /**
   * Connects.
   *
   * @param component who connects; the user agent
   * @throws io.github.kueue4j.runtime.ClusterConnectionException if there is no kubeconfig, the
   *     file or the context is missing or unusable, or the cluster doesn't answer
   */
  public ClusterConnection connect(String component) {
    ClusterConnection.Builder builder = ClusterConnection.builder(component);
    return kubeconfig
        .map(file -> builder.kubeconfig(file, context.orElse(null)))
        .orElseGet(() -> builder.auto(context.orElse(null)))
        .connect();
  }
}
