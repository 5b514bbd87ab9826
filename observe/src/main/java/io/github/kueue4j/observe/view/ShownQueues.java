// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import io.github.kueue4j.api.Cohort;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.core.quota.DominantShare;
import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.quota.Quota;
import io.github.kueue4j.core.state.StateSnapshot;
import io.github.kueue4j.core.status.ClusterQueueReport;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.core.status.LocalQueueReport;
import io.github.kueue4j.core.status.QueueCounts;
import io.github.kueue4j.core.status.QueueUsage;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The queues and Cohorts, as the view shows them.
 *
 * @param time when they were so
 * @param clusterWide whether Cohorts and ClusterQueues are included
 * @param cohorts by name
 * @param clusterQueues by name
 * @param localQueues in the order of their namespaces and names
 */
record ShownQueues(
    Instant time,
    boolean clusterWide,
    List<CohortNode> cohorts,
    List<QueueNode> clusterQueues,
    List<LocalQueueRow> localQueues) {

  /**
   * A Cohort.
   *
   * @param parent null for the root of a tree
   * @param share null if it doesn't borrow
   */
  record CohortNode(
      String name,
      @Nullable String parent,
      List<ShownQuota> quota,
      int admitted,
      ShareOfParent share,
      @Nullable Map<String, String> pastUsage) {}

  /**
   * A ClusterQueue.
   *
   * @param cohort null if it has none
   * @param inadmissible how many of the pending won't be tried before something changes, without
   *     those in backoff
   */
  record QueueNode(
      String name,
      @Nullable String cohort,
      String strategy,
      boolean active,
      String reason,
      String message,
      Counts counts,
      int inadmissible,
      List<ShownQuota> quota,
      List<String> checks,
      ShareOfParent share,
      @Nullable PastUsage pastUsage) {}

  /** A LocalQueue. */
  record LocalQueueRow(
      String namespace,
      String name,
      @Nullable String clusterQueue,
      boolean active,
      String reason,
      String message,
      Counts counts,
      @Nullable PastUsage pastUsage) {}

  /**
   * How many Workloads wait, hold quota, and are admitted.
   *
   * @param backoff how many of the pending are in backoff
   */
  record Counts(int pending, int backoff, int reserving, int admitted) {
    static Counts of(QueueCounts counts) {
      return new Counts(counts.pending(), counts.backoff(), counts.reserving(), counts.admitted());
    }
  }

  /**
   * The part that a node borrows, in thousandths of what its parent could lend, for its dominant
   * resource.
   *
   * @param weighted the share divided by the weight, by which nodes are compared
   */
  record ShareOfParent(double ratio, double weight, double weighted, String resource) {
    static ShareOfParent of(DominantShare share) {
      return new ShareOfParent(share.ratio(), share.weight(), share.weighted(), share.resource());
    }
  }

  /**
   * The past usage of a queue (admission fair sharing).
   *
   * @param compared the number by which queues are compared
   * @param consumed by resource; empty until there is a sample
   */
  record PastUsage(double compared, Map<String, String> consumed, @Nullable Instant sampled) {
    static @Nullable PastUsage of(@Nullable QueueUsage usage) {
      if (usage == null) {
        return null;
      }
      return usage.sampled() == null
          ? new PastUsage(usage.compared(), Map.of(), null)
          : new PastUsage(
              usage.compared(),
              texts(usage.sampled().consumedResources()),
              usage.sampled().lastUpdate());
    }
  }

  /**
   * The part of a snapshot that a viewer sees.
   *
   * @param clusterWide whether they see Cohorts and ClusterQueues
   * @param namespace whose LocalQueues they see; empty for all
   */
  static ShownQueues of(ViewSnapshot snapshot, boolean clusterWide, String namespace) {
    StateSnapshot state = snapshot.state();
    return new ShownQueues(
        snapshot.time(),
        clusterWide,
        clusterWide
            ? state.cohorts().keySet().stream().map(name -> cohort(state, name)).toList()
            : List.of(),
        clusterWide
            ? state.clusterQueues().values().stream()
                .map(queue -> clusterQueue(state, queue.report()))
                .toList()
            : List.of(),
        state.localQueues().stream()
            .filter(
                queue ->
                    namespace.isEmpty()
                        || ObjectKey.of(queue.queue()).namespace().equals(namespace))
            .map(ShownQueues::localQueue)
            .toList());
  }

  /** Cohorts and ClusterQueues only. */
  static ShownQueues withoutLocalQueues(ViewSnapshot snapshot) {
    ShownQueues all = of(snapshot, true, "");
    return new ShownQueues(all.time, all.clusterWide, all.cohorts, all.clusterQueues, List.of());
  }

  private static CohortNode cohort(StateSnapshot state, String name) {
    var report = Objects.requireNonNull(state.cohorts().get(name));
    Cohort object = state.cohortObjects().get(name);
    return new CohortNode(
        name,
        state.quota().parent(NodeId.cohort(name)).map(NodeId::name).orElse(null),
        ShownQuota.ofCohort(
            state.quota(),
            name,
            report,
            object == null ? Map.of() : Quota.byKey(object.spec().resourceGroups())),
        report.admitted(),
        ShareOfParent.of(report.share()),
        report.usage() == null ? null : texts(report.usage().consumedResources()));
  }

  private static QueueNode clusterQueue(StateSnapshot state, ClusterQueueReport report) {
    var spec = report.queue().spec();
    String name = ObjectKey.of(report.queue()).name();
    Health health = report.health();
    return new QueueNode(
        name,
        report.cohort().isEmpty() ? null : report.cohort(),
        String.valueOf(spec.queueingStrategy()),
        health.active(),
        health.reason(),
        health.message(),
        Counts.of(report.counts()),
        report.inadmissible(),
        ShownQuota.ofQueue(state.quota(), name, Quota.byKey(spec.resourceGroups())),
        ShownChecks.namesIn(spec),
        ShareOfParent.of(report.share()),
        PastUsage.of(report.usage()));
  }

  private static LocalQueueRow localQueue(LocalQueueReport report) {
    ObjectKey key = ObjectKey.of(report.queue());
    return new LocalQueueRow(
        key.namespace(),
        key.name(),
        report.queue().spec().clusterQueue(),
        report.health().active(),
        report.health().reason(),
        report.health().message(),
        Counts.of(report.counts()),
        PastUsage.of(report.usage()));
  }

  private static Map<String, String> texts(Map<String, Quantity> amounts) {
    Map<String, String> texts = new TreeMap<>();
    amounts.forEach((resource, amount) -> texts.put(resource, amount.toString()));
    return texts;
  }
}
