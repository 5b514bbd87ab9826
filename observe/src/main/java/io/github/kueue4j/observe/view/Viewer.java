// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.runtime.http.RequestAuthorizer.Decision;

/**
 * The sender of one request, and what they may see: the Workloads and LocalQueues of a namespace if
 * they may list its Workloads, ClusterQueues and Cohorts if they may list ClusterQueues.
 */
final class Viewer {
  private final ViewAccess access;
  private final String authorization;

  Viewer(ViewAccess access, String authorization) {
    this.access = access;
    this.authorization = authorization;
  }

  /**
   * Checks that the Workloads of a namespace may be seen.
   *
   * @param namespace empty for all
   * @return the sender's name; empty where everyone may see everything
   * @throws ViewProblem if they may not
   */
  String checkWorkloads(String namespace) {
    return check(access.list(authorization, KueueTypes.WORKLOAD, namespace), namespace);
  }

  /**
   * Whether the Workloads of all namespaces may be seen.
   *
   * @throws ViewProblem if the sender is unknown, or it can't be decided
   */
  boolean seesAllNamespaces() {
    return allowed(KueueTypes.WORKLOAD, "");
  }

  /**
   * Whether ClusterQueues and Cohorts may be seen.
   *
   * @throws ViewProblem if the sender is unknown, or it can't be decided
   */
  boolean seesClusterQueues() {
    return allowed(KueueTypes.CLUSTER_QUEUE, "");
  }

  /**
   * Whether these objects may be seen.
   *
   * @throws ViewProblem if the sender is unknown, or it can't be decided
   */
  boolean allowed(ResourceType<?> type, String namespace) {
    Decision decision = access.list(authorization, type, namespace);
    if (decision instanceof Decision.Denied) {
      return false;
    }
    check(decision, namespace);
    return true;
  }

  private static String check(Decision decision, String namespace) {
    return switch (decision) {
      case Decision.Allowed allowed -> allowed.user();
      case Decision.Unauthenticated unknown -> throw new ViewProblem(401, unknown.why());
      case Decision.Denied denied ->
          throw new ViewProblem(
              403,
              denied.why()
                  + (namespace.isEmpty() ? ", or name a namespace with ?namespace=NAME" : ""));
      case Decision.Undecided undecided -> throw new ViewProblem(503, undecided.why());
    };
  }
}
