// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/**
 * The source of a workload's priority: a pod PriorityClass or a WorkloadPriorityClass.
 *
 * @param group {@code scheduling.k8s.io} or {@code kueue.x-k8s.io}
 * @param kind {@code PriorityClass} or {@code WorkloadPriorityClass}
 * @param name the class
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PriorityClassRef(
    @Required String group, @Required String kind, @Required String name) {
  public PriorityClassRef {
    group = Lenient.text(group);
    kind = Lenient.text(kind);
    name = Lenient.text(name);
  }
}
