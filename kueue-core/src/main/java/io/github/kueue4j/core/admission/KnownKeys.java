// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.admission;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.NearestName;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * Each label, annotation and other key that the API of kueue.x-k8s.io knows, whether or not this
 * core reads it.
 */
@API(status = API.Status.INTERNAL)
public final class KnownKeys {
  public static final String PREFIX = KueueTypes.GROUP + "/";

  /** Their parts after the prefix. */
  public static final Set<String> NAMES =
      Set.of(
          """
          queue-name priority-class max-exec-time-seconds prebuilt-workload-name admission-gated-by
          job-min-parallelism job-completions-equal-parallelism stopping wait-for-pods-ready
          elastic-job workload-slice-name workload-slice-replacement-for
          multikueue multikueue-origin multikueue-origin-uid
          job-uid job-owner-gvk job-owner-name priority-boost
          is-group-workload component-workload-index
          workload-allowed-resource-flavors concurrent-admission concurrent-admission-parent
          resource-in-use workload podset local-queue-name cluster-queue-name
          safe-to-forcefully-delete
          topology tas podset-required-topology podset-preferred-topology
          podset-unconstrained-topology podset-slice-required-topology
          podset-slice-required-topology-constraints podset-slice-size
          podset-group-name pod-index-offset
          managed admission pod-suspending-parent role-hash retriable-in-group
          pod-group-name pod-group-total-count pod-group-fast-admission pod-group-serving
          pod-group-sets pod-group-role pod-group-pod-index pod-group-pod-index-label
          provisioning-request workloadpriorityclass
          """
              .strip()
              .split("\\s+"));

  private static final int SLIP = 2;

  private KnownKeys() {}

  /** Whether a key is one of the API but for its spelling: in its name, or in the prefix alone. */
  static boolean lacks(String key) {
    String name = name(key);
    String prefix = key.substring(0, key.length() - name.length());
    return prefix.equals(PREFIX)
        ? !NAMES.contains(name)
        : NAMES.contains(name) && NearestName.distance(prefix, PREFIX) <= SLIP;
  }

  /** The known key whose name is closest. */
  static Optional<String> nearest(String key) {
    return NearestName.of(name(key), NAMES).map(PREFIX::concat);
  }

  private static String name(String key) {
    return key.substring(key.indexOf('/') + 1);
  }
}
