// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.admission;

import io.github.kueue4j.api.FairSharing;
import io.github.kueue4j.api.FlavorQuotas;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.ResourceGroup;
import io.github.kueue4j.api.ResourceQuota;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules for quotas of ClusterQueues and Cohorts, and for weights. */
final class QuotaRules {
  private static final int MOST_FLAVORS = 256;
  private static final int MOST_RESOURCES = 256;
  private static final int MOST_QUOTAS_OF_A_GROUP = 512;
  private static final BigDecimal SMALLEST_WEIGHT = BigDecimal.ONE.movePointLeft(9);

  private final Findings findings;
  private final boolean clusterQueue;
  private final boolean hasParent;

  /**
   * Rules for one object.
   *
   * @param clusterQueue true for a ClusterQueue, false for a Cohort
   * @param hasParent whether it has a Cohort above it to borrow from and lend to
   */
  QuotaRules(Findings findings, boolean clusterQueue, boolean hasParent) {
    this.findings = findings;
    this.clusterQueue = clusterQueue;
    this.hasParent = hasParent;
  }

  void groups(List<ResourceGroup> groups) {
    Set<String> resources = new HashSet<>();
    Set<String> flavors = new HashSet<>();
    for (int i = 0; i < groups.size(); i++) {
      String path = "spec.resourceGroups[" + i + "]";
      covered(path + ".coveredResources", groups.get(i), resources);
      flavors(path, groups.get(i), flavors);
    }
    // The size of a Cohort is limited by its schema alone.
    if (clusterQueue) {
      sizes(groups);
    }
  }

  private void sizes(List<ResourceGroup> groups) {
    int flavors = groups.stream().mapToInt(group -> group.flavors().size()).sum();
    int resources = groups.stream().mapToInt(group -> group.coveredResources().size()).sum();
    if (flavors > MOST_FLAVORS) {
      findings.tooMany(
          "spec.resourceGroups",
          flavors,
          "must have at most " + MOST_FLAVORS + " flavors in all; use another ClusterQueue");
    }
    if (resources > MOST_RESOURCES) {
      findings.tooMany(
          "spec.resourceGroups",
          resources,
          "must have at most " + MOST_RESOURCES + " resources in all; use another ClusterQueue");
    }
    for (int i = 0; i < groups.size(); i++) {
      int quotas = groups.get(i).flavors().size() * groups.get(i).coveredResources().size();
      if (quotas > MOST_QUOTAS_OF_A_GROUP) {
        findings.tooMany(
            "spec.resourceGroups[" + i + "]",
            quotas,
            "must have at most "
                + MOST_QUOTAS_OF_A_GROUP
                + " quotas, flavors times resources; split the group");
      }
    }
  }

  private void covered(String path, ResourceGroup group, Set<String> seen) {
    for (int i = 0; i < group.coveredResources().size(); i++) {
      String resource = group.coveredResources().get(i);
      findings.invalid(path + "[" + i + "]", resource, Syntax.qualifiedName(resource));
      if (!seen.add(resource)) {
        findings.duplicate(
            path + "[" + i + "]",
            resource,
            "a resource belongs to one group; remove it from all but one");
      }
    }
  }

  private void flavors(String path, ResourceGroup group, Set<String> seen) {
    for (int i = 0; i < group.flavors().size(); i++) {
      FlavorQuotas flavor = group.flavors().get(i);
      String at = path + ".flavors[" + i + "]";
      if (!seen.add(flavor.name())) {
        findings.duplicate(
            at + ".name",
            flavor.name(),
            "a flavor belongs to one group; remove it from all but one");
      }
      for (int j = 0; j < flavor.resources().size(); j++) {
        String resourcePath = at + ".resources[" + j + "]";
        ResourceQuota quota = flavor.resources().get(j);
        order(resourcePath, quota, group.coveredResources(), j);
        quota(resourcePath, quota);
      }
    }
  }

  private void order(String path, ResourceQuota quota, List<String> covered, int place) {
    // The schema refuses resources beyond those covered.
    if (place < covered.size() && !quota.name().equals(covered.get(place))) {
      findings.invalid(
          path + ".name",
          quota.name(),
          "must match the name in coveredResources, which is \""
              + covered.get(place)
              + "\" at this place; give the resources of each flavor in that order");
    }
  }

  private void quota(String path, ResourceQuota quota) {
    notNegative(path + ".nominalQuota", quota.nominalQuota());
    limit(path + ".borrowingLimit", quota.borrowingLimit());
    limit(path + ".lendingLimit", quota.lendingLimit());
    Quantity lending = quota.lendingLimit();
    // A Cohort also lends the quota of its members.
    if (clusterQueue && lending != null && lending.compareTo(quota.nominalQuota()) > 0) {
      findings.invalid(
          path + ".lendingLimit",
          lending,
          "must be less than or equal to the nominalQuota, "
              + quota.nominalQuota()
              + "; leave it out to lend everything");
    }
  }

  private void limit(String path, @Nullable Quantity limit) {
    if (limit == null) {
      return;
    }
    notNegative(path, limit);
    if (!hasParent) {
      findings.invalid(
          path,
          limit,
          clusterQueue
              ? "must be nil when cohort is empty; set cohortName or remove the limit"
              : "must be nil when parent is empty; set parentName or remove the limit");
    }
  }

  private void notNegative(String path, Quantity amount) {
    if (amount.signum() < 0) {
      findings.invalid(path, amount, "must be greater than or equal to 0");
    }
  }

  static void weight(Findings findings, @Nullable FairSharing sharing) {
    if (sharing == null) {
      return;
    }
    BigDecimal weight = sharing.weight().amount();
    if (weight.signum() < 0) {
      findings.invalid(
          "spec.fairSharing.weight", sharing.weight(), "must be greater than or equal to 0");
    } else if (weight.signum() > 0 && weight.compareTo(SMALLEST_WEIGHT) <= 0) {
      findings.invalid(
          "spec.fairSharing.weight",
          sharing.weight(),
          "must be 0 or greater than 1n; scale all weights up");
    }
  }
}
