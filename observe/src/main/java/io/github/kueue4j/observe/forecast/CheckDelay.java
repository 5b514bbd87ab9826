// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.forecast;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckMode;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.queue.CheckStrategy;
import io.github.kueue4j.observe.dryrun.ReadObjects;
import io.github.kueue4j.observe.explain.DelayedBy;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The delay by which checks keep a Workload from its queue after a Retry. When it gets quota isn't
 * known then: a check may end its delay early or extend it, and refuse again when it is asked
 * again.
 *
 * @param checks in Retry that count; empty if their entries don't say so any more
 * @param first those of the checks that are asked before quota
 * @param outdated in Retry, but not required or enforced any more
 * @param last the delay that ends last; empty if no end is known
 */
record CheckDelay(
    List<String> checks, List<String> first, List<String> outdated, Optional<DelayedBy> last) {
  /**
   * The delay of a Workload without quota; empty if no check delays it.
   *
   * @param queue of the Workload
   */
  static Optional<CheckDelay> of(Workload waiting, ClusterQueue queue, ReadObjects objects) {
    Function<String, Optional<AdmissionCheck>> known =
        name -> objects.find(KueueTypes.ADMISSION_CHECK, ObjectKey.cluster(name));
    Set<String> enforced = enforced(queue, objects);
    List<String> retries =
        waiting.status().admissionChecks().stream()
            .filter(entry -> entry.is(CheckState.RETRY))
            .map(AdmissionCheckState::name)
            .toList();
    List<String> checks = retries.stream().filter(name -> enforced.contains(name)).toList();
    if (checks.isEmpty() && !waiting.conditions().heldForChecks()) {
      return Optional.empty();
    }
    List<String> outdated = retries.stream().filter(name -> !enforced.contains(name)).toList();
    Set<String> first = CheckStrategy.beforeQuota(queue.spec(), known);
    return Optional.of(
        new CheckDelay(
            checks,
            checks.stream().filter(name -> first.contains(name)).toList(),
            outdated,
            last(
                DelayedBy.of(waiting).stream()
                    .filter(delay -> checks.isEmpty() || !outdated.contains(delay.by())),
                delay -> CheckStrategy.alternatives(delay.by(), checks, known).getFirst())));
  }

  /** The checks of a queue whose answers count. */
  static Set<String> enforced(ClusterQueue queue, ReadObjects objects) {
    return CheckStrategy.ofAnyFlavor(queue.spec()).stream()
        .filter(
            name ->
                objects
                    .find(KueueTypes.ADMISSION_CHECK, ObjectKey.cluster(name))
                    .filter(CheckMode::observes)
                    .isEmpty())
        .collect(Collectors.toSet());
  }

  /** The delay that ends last; of alternatives the one that ends first counts. */
  private static Optional<DelayedBy> last(
      Stream<DelayedBy> delays, Function<DelayedBy, String> group) {
    Comparator<DelayedBy> byEnd = Comparator.comparing(DelayedBy::until);
    return delays
        .collect(Collectors.toMap(group, delay -> delay, BinaryOperator.minBy(byEnd)))
        .values()
        .stream()
        .max(byEnd);
  }

  /** When the last delay ends unless a check changes it; empty if no end is known. */
  Optional<Instant> until() {
    return last.map(DelayedBy::until);
  }

  /** Sentences about the delay. */
  String words() {
    String until = until().map(end -> " until " + end).orElse("");
    if (checks.isEmpty()) {
      return (outdated.isEmpty()
              ? "A check has delayed it" + until + "."
              : "%s delayed it%s and %s any more."
                  .formatted(
                      named(outdated),
                      until,
                      outdated.size() == 1 ? "doesn't count" : "don't count"))
          + " It then waits for quota again.";
    }
    boolean one = checks.size() == 1;
    String delays = named(checks) + (one ? " delays it" : " delay it");
    String unless = one ? " unless the check changes that." : " unless they change that.";
    String end =
        last.filter(delay -> delay.by().equals(DelayedBy.PODS_READY)).isPresent()
            ? ". Its pods didn't get ready in time, and the backoff of waitForPodsReady is the last to end%s."
                .formatted(until.replace(" until ", ", at "))
            : until + unless;
    String then =
        first.isEmpty()
            ? " It then waits for quota again, and with that %s asked again."
                .formatted(one ? "the check is" : "they are")
            : " %s asked again then, before it waits for quota."
                .formatted(named(first) + (first.size() == 1 ? " is" : " are"));
    return delays + end + then;
  }

  /** Sentences about a delay without the time of its end, so that they are the same for many. */
  static String untimed(String words) {
    return words.replaceAll("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z", "a later time");
  }

  private static String named(List<String> checks) {
    return (checks.size() == 1 ? "Its check " : "Its checks ") + String.join(", ", checks);
  }
}
