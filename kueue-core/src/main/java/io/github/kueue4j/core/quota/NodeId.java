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
package io.github.kueue4j.core.quota;

import java.util.Comparator;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * Names a node of the quota tree. A ClusterQueue and a Cohort may have the same name.
 *
 * @param kind which of the two
 * @param name of the object
 */
@API(status = API.Status.INTERNAL)
public record NodeId(Kind kind, String name) implements Comparable<NodeId> {
  private static final Comparator<NodeId> ORDER =
      Comparator.comparing(NodeId::kind).thenComparing(NodeId::name);

  /** What a node stands for. */
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
