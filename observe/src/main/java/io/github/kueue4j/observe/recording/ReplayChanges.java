// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.recording;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * The changes of a replay to the recorded objects.
 *
 * @param quotas nominal quotas by {@code CLUSTERQUEUE/RESOURCE}, or {@code
 *     CLUSTERQUEUE/FLAVOR/RESOURCE} where several flavors have the resource
 * @param withoutChecks admission checks that no ClusterQueue requires
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ReplayChanges(Map<String, String> quotas, List<String> withoutChecks) {
  public ReplayChanges {
    quotas = Collections.unmodifiableMap(new LinkedHashMap<>(quotas));
    withoutChecks = List.copyOf(withoutChecks);
  }

  /** All is as it was recorded. */
  public static ReplayChanges none() {
    return new ReplayChanges(Map.of(), List.of());
  }
}
