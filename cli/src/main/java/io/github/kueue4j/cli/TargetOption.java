// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.ClusterConnectionException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name a cluster, and what is checked before a component starts on it. */
final class TargetOption {
  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "the cluster (default: $KUBECONFIG, ~/.kube/config, or the pod's own)")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "a context of the kubeconfig (default: the current one)")
  private @Nullable String context;

  Target target() {
    return new Target(Optional.ofNullable(kubeconfig), Optional.ofNullable(context));
  }

  /** Connects for a question, in the launcher's own name. */
  ClusterConnection connect() {
    try {
      return target().connect("kueue4j");
    } catch (ClusterConnectionException e) {
      String hint = kubeconfig == null ? " (choose with --kubeconfig FILE and --context NAME)" : "";
      throw new UserError(e.getMessage() + hint, e);
    }
  }

  /**
   * Checks that the cluster answers and serves this kind.
   *
   * @throws UserError if not
   */
  void mustServe(ResourceType<?> type) {
    try (ClusterConnection connection = connect()) {
      if (!connection.api().serves(type)) {
        throw new UserError(
            "the cluster at "
                + connection.server()
                + " does not serve "
                + type.apiVersion()
                + "; install the definitions with '"
                + Launcher.command()
                + " core --install-crds' or the chart kueue-core");
      }
    }
  }
}
