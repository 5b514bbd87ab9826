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
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PriorityClassRef;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.core.job.JobKind;
import io.github.kueue4j.core.job.JobWorkload;
import io.github.kueue4j.core.job.JobWorkload.Priority;
import io.github.kueue4j.runtime.KubernetesApi;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1PriorityClass;
import java.util.Objects;
import java.util.Optional;

/** Which priority a Job's Workload gets: its WorkloadPriorityClass, else its pods' class. */
final class Priorities {
  private final CoreInformers caches;
  private final KubernetesApi api;

  Priorities(CoreInformers caches, KubernetesApi api) {
    this.caches = caches;
    this.api = api;
  }

  /** The outcome of looking for a priority. */
  sealed interface Found {
    /** The Workload gets this priority. */
    record Known(Priority priority) implements Found {}

    /** The Job names a WorkloadPriorityClass that doesn't exist. */
    record Missing(String workloadPriorityClass) implements Found {}
  }

  <T extends KubernetesObject> Found of(JobKind<T> kind, T job) {
    Optional<String> workloadClass = JobWorkload.priorityClass(job);
    if (workloadClass.isPresent()) {
      return ofWorkloadClass(workloadClass.get());
    }
    return new Found.Known(
        kind.podPriorityClass(job)
            .flatMap(name -> api.get(CoreTypes.PRIORITY_CLASS, ObjectKey.cluster(name)))
            .map(Priorities::of)
            .orElseGet(Priority::none));
  }

  private Found ofWorkloadClass(String name) {
    return caches
        .priorityClasses()
        .get(ObjectKey.cluster(name))
        .<Found>map(
            found ->
                new Found.Known(
                    new Priority(
                        found.value(),
                        new PriorityClassRef(KueueTypes.GROUP, "WorkloadPriorityClass", name))))
        .orElseGet(() -> new Found.Missing(name));
  }

  private static Priority of(V1PriorityClass found) {
    return new Priority(
        Objects.requireNonNullElse(found.getValue(), 0),
        new PriorityClassRef(
            CoreTypes.PRIORITY_CLASS.group(), "PriorityClass", ObjectKey.of(found).name()));
  }
}
