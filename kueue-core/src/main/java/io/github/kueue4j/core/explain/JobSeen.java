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
package io.github.kueue4j.core.explain;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.core.cache.Uids;
import io.github.kueue4j.core.job.JobKind;
import io.github.kueue4j.core.job.JobProgress;
import io.github.kueue4j.core.job.JobWorkload;
import io.github.kueue4j.core.job.WorkloadNames;
import io.kubernetes.client.common.KubernetesObject;
import java.time.Instant;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A Job of any kind that the core knows, as far as it matters for what becomes of its Workload.
 *
 * @param type its kind
 * @param key namespace and name
 * @param uid tells it from others of the same name
 * @param createdAt when it was created
 * @param suspended whether it may not run
 * @param stopped whether it is suspended and nothing of it runs any more
 * @param finished whether it has ended
 * @param podsReady whether all of its pods are ready or have succeeded
 * @param progress what its status counts
 * @param workload the Workload that it has, or that is to be made for it
 * @param prebuilt whether it names that Workload itself, for somebody else to make
 * @param queueName the LocalQueue that it names; null for none
 * @param priorityClass the WorkloadPriorityClass that it names; null for none
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record JobSeen(
    ResourceType<?> type,
    ObjectKey key,
    String uid,
    Instant createdAt,
    boolean suspended,
    boolean stopped,
    boolean finished,
    boolean podsReady,
    JobProgress progress,
    ObjectKey workload,
    boolean prebuilt,
    @Nullable String queueName,
    @Nullable String priorityClass) {

  /** What a Job says about itself. */
  static <T extends KubernetesObject> JobSeen of(JobKind<T> kind, T job) {
    return new JobSeen(
        kind.type(),
        ObjectKey.of(job),
        Uids.of(job),
        Look.createdAt(job.getMetadata()),
        kind.suspended(job) || kind.stopBegun(job),
        kind.stopped(job),
        kind.finished(job).isPresent(),
        kind.podsReady(job),
        kind.progress(job),
        new WorkloadNames(false).of(kind.type(), job),
        JobWorkload.prebuilt(job).isPresent(),
        JobWorkload.queueName(job).orElse(null),
        JobWorkload.priorityClass(job).orElse(null));
  }

  /** What it is called in a sentence: {@code Job}, {@code JobSet}. */
  String kind() {
    return type.kind();
  }

  Evidence seen(String field, String value) {
    return Evidence.of(kind(), key, field, value);
  }

  /** What its spec and status say about its pods, in one line. */
  Evidence seen() {
    return seen(
        "spec, status",
        "spec.suspend "
            + suspended
            + ", "
            + progress.counted()
            + " active "
            + progress.active()
            + (progress.ready() == null ? "" : ", ready " + progress.ready())
            + (progress.terminating() == null ? "" : ", terminating " + progress.terminating()));
  }
}
