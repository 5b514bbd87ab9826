/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.e2e.cli;

import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.ClusterConnectionException;
import io.github.kueue4j.testkit.client.JsonApi;
import io.github.kueue4j.testkit.client.UnreachableServerException;
import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name a cluster for a person's question; without them as kubectl finds it. */
final class ClusterOption {
  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "the cluster; default: $KUBECONFIG, ~/.kube/config, or the pod's own")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--server",
      paramLabel = "URL",
      description = "the cluster, without credentials, such as http://127.0.0.1:8001")
  private @Nullable URI server;

  /**
   * Connects.
   *
   * @throws UserError if nothing says where, or nobody answers there
   */
  ClusterConnection connect() {
    if (server != null && kubeconfig != null) {
      throw new UserError("--server and --kubeconfig exclude each other; give one of them");
    }
    ClusterConnection.Builder builder = ClusterConnection.builder("kueue4j");
    try {
      if (server != null) {
        return builder.url(server).connect();
      }
      Path file = kubeconfig == null ? usual(System.getenv("KUBECONFIG")) : kubeconfig;
      return (file == null ? builder.inCluster() : builder.kubeconfig(file, null)).connect();
    } catch (ClusterConnectionException | IllegalArgumentException e) {
      String hint =
          server == null && kubeconfig == null ? " (choose with --kubeconfig or --server)" : "";
      throw new UserError(e.getMessage() + hint, e);
    }
  }

  /**
   * Opens a connection for what is not to be parsed: the kits of the testkit.
   *
   * @throws UserError if nothing says where, or the kubeconfig is unusable
   */
  JsonApi json() {
    if (server != null && kubeconfig != null) {
      throw new UserError("--server and --kubeconfig exclude each other; give one of them");
    }
    if (server != null) {
      return JsonApi.at(server);
    }
    Path file = kubeconfig == null ? usual(System.getenv("KUBECONFIG")) : kubeconfig;
    if (file == null) {
      throw new UserError("no kubeconfig found; choose a cluster with --kubeconfig or --server");
    }
    try {
      return JsonApi.of(file);
    } catch (UnreachableServerException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    }
  }

  private static @Nullable Path usual(@Nullable String variable) {
    if (variable != null && !variable.isEmpty()) {
      return Path.of(variable.split(File.pathSeparator, -1)[0]);
    }
    Path file = Path.of(System.getProperty("user.home", ""), ".kube", "config");
    return Files.exists(file) ? file : null;
  }
}
