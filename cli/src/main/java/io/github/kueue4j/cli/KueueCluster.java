// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.KubernetesApiException;
import io.github.kueue4j.sdk.program.ClusterOptions;

/** Connects a command to a cluster, and reports in one line what its user can correct. */
final class KueueCluster {
  private KueueCluster() {}

  /** What a command does on a cluster. */
  interface Work {
    /** Does it, and returns the exit status. */
    int on(ClusterConnection connection) throws InterruptedException;
  }

  /**
   * Runs the work on the cluster that the options name.
   *
   * @param needs the rights that the command needs, as the end of a message
   * @throws UserError if the cluster doesn't serve Workloads, refuses a request or doesn't answer
   */
  static int use(ClusterOptions options, String needs, Work work) throws InterruptedException {
    Logging.quiet();
    try (ClusterConnection connection = options.connect("kueue4j")) {
      if (!connection.api().serves(KueueTypes.WORKLOAD)) {
        throw new UserError(
            "the cluster at "
                + connection.server()
                + " does not serve "
                + KueueTypes.WORKLOAD.apiVersion()
                + "; choose another with --kubeconfig or --server");
      }
      return work.on(connection);
    } catch (KubernetesApiException.Forbidden e) {
      throw new UserError(e.getMessage() + "; " + needs, e);
    } catch (KubernetesApiException.Unreachable e) {
      throw new UserError(e.getMessage() + "; is the cluster still up?", e);
    } catch (KubernetesApiException.Invalid e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    }
  }
}
