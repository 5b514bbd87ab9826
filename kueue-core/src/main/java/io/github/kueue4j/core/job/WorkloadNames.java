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
package io.github.kueue4j.core.job;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.kubernetes.client.common.KubernetesObject;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * Which Workload stands for a Job: the one that it names, else one that is called after it. Names
 * may be up to 253 characters long, or fit a label's 63 (gate ShortWorkloadNames); a Workload that
 * was made under the other rule keeps its name.
 *
 * @param shortened whether new names fit a label
 */
@API(status = API.Status.INTERNAL)
public record WorkloadNames(boolean shortened) {

  /** The Workload that a Job names, or that is to be made for it. */
  public ObjectKey of(ResourceType<?> type, KubernetesObject job) {
    return named(job).orElseGet(() -> made(type, job));
  }

  /** Every Workload that may stand for a Job, {@link #of} first. */
  public List<ObjectKey> all(ResourceType<?> type, KubernetesObject job) {
    return named(job)
        .map(List::of)
        .orElseGet(
            () ->
                Stream.of(made(type, job), JobWorkload.keyOf(type, job, !shortened))
                    .distinct()
                    .toList());
  }

  /** Whether a Workload is called as one that the core has made for this Job. */
  public boolean isMade(ResourceType<?> type, KubernetesObject job, Workload workload) {
    ObjectKey key = ObjectKey.of(workload);
    return key.equals(made(type, job)) || key.equals(JobWorkload.keyOf(type, job, !shortened));
  }

  private ObjectKey made(ResourceType<?> type, KubernetesObject job) {
    return JobWorkload.keyOf(type, job, shortened);
  }

  private static Optional<ObjectKey> named(KubernetesObject job) {
    return JobWorkload.prebuilt(job)
        .map(name -> new ObjectKey(ObjectKey.of(job).namespace(), name));
  }
}
