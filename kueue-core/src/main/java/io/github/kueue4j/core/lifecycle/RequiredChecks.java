// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * The checks that count for a Workload, by name.
 *
 * <p>Which of the two sets holds is decided by the object: {@code byAssignment} while quota is
 * reserved, {@code byQueue} otherwise. An entry for any other check doesn't count (unless it is
 * Rejected) and is removed by the next patch. So both sets must come from synced caches: a
 * ClusterQueue that the informer hasn't delivered yet would seem to require no check.
 *
 * @param byAssignment required by the flavors of the current assignment; empty when there is none
 * @param byQueue required by any flavor of the ClusterQueue; empty when there is no ClusterQueue
 * @param observed which of these, and of other checks with an entry, are in the mode Observe: they
 *     are asked, and nothing waits for them
 * @param beforeQuota which of {@code byQueue} are asked before quota, and how long a Ready of each
 *     counts there; none of them is observed
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RequiredChecks(
    SortedMap<String, CheckPolicy> byAssignment,
    SortedMap<String, CheckPolicy> byQueue,
    Set<String> observed,
    Map<String, Duration> beforeQuota) {

  private static final RequiredChecks NONE = of(List.of());

  public RequiredChecks {
    byAssignment = SortedCopy.of(byAssignment);
    byQueue = SortedCopy.of(byQueue);
    observed = Set.copyOf(observed);
    beforeQuota = Map.copyOf(beforeQuota);
  }

  /** No checks at all. */
  public static RequiredChecks none() {
    return NONE;
  }

  /** The same checks for every flavor. */
  public static RequiredChecks of(Collection<CheckPolicy> checks) {
    return of(checks, checks);
  }

  /** Different checks while reserved and while not. */
  public static RequiredChecks of(
      Collection<CheckPolicy> byAssignment, Collection<CheckPolicy> byQueue) {
    return new RequiredChecks(byName(byAssignment), byName(byQueue), Set.of(), Map.of());
  }

  /** These checks, with these in the mode Observe. */
  public RequiredChecks observing(Set<String> checks) {
    return new RequiredChecks(byAssignment, byQueue, checks, beforeQuota);
  }

  /**
   * These checks, of which some are asked before quota.
   *
   * @param checks how long a Ready of each counts there
   */
  public RequiredChecks askingBeforeQuota(Map<String, Duration> checks) {
    return new RequiredChecks(byAssignment, byQueue, observed, checks);
  }

  /** These checks with other ones for the assignment. */
  RequiredChecks withAssignment(Collection<CheckPolicy> checks) {
    return new RequiredChecks(byName(checks), byQueue, observed, beforeQuota);
  }

  SortedMap<String, CheckPolicy> whenReserved(boolean reserved) {
    return reserved ? byAssignment : byQueue;
  }

  private static SortedMap<String, CheckPolicy> byName(Collection<CheckPolicy> checks) {
    SortedMap<String, CheckPolicy> byName = new TreeMap<>();
    checks.forEach(check -> byName.put(check.name(), check));
    return byName;
  }
}
