// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.kubernetes.client.common.KubernetesObject;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The name of a Job's Workload: the prebuilt one that the Job names, otherwise one derived from the
 * Job. Derived names have up to 253 characters, or up to 63 to fit a label (gate
 * ShortWorkloadNames); an existing Workload keeps its name when the gate changes.
 *
 * @param shortened whether new names fit a label
 */
@API(status = API.Status.INTERNAL)
public record WorkloadNames(boolean shortened) {

  /** The key of the Workload that a Job names, or that is to be created for it. */
  public ObjectKey of(ResourceType<?> type, KubernetesObject job) {
    return named(job).orElseGet(() -> derivedKey(type, job));
  }

  /** All keys that a Job's Workload may have, {@link #of} first. */
  public List<ObjectKey> all(ResourceType<?> type, KubernetesObject job) {
    return named(job)
        .map(List::of)
        .orElseGet(
            () ->
                Stream.of(derivedKey(type, job), JobWorkload.keyOf(type, job, !shortened))
                    .distinct()
                    .toList());
  }

  /** Whether a Workload has a name that the core derives from this Job. */
  public boolean isMade(ResourceType<?> type, KubernetesObject job, Workload workload) {
    ObjectKey key = ObjectKey.of(workload);
    return key.equals(derivedKey(type, job))
        || key.equals(JobWorkload.keyOf(type, job, !shortened));
  }

  private ObjectKey derivedKey(ResourceType<?> type, KubernetesObject job) {
    return JobWorkload.keyOf(type, job, shortened);
  }

  private static Optional<ObjectKey> named(KubernetesObject job) {
    return JobWorkload.prebuilt(job)
        .map(name -> new ObjectKey(ObjectKey.of(job).namespace(), name));
  }
}
