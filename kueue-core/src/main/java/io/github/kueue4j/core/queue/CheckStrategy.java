// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.queue;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckStrategyRule;
import io.github.kueue4j.api.CheckGroup;
import io.github.kueue4j.api.CheckMode;
import io.github.kueue4j.api.CheckOrder;
import io.github.kueue4j.api.CheckStage;
import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.FlavorQuotas;
import io.github.kueue4j.api.PodSetAssignment;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * The checks that a ClusterQueue's {@code admissionChecksStrategy} requires (KEP-993). A rule that
 * names flavors applies to those only, one that names none to all.
 */
@API(status = API.Status.INTERNAL)
public final class CheckStrategy {
  /** The largest number of check entries in the status of a Workload. */
  public static final int LIMIT = 8;

  private static final SortedSet<String> NO_CHECKS = Collections.emptySortedSet();

  private CheckStrategy() {}

  /** The checks that some flavor of the queue requires. */
  public static SortedSet<String> ofAnyFlavor(ClusterQueueSpec queue) {
    return queue.admissionChecks().isEmpty() ? NO_CHECKS : ofFlavors(queue, flavors(queue));
  }

  /** The checks that the queue requires for these flavors. */
  public static SortedSet<String> ofFlavors(ClusterQueueSpec queue, Collection<String> flavors) {
    SortedSet<String> names = new TreeSet<>();
    for (AdmissionCheckStrategyRule rule : queue.admissionChecks()) {
      if (rule.onFlavors().isEmpty() || !Collections.disjoint(rule.onFlavors(), flavors)) {
        names.add(rule.name());
      }
    }
    return names;
  }

  /**
   * The checks that are asked before quota: those that every flavor requires, since no flavor is
   * chosen by then.
   *
   * @param checks finds an AdmissionCheck by name
   */
  public static SortedSet<String> beforeQuota(
      ClusterQueueSpec queue, Function<String, Optional<AdmissionCheck>> checks) {
    SortedSet<String> names = new TreeSet<>();
    for (AdmissionCheckStrategyRule rule : queue.admissionChecks()) {
      if (rule.onFlavors().isEmpty()
          && checks.apply(rule.name()).filter(CheckStage::beforeQuota).isPresent()) {
        names.add(rule.name());
      }
    }
    return names;
  }

  /**
   * The checks among these of which one is enough, with {@code check}; see {@link CheckGroup}.
   *
   * @param checks finds an AdmissionCheck by name
   */
  public static SortedSet<String> alternatives(
      String check, Collection<String> among, Function<String, Optional<AdmissionCheck>> checks) {
    SortedSet<String> alternatives = new TreeSet<>(Set.of(check));
    Optional<String> group = group(check, checks);
    among.stream()
        .filter(other -> group.isPresent() && group.equals(group(other, checks)))
        .forEach(other -> alternatives.add(other));
    return alternatives;
  }

  private static Optional<String> group(
      String check, Function<String, Optional<AdmissionCheck>> checks) {
    return checks
        .apply(check)
        .filter(each -> !CheckMode.observes(each) && !CheckStage.beforeQuota(each))
        .flatMap(CheckGroup::of);
  }

  /**
   * The checks of the queue that come after others of it, each with those that it names. Each comes
   * after all that an alternative to it names, and after all alternatives to these.
   *
   * @param checks finds an AdmissionCheck by name
   */
  public static Map<String, SortedSet<String>> order(
      ClusterQueueSpec queue, Function<String, Optional<AdmissionCheck>> checks) {
    SortedSet<String> required = ofAnyFlavor(queue);
    Map<String, SortedSet<String>> order = new TreeMap<>();
    for (String name : required) {
      SortedSet<String> after = new TreeSet<>();
      for (String alternative : alternatives(name, required, checks)) {
        checks.apply(alternative).map(CheckOrder::after).orElse(NO_CHECKS).stream()
            .filter(other -> required.contains(other))
            .forEach(other -> after.addAll(alternatives(other, required, checks)));
      }
      if (!after.isEmpty()) {
        order.put(name, after);
      }
    }
    return order;
  }

  /**
   * The problem with the place of a check in the order of the queue's checks, with field, value and
   * remedy; empty if nothing is.
   *
   * @param order that of the queue, as of {@link #order}
   * @param checks finds an AdmissionCheck by name
   */
  public static Optional<String> orderProblem(
      AdmissionCheck check,
      Map<String, SortedSet<String>> order,
      Function<String, Optional<AdmissionCheck>> checks) {
    String name = String.valueOf(check.metadata().getName());
    if (!order.containsKey(name) || CheckOrder.after(check).isEmpty()) {
      return Optional.empty();
    }
    Function<String, Set<String>> after = other -> order.getOrDefault(other, NO_CHECKS);
    SortedSet<String> circle = CheckOrder.circle(name, after);
    if (!circle.isEmpty()) {
      return Optional.of(
          "%s, so it comes after itself by way of %s: leave one of these names out"
              .formatted(CheckOrder.field(check), String.join(", ", circle)));
    }
    if (!CheckStage.beforeQuota(check)) {
      return Optional.empty();
    }
    return CheckOrder.before(name, after).stream()
        .filter(
            other ->
                checks
                    .apply(other)
                    .filter(each -> !CheckMode.observes(each) && !CheckStage.beforeQuota(each))
                    .isPresent())
        .findFirst()
        .map(
            other ->
                "%s, so it comes after %s, which is asked with quota, and is itself asked before: give %s the annotation %s: BeforeQuota as well, or leave the name out"
                    .formatted(CheckOrder.field(check), other, other, CheckStage.ANNOTATION));
  }

  /** The checks that an assignment requires. */
  public static SortedSet<String> ofAssignment(ClusterQueueSpec queue, Admission admission) {
    Set<String> assigned = new LinkedHashSet<>();
    for (PodSetAssignment podSet : admission.podSetAssignments()) {
      assigned.addAll(podSet.flavors().values());
    }
    return ofFlavors(queue, assigned);
  }

  /**
   * The flavors on which no Workload can be admitted, because each alone requires more checks than
   * {@link #LIMIT}.
   */
  public static SortedSet<String> impossibleFlavors(ClusterQueueSpec queue) {
    SortedSet<String> impossible = new TreeSet<>();
    for (String flavor : flavors(queue)) {
      if (ofFlavors(queue, Set.of(flavor)).size() > LIMIT) {
        impossible.add(flavor);
      }
    }
    return impossible;
  }

  private static Set<String> flavors(ClusterQueueSpec queue) {
    Set<String> names = new LinkedHashSet<>();
    queue.resourceGroups().stream()
        .flatMap(group -> group.flavors().stream())
        .map(FlavorQuotas::name)
        .forEach(names::add);
    return names;
  }
}
