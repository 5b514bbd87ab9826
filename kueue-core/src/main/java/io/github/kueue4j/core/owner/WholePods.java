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

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.core.cache.Uids;
import io.github.kueue4j.core.job.JobKind;
import io.github.kueue4j.core.job.Trimming;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Trims Jobs for the caches, and remembers for a moment which pods they asked for before: a Job
 * that has just come, or has just been edited, is about to be written to its Workload, and would
 * have to be read once more. Thread-safe.
 */
final class WholePods<T extends KubernetesObject> {
  private final JobKind<T> kind;

  /** The latest Jobs that wait, eldest first. */
  private final Map<ObjectKey, Seen> latest;

  /** The pods of this version of a Job. */
  private record Seen(Version version, List<PodSet> podSets) {}

  private record Version(String uid, @Nullable String resourceVersion) {
    static Version of(KubernetesObject job) {
      V1ObjectMeta metadata = job.getMetadata();
      return new Version(Uids.of(job), metadata == null ? null : metadata.getResourceVersion());
    }
  }

  /**
   * Nothing is remembered yet.
   *
   * @param most Jobs to remember
   */
  WholePods(JobKind<T> kind, int most) {
    this.kind = kind;
    this.latest =
        new LinkedHashMap<>() {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<ObjectKey, Seen> eldest) {
            return size() > most;
          }
        };
  }

  /**
   * A Job as caches keep it.
   *
   * @param read given up by the caller; or one that was trimmed before
   */
  T trimmed(T read) {
    if (kind.suspended(read)) {
      List<PodSet> podSets = kind.podSets(read);
      if (Trimming.whole(podSets)) {
        remember(ObjectKey.of(read), new Seen(Version.of(read), podSets));
      }
    }
    return kind.trimmed(read);
  }

  private void remember(ObjectKey job, Seen seen) {
    synchronized (latest) {
      // To the end, although it may be there already.
      latest.remove(job);
      latest.put(job, seen);
    }
  }

  /** The pods that this version of a Job asks for; empty if it isn't remembered. */
  Optional<List<PodSet>> of(T job) {
    synchronized (latest) {
      return Optional.ofNullable(latest.get(ObjectKey.of(job)))
          .filter(seen -> seen.version().equals(Version.of(job)))
          .map(Seen::podSets);
    }
  }
}
