// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import org.apiguardian.api.API;

/** The party that has to act before a Workload can run, or can let it run sooner. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Actor {
  /** No action is needed: time passes, other Workloads finish, or the Workload runs. */
  NONE("nobody"),
  /** The person who submitted the Job. */
  WORKLOAD_OWNER("the owner of the Job"),
  /** The person responsible for queues, flavors and quotas. */
  QUEUE_ADMINISTRATOR("the administrator of the queues"),
  /** The controller of an admission check, by itself. */
  CHECK_CONTROLLER("the controller of the admission check"),
  /** The person who operates the controller of an admission check. */
  CHECK_OPERATOR("the operator of the admission check"),
  /** The person who operates the core. */
  CORE_OPERATOR("the operator of the core"),
  /** The person who operates the cluster: nodes, the Job controller, kubelets. */
  CLUSTER_OPERATOR("the operator of the cluster");

  private final String words;

  Actor(String words) {
    this.words = words;
  }

  /** The party as a phrase for a sentence. */
  public String words() {
    return words;
  }
}
