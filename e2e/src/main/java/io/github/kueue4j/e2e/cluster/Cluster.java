// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cluster;

import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * A Kubernetes API that scenarios run against. The caller that starts one owns it and closes it.
 * Clients reach it through its kubeconfig alone, so a scenario can't tell one kind from another.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public interface Cluster extends AutoCloseable {

  /** What this cluster is, for messages: "embedded", "binaries", "k3s". */
  String name();

  /**
   * A kubeconfig file with administrator rights on the cluster. It lives as long as the cluster.
   *
   * @return an absolute path
   */
  Path kubeconfig();

  /** Stops the cluster and removes what it kept on disk. Closing twice is harmless. */
  @Override
  void close();
}
