// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.queue;

import io.github.kueue4j.core.quota.Amounts;
import java.util.List;
import java.util.Map;

/** Demands of pod sets for tests that are about amounts. */
public final class PodSetDemands {
  /** Any node without taints will do. */
  public static final NodeConstraints ANY_NODE =
      new NodeConstraints(Map.of(), List.of(), List.of());

  private PodSetDemands() {}

  /** A pod set that needs all of its pods and runs on any node. */
  public static PodSetDemand of(String name, int count, Amounts<String> perPod) {
    return new PodSetDemand(name, count, count, perPod, ANY_NODE);
  }
}
