// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.gpu.fit.NodeFacts;
import io.github.kueue4j.gpu.fit.Place;
import io.github.kueue4j.gpu.fit.Rooms;
import io.github.kueue4j.gpu.source.CapacitySource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many GPUs of a kind there are on usable nodes, and what of them.
 *
 * @param allocatable how many there are
 * @param used how many pods take
 * @param reserved how many are kept for pods that are not bound yet
 */
record GpuUsage(long allocatable, long used, long reserved) {

  /** A resource of nodes of a kind. */
  record Series(String resource, String kind) {}

  static final GpuUsage NONE = new GpuUsage(0, 0, 0);

  long free() {
    return Math.max(0, allocatable - used - reserved);
  }

  private GpuUsage plus(GpuUsage other) {
    return new GpuUsage(
        allocatable + other.allocatable, used + other.used, reserved + other.reserved);
  }

  /**
   * All that the rooms have of the policy's resources.
   *
   * @param kept places that are taken for pods that are not bound yet
   */
  static Map<Series, GpuUsage> of(Rooms rooms, List<Place> kept, GpuPolicy policy) {
    Map<Series, GpuUsage> usage = new HashMap<>();
    for (NodeFacts node : rooms.nodes()) {
      if (CapacitySource.isOffered(node.labels())) {
        continue;
      }
      for (String resource : policy.resources()) {
        long allocatable = node.usable() ? node.allocatable().of(resource) : 0;
        if (allocatable > 0) {
          long taken = rooms.taken(node.name(), resource);
          usage.merge(
              series(node, resource, policy), new GpuUsage(allocatable, taken, 0), GpuUsage::plus);
        }
      }
    }
    for (Place place : kept) {
      for (String resource : policy.resources()) {
        long here = place.needs().requests().of(resource) * place.count();
        rooms
            .node(place.node())
            .filter(node -> !CapacitySource.isOffered(node.labels()))
            .map(node -> series(node, resource, policy))
            .filter(usage::containsKey)
            .ifPresent(series -> usage.merge(series, new GpuUsage(0, -here, here), GpuUsage::plus));
      }
    }
    return usage;
  }

  private static Series series(NodeFacts node, String resource, GpuPolicy policy) {
    return new Series(
        resource, GpuKind.full(node.labels(), policy.kindLabels()).orElse(GpuKind.UNKNOWN));
  }
}
