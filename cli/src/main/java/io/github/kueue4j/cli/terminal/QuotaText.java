// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.terminal;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.FlavorQuotas;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.ResourceQuota;
import io.github.kueue4j.api.ResourceUsage;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The quota of a ClusterQueue for one resource of one flavor, and its use by Workloads with a
 * reservation.
 *
 * @param used by the queue's Workloads, what is borrowed included
 * @param borrowed the part of {@code used} that belongs to other queues of the cohort
 */
record QuotaText(String flavor, ResourceQuota quota, Quantity used, Quantity borrowed) {
  /** In the order of the spec. */
  static List<QuotaText> of(ClusterQueue queue) {
    return queue.spec().resourceGroups().stream()
        .flatMap(group -> group.flavors().stream())
        .flatMap(flavor -> of(queue, flavor))
        .toList();
  }

  private static Stream<QuotaText> of(ClusterQueue queue, FlavorQuotas flavor) {
    return flavor.resources().stream()
        .map(
            quota -> {
              Optional<ResourceUsage> usage =
                  queue.status().flavorsReservation().stream()
                      .filter(each -> each.name().equals(flavor.name()))
                      .flatMap(each -> each.resources().stream())
                      .filter(each -> each.name().equals(quota.name()))
                      .findFirst();
              return new QuotaText(
                  flavor.name(),
                  quota,
                  usage.map(ResourceUsage::total).orElse(Quantity.ZERO),
                  usage.map(ResourceUsage::borrowed).orElse(Quantity.ZERO));
            });
  }

  /** {@code cpu in default: 5 of 4 used, 1 borrowed}. */
  String words() {
    return quota.name()
        + " in "
        + flavor
        + ": "
        + used
        + " of "
        + quota.nominalQuota()
        + " used"
        + (borrowed.isZero() ? "" : ", " + borrowed + " borrowed");
  }

  /** All of a ClusterQueue in one cell. */
  static String cell(ClusterQueue queue) {
    return of(queue).stream().map(QuotaText::words).collect(Collectors.joining("; "));
  }

  /** The usage of a LocalQueue; it has no quota of its own. */
  static String cell(LocalQueue queue) {
    return queue.status().flavorsReservation().stream()
        .flatMap(
            flavor ->
                flavor.resources().stream()
                    .map(
                        usage ->
                            usage.name()
                                + " in "
                                + flavor.name()
                                + ": "
                                + Objects.requireNonNullElse(usage.total(), Quantity.ZERO)
                                + " used"))
        .collect(Collectors.joining("; "));
  }
}
