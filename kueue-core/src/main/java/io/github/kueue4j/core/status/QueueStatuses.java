// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.status;

import io.github.kueue4j.api.AdmissionFairSharingStatus;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.ClusterQueueStatus;
import io.github.kueue4j.api.Cohort;
import io.github.kueue4j.api.CohortStatus;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.FairSharingStatus;
import io.github.kueue4j.api.FlavorQuotas;
import io.github.kueue4j.api.FlavorUsage;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.LocalQueueFlavorUsage;
import io.github.kueue4j.api.LocalQueueResourceUsage;
import io.github.kueue4j.api.LocalQueueStatus;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.ResourceQuota;
import io.github.kueue4j.api.ResourceUsage;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.Quota;
import io.github.kueue4j.core.quota.ResourceUnits;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Computes the statuses of queues and Cohorts. */
@API(status = API.Status.INTERNAL)
public final class QueueStatuses {
  private QueueStatuses() {}

  /**
   * The status of a ClusterQueue.
   *
   * @param share what it borrows from its Cohort, in the form of statuses; null to omit it
   * @param usage what it has used in the past; null to leave the status as it is
   */
  public static ClusterQueue of(
      ClusterQueue queue,
      Health health,
      QueueCounts counts,
      @Nullable Long share,
      @Nullable AdmissionFairSharingStatus usage,
      Instant now) {
    return queue.withStatus(
        new ClusterQueueStatus(
            Conditions.set(queue.status().conditions(), health.condition(queue, now)),
            usage(queue.spec(), counts.reservation()),
            usage(queue.spec(), counts.usage()),
            counts.pending(),
            counts.reserving(),
            counts.admitted(),
            fairSharing(queue.status().fairSharing(), share, usage)));
  }

  /**
   * The status of a LocalQueue.
   *
   * @param clusterQueue the rules of its ClusterQueue, whose flavors are listed; null if there is
   *     none
   * @param usage what it has used in the past; null to leave the status as it is
   */
  public static LocalQueue of(
      LocalQueue queue,
      @Nullable ClusterQueueSpec clusterQueue,
      Health health,
      QueueCounts counts,
      @Nullable AdmissionFairSharingStatus usage,
      Instant now) {
    return queue.withStatus(
        new LocalQueueStatus(
            Conditions.set(queue.status().conditions(), health.condition(queue, now)),
            counts.pending(),
            counts.reserving(),
            counts.admitted(),
            localUsage(clusterQueue, counts.reservation()),
            localUsage(clusterQueue, counts.usage()),
            fairSharing(queue.status().fairSharing(), null, usage)));
  }

  /**
   * The status of a Cohort.
   *
   * @param share what it borrows from its parent, in the form of statuses; null to omit it
   * @param usage what was used below it in the past; null to leave the status as it is
   */
  public static Cohort of(
      Cohort cohort, @Nullable Long share, @Nullable AdmissionFairSharingStatus usage) {
    return cohort.withStatus(
        new CohortStatus(fairSharing(cohort.status().fairSharing(), share, usage)));
  }

  /**
   * Whether two statuses of a ClusterQueue differ at most in what changes with each Workload:
   * counts, quota held, and the share.
   */
  public static boolean sameButForCounts(ClusterQueue one, ClusterQueue other) {
    return one.status().conditions().equals(other.status().conditions())
        && sample(one.status().fairSharing()).equals(sample(other.status().fairSharing()));
  }

  /** Whether two statuses of a LocalQueue differ at most in what changes with each Workload. */
  public static boolean sameButForCounts(LocalQueue one, LocalQueue other) {
    return one.status().conditions().equals(other.status().conditions())
        && sample(one.status().fairSharing()).equals(sample(other.status().fairSharing()));
  }

  /** The past usage, which a core that starts continues from. */
  private static Optional<AdmissionFairSharingStatus> sample(@Nullable FairSharingStatus status) {
    return Optional.ofNullable(status).map(FairSharingStatus::admissionFairSharingStatus);
  }

  private static @Nullable FairSharingStatus fairSharing(
      @Nullable FairSharingStatus status,
      @Nullable Long share,
      @Nullable AdmissionFairSharingStatus usage) {
    if (status == null && share == null && usage == null) {
      return null;
    }
    return new FairSharingStatus(
        share == null ? 0 : share,
        usage == null && status != null ? status.admissionFairSharingStatus() : usage);
  }

  private static List<FlavorUsage> usage(ClusterQueueSpec spec, Amounts<FlavorResource> amounts) {
    return flavors(spec)
        .map(
            flavor ->
                new FlavorUsage(
                    flavor.name(),
                    resources(flavor)
                        .map(
                            resource ->
                                new ResourceUsage(
                                    resource.name(),
                                    total(amounts, flavor, resource.name()),
                                    borrowed(spec, amounts, flavor, resource)))
                        .toList()))
        .toList();
  }

  private static List<LocalQueueFlavorUsage> localUsage(
      @Nullable ClusterQueueSpec spec, Amounts<FlavorResource> amounts) {
    return spec == null
        ? List.of()
        : flavors(spec)
            .map(
                flavor ->
                    new LocalQueueFlavorUsage(
                        flavor.name(),
                        resources(flavor)
                            .map(
                                resource ->
                                    new LocalQueueResourceUsage(
                                        resource.name(), total(amounts, flavor, resource.name())))
                            .toList()))
            .toList();
  }

  private static Stream<FlavorQuotas> flavors(ClusterQueueSpec spec) {
    return spec.resourceGroups().stream().flatMap(group -> group.flavors().stream());
  }

  private static Stream<ResourceQuota> resources(FlavorQuotas flavor) {
    return flavor.resources().stream().sorted(Comparator.comparing(ResourceQuota::name));
  }

  /** The usage beyond the queue's own quota; null if the queue has no Cohort to borrow from. */
  private static @Nullable Quantity borrowed(
      ClusterQueueSpec spec,
      Amounts<FlavorResource> amounts,
      FlavorQuotas flavor,
      ResourceQuota resource) {
    if (spec.cohortName() == null) {
      return null;
    }
    long used = amounts.get(new FlavorResource(flavor.name(), resource.name()));
    long excess = Amounts.subtract(used, Quota.of(resource).nominal());
    return ResourceUnits.quantity(resource.name(), Math.max(0, excess));
  }

  private static Quantity total(
      Amounts<FlavorResource> amounts, FlavorQuotas flavor, String resource) {
    return ResourceUnits.quantity(
        resource, amounts.get(new FlavorResource(flavor.name(), resource)));
  }
}
