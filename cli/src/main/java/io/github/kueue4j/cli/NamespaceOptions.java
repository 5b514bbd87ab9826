// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.ListOptions;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of commands that show one namespace or all. A mixin of picocli. */
final class NamespaceOptions {
  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "the namespace (default: that of the kubeconfig's context)")
  private @Nullable String namespace;

  @Option(
      names = {"-A", "--all-namespaces"},
      description = "all namespaces")
  private boolean all;

  boolean all() {
    return all;
  }

  /** The namespace to list; empty for all. */
  String of(ClusterConnection connection) {
    return all ? "" : Optional.ofNullable(namespace).orElseGet(connection::namespace);
  }

  /** The rights that a command needs, as the end of a message, for this choice of namespaces. */
  String needs(String rights) {
    return all ? rights + " of all namespaces; give -n NS for one" : rights;
  }

  ListOptions where(ClusterConnection connection) {
    return all ? ListOptions.all() : ListOptions.inNamespace(of(connection));
  }

  /**
   * Refuses what contradicts itself.
   *
   * @throws UserError if both options are given
   */
  void check() {
    if (all && namespace != null) {
      throw new UserError("-A excludes -n " + namespace + "; give one of them");
    }
  }
}
