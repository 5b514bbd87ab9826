// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.report;

import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.DominantShare;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.Quota;
import io.github.kueue4j.core.quota.ResourceUnits;
import io.github.kueue4j.core.report.QueueGauges.GaugeValue;
import io.github.kueue4j.core.status.ClusterQueueReport;
import io.github.kueue4j.core.status.CohortReport;
import io.github.kueue4j.core.status.LocalQueueReport;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The values of the gauges of quota, by flavor and resource, in the units of quantities. */
final class ResourceMeters {
  private ResourceMeters() {}

  /** The quota of a ClusterQueue, how much of it is reserved and used, and the pending requests. */
  static List<GaugeValue> of(
      Tags tags, ClusterQueueReport queue, Amounts<String> pending, boolean fairSharing) {
    Tags inCohort = tags.and("cohort", queue.cohort());
    List<GaugeValue> readings = new ArrayList<>();
    new TreeMap<>(Quota.byKey(queue.queue().spec().resourceGroups()))
        .forEach(
            (key, quota) -> {
              Tags each = inCohort.and(tags(key));
              readings.add(
                  new GaugeValue(
                      "kueue.cluster.queue.resource.reservation",
                      each,
                      amount(key, queue.counts().reservation().get(key))));
              readings.add(
                  new GaugeValue(
                      "kueue.cluster.queue.resource.usage",
                      each,
                      amount(key, queue.counts().usage().get(key))));
              readings.add(
                  new GaugeValue(
                      "kueue.cluster.queue.nominal.quota", each, amount(key, quota.nominal())));
              readings.add(
                  new GaugeValue(
                      "kueue.cluster.queue.borrowing.limit",
                      each,
                      limit(key, quota.borrowingLimit())));
              readings.add(
                  new GaugeValue(
                      "kueue.cluster.queue.lending.limit", each, limit(key, quota.lendingLimit())));
            });
    Map<String, Long> waiting = new TreeMap<>(pending.asMap());
    queue.queue().spec().coveredResources().forEach(resource -> waiting.putIfAbsent(resource, 0L));
    waiting.forEach(
        (resource, amount) ->
            readings.add(
                new GaugeValue(
                    "kueue.cluster.queue.resource.pending",
                    tags.and("resource", resource),
                    ResourceUnits.decimal(resource, amount))));
    if (fairSharing) {
      DominantShare share = queue.share();
      readings.add(
          new GaugeValue(
              "kueue.cluster.queue.weighted.share",
              inCohort,
              Double.isInfinite(share.weighted()) ? Double.NaN : share.weighted()));
    }
    return readings;
  }

  /** The quota that is reserved and used through a LocalQueue. */
  static List<GaugeValue> of(Tags tags, LocalQueueReport queue) {
    List<GaugeValue> readings = new ArrayList<>();
    if (queue.clusterQueue() != null) {
      for (FlavorResource key :
          new TreeMap<>(Quota.byKey(queue.clusterQueue().resourceGroups())).keySet()) {
        readings.add(
            new GaugeValue(
                "kueue.local.queue.resource.reservation",
                tags.and(tags(key)),
                amount(key, queue.counts().reservation().get(key))));
        readings.add(
            new GaugeValue(
                "kueue.local.queue.resource.usage",
                tags.and(tags(key)),
                amount(key, queue.counts().usage().get(key))));
      }
    }
    return readings;
  }

  /** The quota of a Cohort's subtree, and its reservations. */
  static List<GaugeValue> of(Tags tags, CohortReport cohort, boolean fairSharing) {
    List<GaugeValue> readings = new ArrayList<>();
    Amounts<FlavorResource> known = cohort.quota().max(cohort.reservation());
    for (FlavorResource key : known.asMap().keySet()) {
      readings.add(
          new GaugeValue(
              "kueue.cohort.subtree.quota",
              tags.and(tags(key)),
              amount(key, cohort.quota().get(key))));
      readings.add(
          new GaugeValue(
              "kueue.cohort.subtree.resource.reservations",
              tags.and(tags(key)),
              amount(key, cohort.reservation().get(key))));
    }
    readings.add(
        new GaugeValue("kueue.cohort.subtree.admitted.active.workloads", tags, cohort.admitted()));
    if (fairSharing) {
      readings.add(new GaugeValue("kueue.cohort.weighted.share", tags, cohort.share().weighted()));
    }
    return readings;
  }

  private static Tags tags(FlavorResource key) {
    return Tags.of("flavor", key.flavor(), "resource", key.resource());
  }

  private static double amount(FlavorResource key, long units) {
    return units == Long.MAX_VALUE
        ? Double.POSITIVE_INFINITY
        : ResourceUnits.decimal(key.resource(), units);
  }

  private static double limit(FlavorResource key, @Nullable Long limit) {
    return limit == null ? Double.POSITIVE_INFINITY : amount(key, limit);
  }
}
