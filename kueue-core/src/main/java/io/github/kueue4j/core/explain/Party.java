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
package io.github.kueue4j.core.explain;

import org.apiguardian.api.API;

/** Who has to do something before a Workload can run. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Party {
  /** Nobody: time passes, or others finish, or everything is fine. */
  NOBODY("nobody"),
  /** Whoever submitted the Job. */
  WORKLOAD_OWNER("the owner of the Job"),
  /** Whoever is responsible for queues, flavors and quotas. */
  QUEUE_ADMINISTRATOR("the administrator of the queues"),
  /** Whoever runs the controller of an admission check. */
  CHECK_OPERATOR("the operator of the admission check"),
  /** Whoever runs the core. */
  CORE_OPERATOR("the operator of the core"),
  /** Whoever runs the cluster: nodes, the Job controller, kubelets. */
  CLUSTER_OPERATOR("the operator of the cluster");

  private final String words;

  Party(String words) {
    this.words = words;
  }

  /** The party in words, for a sentence. */
  public String words() {
    return words;
  }
}
