// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.testing;

import static io.github.kueue4j.jobs.testing.FromYaml.read;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.core.state.State;
import java.time.Instant;
import java.util.Map;

/**
 * The smallest configuration that admits: the namespace {@code team}, the flavor {@code default},
 * the ClusterQueue {@code cq} and its LocalQueue {@code lq}.
 */
public final class OneQueue {
  public static final ObjectKey LOCAL_QUEUE = new ObjectKey("team", "lq");

  private OneQueue() {}

  /**
   * Tells the State of all four.
   *
   * @param spec further fields of the ClusterQueue's spec, as the inside of a YAML flow mapping
   */
  public static void addTo(State state, String spec, Instant now) {
    addNamespaceAndFlavor(state, now);
    changeClusterQueue(state, spec, now);
    state
        .configObjects()
        .localQueue(
            LOCAL_QUEUE,
            read(
                LocalQueue.class,
                "{metadata: {name: lq, namespace: team}, spec: {clusterQueue: cq}}"),
            now);
  }

  /** Replaces the spec of the ClusterQueue. */
  public static void changeClusterQueue(State state, String spec, Instant now) {
    state
        .configObjects()
        .clusterQueue(
            "cq",
            read(
                ClusterQueue.class,
                "{metadata: {name: cq}, spec: {namespaceSelector: {}, %s}}".formatted(spec)),
            now);
  }

  static void addNamespaceAndFlavor(State state, Instant now) {
    state.configObjects().namespace("team", Map.of());
    state
        .configObjects()
        .flavor("default", read(ResourceFlavor.class, "{metadata: {name: default}}"), now);
  }
}
