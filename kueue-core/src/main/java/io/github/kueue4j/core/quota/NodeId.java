// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.quota;

import java.util.Comparator;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * The identity of a node of the quota tree. A ClusterQueue and a Cohort may have the same name.
 *
 * @param kind of the object
 * @param name of the object
 */
@API(status = API.Status.INTERNAL)
public record NodeId(Kind kind, String name) implements Comparable<NodeId> {
  private static final Comparator<NodeId> ORDER =
      Comparator.comparing(NodeId::kind).thenComparing(NodeId::name);

  /** The kinds of nodes. */
  @API(status = API.Status.INTERNAL)
  public enum Kind {
    /** An inner node. */
    COHORT,
    /** A leaf: only ClusterQueues have usage of their own. */
    CLUSTER_QUEUE
  }

  public NodeId {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(name, "name");
  }

  public static NodeId cohort(String name) {
    return new NodeId(Kind.COHORT, name);
  }

  public static NodeId queue(String name) {
    return new NodeId(Kind.CLUSTER_QUEUE, name);
  }

  public boolean isCohort() {
    return kind == Kind.COHORT;
  }

  @Override
  public int compareTo(NodeId other) {
    return ORDER.compare(this, other);
  }
}
