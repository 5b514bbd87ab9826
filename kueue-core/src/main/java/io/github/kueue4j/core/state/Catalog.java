// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckStrategyRule;
import io.github.kueue4j.api.CheckGroup;
import io.github.kueue4j.api.CheckMode;
import io.github.kueue4j.api.CheckOrder;
import io.github.kueue4j.api.CheckStage;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.Cohort;
import io.github.kueue4j.api.FairSharing;
import io.github.kueue4j.api.FlavorQuotas;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PreemptionPolicy;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.core.queue.CheckStrategy;
import io.github.kueue4j.core.queue.NamespaceLimits;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.core.status.SwitchedOff;
import io.kubernetes.client.openapi.models.V1LimitRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The objects that queues refer to by name. Belongs to the State's thread. */
final class Catalog {
  private final SwitchedOff switchedOff;
  private final Map<String, ResourceFlavor> flavors = new HashMap<>();
  private @Nullable Map<String, ResourceFlavor> flavorsNow;
  private final Map<String, AdmissionCheck> checks = new HashMap<>();
  private Set<String> deferring = Set.of();
  private final Map<String, Cohort> cohorts = new TreeMap<>();
  private final Map<String, Map<String, String>> namespaces = new HashMap<>();
  private @Nullable Map<String, Map<String, String>> namespacesNow;
  private final Map<String, Map<String, V1LimitRange>> limitRanges = new HashMap<>();
  private final Map<String, NamespaceLimits> limits = new HashMap<>();
  private final Map<String, Map<String, Quantity>> overheads = new HashMap<>();

  Catalog(SwitchedOff switchedOff) {
    this.switchedOff = switchedOff;
  }

  /**
   * Takes in a flavor.
   *
   * @param flavor null when it is gone
   * @return whether its rules have changed
   */
  boolean flavor(String name, @Nullable ResourceFlavor flavor) {
    flavorsNow = null;
    ResourceFlavor previous = flavor == null ? flavors.remove(name) : flavors.put(name, flavor);
    return previous == null || flavor == null || !previous.spec().equals(flavor.spec());
  }

  /**
   * Takes in a check.
   *
   * @param check null when it is gone
   * @return whether its rules have changed
   */
  boolean check(String name, @Nullable AdmissionCheck check) {
    AdmissionCheck previous = check == null ? checks.remove(name) : checks.put(name, check);
    Set<String> now = new TreeSet<>(deferring);
    if (check != null && defers(check)) {
      now.add(name);
    } else {
      now.remove(name);
    }
    deferring = Set.copyOf(now);
    return previous == null
        || check == null
        || !previous.spec().equals(check.spec())
        || CheckMode.observes(previous) != CheckMode.observes(check)
        || CheckStage.beforeQuota(previous) != CheckStage.beforeQuota(check)
        || !CheckStage.readyFor(previous).equals(CheckStage.readyFor(check))
        || !CheckOrder.after(previous).equals(CheckOrder.after(check))
        || !CheckGroup.of(previous).equals(CheckGroup.of(check));
  }

  /** The checks among these of which one is enough, with {@code check}. */
  Set<String> alternatives(String check, Set<String> among) {
    return CheckStrategy.alternatives(check, among, name -> Optional.ofNullable(checks.get(name)));
  }

  /** The checks of a ClusterQueue that are asked before quota. */
  Set<String> beforeQuota(ClusterQueueSpec queue) {
    return CheckStrategy.beforeQuota(queue, name -> Optional.ofNullable(checks.get(name)));
  }

  /**
   * Takes in a Cohort.
   *
   * @param cohort null when it is gone
   * @return whether its rules have changed
   */
  boolean cohort(String name, @Nullable Cohort cohort) {
    Cohort previous = cohort == null ? cohorts.remove(name) : cohorts.put(name, cohort);
    return previous == null || cohort == null || !previous.spec().equals(cohort.spec());
  }

  /** The Cohorts by name: a view that is valid until the next change. */
  Map<String, Cohort> cohorts() {
    return cohorts;
  }

  private @Nullable String parentOf(String cohort) {
    Cohort object = cohorts.get(cohort);
    return object == null ? null : object.spec().parentName();
  }

  /**
   * Takes in a namespace.
   *
   * @param labels null when it is gone
   * @return whether it has labels that it didn't have before
   */
  boolean namespace(String name, @Nullable Map<String, String> labels) {
    namespacesNow = null;
    Map<String, String> previous =
        labels == null ? namespaces.remove(name) : namespaces.put(name, Map.copyOf(labels));
    return labels != null && !labels.equals(previous);
  }

  /**
   * Takes in a LimitRange.
   *
   * @param range null when it is gone
   * @return whether the limits of its namespace have changed
   */
  boolean limitRange(ObjectKey key, @Nullable V1LimitRange range) {
    Map<String, V1LimitRange> ranges =
        limitRanges.computeIfAbsent(key.namespace(), namespace -> new TreeMap<>());
    if (range == null) {
      ranges.remove(key.name());
    } else {
      ranges.put(key.name(), range);
    }
    NamespaceLimits merged = NamespaceLimits.of(ranges.values());
    return !merged.equals(
        Objects.requireNonNullElse(limits.put(key.namespace(), merged), NamespaceLimits.none()));
  }

  NamespaceLimits limits(String namespace) {
    return limits.getOrDefault(namespace, NamespaceLimits.none());
  }

  /**
   * Takes in a RuntimeClass.
   *
   * @param overhead what it adds to every pod; empty when it is gone
   * @return whether the overhead has changed
   */
  boolean runtimeClass(String name, Map<String, Quantity> overhead) {
    Map<String, Quantity> previous =
        overhead.isEmpty() ? overheads.remove(name) : overheads.put(name, overhead);
    return !overhead.equals(Objects.requireNonNullElse(previous, Map.of()));
  }

  Map<String, Quantity> overhead(String runtimeClass) {
    return overheads.getOrDefault(runtimeClass, Map.of());
  }

  /** The flavors by name: a snapshot that is taken anew only after a change. */
  Map<String, ResourceFlavor> flavors() {
    Map<String, ResourceFlavor> now = flavorsNow == null ? Map.copyOf(flavors) : flavorsNow;
    flavorsNow = now;
    return now;
  }

  /** The labels of the namespaces by name: a snapshot that is taken anew only after a change. */
  Map<String, Map<String, String>> namespaces() {
    Map<String, Map<String, String>> now =
        namespacesNow == null ? Map.copyOf(namespaces) : namespacesNow;
    namespacesNow = now;
    return now;
  }

  /** The AdmissionChecks that defer preemption (KEP-993). */
  Set<String> deferringChecks() {
    return deferring;
  }

  private static boolean defers(AdmissionCheck check) {
    return PreemptionPolicy.AFTER_CHECK_PASSED_OR_ON_DEMAND.equals(check.spec().preemptionPolicy())
        && !CheckMode.observes(check);
  }

  /** The health of a ClusterQueue, given the objects that it refers to. */
  Health healthOf(ClusterQueueEntry entry) {
    ClusterQueue queue = entry.object;
    if (queue == null) {
      return ClusterQueueEntry.NOT_FOUND;
    }
    Health health =
        Health.of(
            queue,
            name -> Optional.ofNullable(flavors.get(name)),
            name -> Optional.ofNullable(checks.get(name)),
            this::parentOf);
    return health.active() ? health.with(ineffective(queue)) : health;
  }

  /** Whether the health of a queue tells whether there is a check of this name. */
  boolean names(ClusterQueueSpec queue, String check) {
    return queue.admissionChecks().stream()
        .map(AdmissionCheckStrategyRule::name)
        .anyMatch(
            name ->
                name.equals(check)
                    || Optional.ofNullable(checks.get(name))
                        .filter(each -> CheckOrder.after(each).contains(check))
                        .isPresent());
  }

  /** Names in the order of a check that no AdmissionCheck has, such as those with a slip. */
  private Optional<String> afterMissing(AdmissionCheck check) {
    SortedSet<String> missing = new TreeSet<>(CheckOrder.after(check));
    missing.removeAll(checks.keySet());
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%s, but there is no AdmissionCheck %s, so it waits for none of that name: correct the name or leave it out"
                .formatted(CheckOrder.field(check), String.join(", ", missing)));
  }

  /**
   * The parts without effect of a ClusterQueue, of its AdmissionChecks, and of the Cohorts above
   * it, which form no cycle.
   */
  private List<String> ineffective(ClusterQueue queue) {
    List<String> found = new ArrayList<>(switchedOff.of(queue));
    for (AdmissionCheckStrategyRule rule : queue.spec().admissionChecks()) {
      AdmissionCheck check = checks.get(rule.name());
      if (check != null) {
        switchedOff
            .of(check)
            .forEach(each -> found.add("AdmissionCheck " + rule.name() + ": " + each));
        afterMissing(check)
            .ifPresent(each -> found.add("AdmissionCheck " + rule.name() + ": " + each));
      }
    }
    Cohort scope = null;
    for (String name = queue.spec().cohortName(); name != null; name = parentOf(name)) {
      Cohort cohort = cohorts.get(name);
      if (cohort != null) {
        String subject = "Cohort " + name + ": ";
        switchedOff.of(cohort).forEach(each -> found.add(subject + each));
        scope = cohort.spec().admissionScope() == null ? scope : cohort;
        String missing = missingFlavors(cohort);
        if (!missing.isEmpty()) {
          found.add(
              subject + "spec.resourceGroups references missing ResourceFlavor(s) " + missing);
        }
      }
    }
    if (!switchedOff.pastUsage()
        && SwitchedOff.isByUsage(queue.spec().admissionScope())
        && scope != null
        && !SwitchedOff.isByUsage(scope.spec().admissionScope())) {
      found.add(SwitchedOff.overruledBy(ObjectKey.of(scope).name()));
    }
    addWeights(queue, scope, found);
    return found;
  }

  /**
   * Adds the weights that nothing compares.
   *
   * @param scope the topmost Cohort with an admission scope, which is the one that counts
   */
  private void addWeights(ClusterQueue queue, @Nullable Cohort scope, List<String> found) {
    boolean ordered = scope != null && SwitchedOff.isByUsage(scope.spec().admissionScope());
    String subject = "";
    FairSharing sharing = queue.spec().fairSharing();
    String above = queue.spec().cohortName();
    while (above != null && !above.isEmpty()) {
      for (String each : switchedOff.ofWeight(sharing, ordered)) {
        found.add(subject + each);
      }
      Cohort cohort = cohorts.get(above);
      ordered = ordered && !Objects.equals(cohort, scope);
      subject = "Cohort " + above + ": ";
      sharing = cohort == null ? null : cohort.spec().fairSharing();
      above = parentOf(above);
    }
  }

  private String missingFlavors(Cohort cohort) {
    return cohort.spec().resourceGroups().stream()
        .flatMap(group -> group.flavors().stream())
        .map(FlavorQuotas::name)
        .filter(name -> !flavors.containsKey(name))
        .distinct()
        .collect(Collectors.joining(","));
  }
}
