/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.queue;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.AdmissionCheckStrategyRule;
import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.FlavorQuotas;
import io.github.kueue4j.api.PodSetAssignment;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apiguardian.api.API;

/**
 * Which checks a ClusterQueue's {@code admissionChecksStrategy} asks for (KEP-993). A rule that
 * names flavors counts for those only, one that names none for all.
 */
@API(status = API.Status.INTERNAL)
public final class CheckStrategy {
  /** As many entries as the status of a Workload holds. */
  public static final int LIMIT = 8;

  private CheckStrategy() {}

  /** The checks that some flavor of the queue requires. */
  public static SortedSet<String> ofAnyFlavor(ClusterQueueSpec queue) {
    return ofFlavors(queue, flavors(queue));
  }

  /** The checks that Workloads on these flavors need. */
  public static SortedSet<String> ofFlavors(ClusterQueueSpec queue, Collection<String> flavors) {
    SortedSet<String> names = new TreeSet<>();
    for (AdmissionCheckStrategyRule rule : queue.admissionChecks()) {
      if (rule.onFlavors().isEmpty() || !Collections.disjoint(rule.onFlavors(), flavors)) {
        names.add(rule.name());
      }
    }
    return names;
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
   * The flavors nobody can be admitted on, since each alone requires more checks than a Workload
   * can hold entries.
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
