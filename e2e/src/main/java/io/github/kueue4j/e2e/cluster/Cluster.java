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
package io.github.kueue4j.e2e.cluster;

import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * A Kubernetes API that scenarios run against. Whoever starts one owns it and closes it; clients
 * reach it through its kubeconfig alone, so a scenario can't tell one kind from another.
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
