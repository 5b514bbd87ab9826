// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.quota.Quota;
import io.github.kueue4j.core.quota.QuotaTree;
import io.github.kueue4j.core.quota.ResourceUnits;
import io.github.kueue4j.core.status.CohortReport;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The quota of one flavor and resource at one node of the tree. Amounts are in the resource's own
 * unit: cores, bytes, pieces.
 *
 * @param nominal the node's own quota
 * @param quota for a Cohort its own and what its members lend; for a queue the nominal quota
 * @param used by Workloads of the queue, or below the Cohort
 * @param borrowed what is used beyond {@code quota}
 * @param lent of a queue, the part of its unused quota that it can't have now since others use it;
 *     of a Cohort, what its members borrow from it and from each other
 * @param borrowingLimit null for none
 * @param lendingLimit null for none
 */
record ShownQuota(
    String flavor,
    String resource,
    double nominal,
    double quota,
    double used,
    double borrowed,
    double lent,
    @Nullable Double borrowingLimit,
    @Nullable Double lendingLimit) {

  static List<ShownQuota> ofQueue(QuotaTree tree, String name, Map<FlavorResource, Quota> quotas) {
    return new TreeMap<>(quotas)
        .entrySet().stream()
            .map(
                entry -> {
                  FlavorResource key = entry.getKey();
                  long nominal = entry.getValue().nominal();
                  long used = tree.usage(NodeId.queue(name), key);
                  long unused = Math.max(0, nominal - used);
                  long lent = Math.max(0, unused - Math.max(0, tree.available(name, key)));
                  return of(
                      key, entry.getValue(), nominal, used, Math.max(0, used - nominal), lent);
                })
            .toList();
  }

  static List<ShownQuota> ofCohort(
      QuotaTree tree, String name, CohortReport report, Map<FlavorResource, Quota> own) {
    NodeId node = NodeId.cohort(name);
    Map<FlavorResource, Quota> keys = new TreeMap<>(own);
    report.quota().asMap().keySet().forEach(key -> keys.putIfAbsent(key, Quota.ZERO));
    report.reservation().asMap().keySet().forEach(key -> keys.putIfAbsent(key, Quota.ZERO));
    return keys.entrySet().stream()
        .map(
            entry -> {
              FlavorResource key = entry.getKey();
              long borrowed = borrowed(tree, node, key);
              long byMembers = 0;
              for (NodeId child : tree.children(node)) {
                byMembers += borrowed(tree, child, key);
              }
              return of(
                  key,
                  entry.getValue(),
                  report.quota().get(key),
                  report.reservation().get(key),
                  borrowed,
                  Math.max(0, byMembers - borrowed));
            })
        .filter(row -> row.quota > 0 || row.used > 0)
        .toList();
  }

  private static long borrowed(QuotaTree tree, NodeId node, FlavorResource key) {
    return tree.parent(node).isEmpty()
        ? 0
        : Math.max(0, tree.usage(node, key) - tree.subtreeQuota(node, key));
  }

  private static ShownQuota of(
      FlavorResource key, Quota quota, long whole, long used, long borrowed, long lent) {
    String resource = key.resource();
    return new ShownQuota(
        key.flavor(),
        resource,
        ResourceUnits.decimal(resource, quota.nominal()),
        ResourceUnits.decimal(resource, whole),
        ResourceUnits.decimal(resource, used),
        ResourceUnits.decimal(resource, borrowed),
        ResourceUnits.decimal(resource, lent),
        limit(resource, quota.borrowingLimit()),
        limit(resource, quota.lendingLimit()));
  }

  private static @Nullable Double limit(String resource, @Nullable Long limit) {
    return limit == null ? null : ResourceUnits.decimal(resource, limit);
  }
}
