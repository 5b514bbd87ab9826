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

import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.e2e.assembly.Target;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.ClusterConnectionException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names a cluster, and what is checked before a component starts on it. */
final class TargetOption {
  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "the cluster; default: the service account of the pod that this runs in")
  private @Nullable Path kubeconfig;

  Target target() {
    return new Target(Optional.ofNullable(kubeconfig));
  }

  /** Connects for a question, in the launcher's own name. */
  ClusterConnection connect() {
    try {
      return target().connect("kueue4j");
    } catch (ClusterConnectionException e) {
      String hint = kubeconfig == null ? " (outside of a pod, give --kubeconfig FILE)" : "";
      throw new UserError(e.getMessage() + hint, e);
    }
  }

  /** The namespace of the kubeconfig's context or of the pod. */
  String namespace() {
    try (ClusterConnection connection = connect()) {
      return connection.namespace();
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
                + "; install the definitions with './kueue4j core --install-crds' or the chart"
                + " kueue-core");
      }
    }
  }
}
