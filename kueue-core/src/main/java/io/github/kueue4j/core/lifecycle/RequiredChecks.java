// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import java.util.Collection;
import java.util.Collections;
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
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RequiredChecks(
    SortedMap<String, CheckPolicy> byAssignment, SortedMap<String, CheckPolicy> byQueue) {

  public RequiredChecks {
    byAssignment = Collections.unmodifiableSortedMap(new TreeMap<>(byAssignment));
    byQueue = Collections.unmodifiableSortedMap(new TreeMap<>(byQueue));
  }

  /** No checks at all. */
  public static RequiredChecks none() {
    return of(java.util.List.of());
  }

  /** The same checks for every flavor. */
  public static RequiredChecks of(Collection<CheckPolicy> checks) {
    return new RequiredChecks(byName(checks), byName(checks));
  }

  /** Different checks while reserved and while not. */
  public static RequiredChecks of(
      Collection<CheckPolicy> byAssignment, Collection<CheckPolicy> byQueue) {
    return new RequiredChecks(byName(byAssignment), byName(byQueue));
  }

  /** These checks with other ones for the assignment. */
  RequiredChecks withAssignment(Collection<CheckPolicy> checks) {
    return new RequiredChecks(byName(checks), byQueue);
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
