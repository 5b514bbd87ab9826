// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.Trimming;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Trims Jobs for the caches, and remembers the untrimmed pods of the latest ones: a Job that was
 * just created or edited is about to be written to its Workload, and would have to be read again.
 * Thread-safe.
 */
final class WholePods<T extends KubernetesObject> {
  /**
   * The most characters of JSON that are remembered in all: a tenant can make each Job 1 MB large.
   */
  static final int MOST_CHARACTERS = 8 << 20;

  private final JobKind<T> kind;
  private final int most;

  /** The latest suspended Jobs, oldest first. Guards itself and {@link #characters}. */
  private final Map<ObjectKey, CachedPodSets> latest = new LinkedHashMap<>();

  private int characters;

  /** The pods of one version of a Job, and how long they are as JSON. */
  private record CachedPodSets(Version version, List<PodSet> podSets, int characters) {}

  private record Version(String uid, @Nullable String resourceVersion) {
    static Version of(KubernetesObject job) {
      V1ObjectMeta metadata = job.getMetadata();
      return new Version(Uids.of(job), metadata == null ? null : metadata.getResourceVersion());
    }
  }

  /**
   * Nothing is remembered yet.
   *
   * @param most number of Jobs to remember; positive
   */
  WholePods(JobKind<T> kind, int most) {
    this.kind = kind;
    this.most = most;
  }

  /**
   * A Job as caches keep it.
   *
   * @param read no longer used by the caller; may have been trimmed before
   */
  T trimmed(T read) {
    if (kind.suspended(read)) {
      List<PodSet> podSets = kind.podSets(read);
      if (Trimming.whole(podSets)) {
        int length = KueueJson.toJson(podSets).length();
        remember(ObjectKey.of(read), new CachedPodSets(Version.of(read), podSets, length));
      }
    }
    return kind.trimmed(read);
  }

  private void remember(ObjectKey job, CachedPodSets cachedPodSets) {
    synchronized (latest) {
      // Removed first, so that it moves to the end of the order.
      forget(job);
      latest.put(job, cachedPodSets);
      characters += cachedPodSets.characters();
      while (latest.size() > most || characters > MOST_CHARACTERS) {
        forget(latest.keySet().iterator().next());
      }
    }
  }

  private void forget(ObjectKey job) {
    CachedPodSets known = latest.remove(job);
    characters -= known == null ? 0 : known.characters();
  }

  /** The pods that this version of a Job asks for; empty if it isn't remembered. */
  Optional<List<PodSet>> of(T job) {
    synchronized (latest) {
      return Optional.ofNullable(latest.get(ObjectKey.of(job)))
          .filter(cachedPodSets -> cachedPodSets.version().equals(Version.of(job)))
          .map(CachedPodSets::podSets);
    }
  }
}
