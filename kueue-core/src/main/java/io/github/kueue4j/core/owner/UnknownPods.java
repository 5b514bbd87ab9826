// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.Uids;
import io.github.kueue4j.runtime.client.EventRecorder;
import io.kubernetes.client.common.KubernetesObject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells of Jobs of which it isn't known what pods they ask for. Their controller needs a moment to
 * make the object that has them, so that is told only when it stays so.
 */
final class UnknownPods {
  static final Duration TOLD_AFTER = Duration.ofSeconds(5);

  /** What is known since, or deleted, is forgotten after this. */
  private static final Duration FORGOTTEN_AFTER = Duration.ofHours(1);

  private final EventRecorder events;
  private final InstantSource clock;

  /** By the uid of a Job. */
  private final Map<String, Instant> since = new ConcurrentHashMap<>();

  UnknownPods(EventRecorder events, InstantSource clock) {
    this.events = events;
    this.clock = clock;
  }

  /**
   * Records on the Job why its pods aren't known, unless they are or that is recent.
   *
   * @param why its pods aren't known; empty if they are
   * @param waitsFor what the Job can't be yet
   */
  void tell(KubernetesObject job, Optional<String> why, String waitsFor) {
    if (why.isEmpty()) {
      since.remove(Uids.of(job));
      return;
    }
    Instant now = clock.instant();
    since.values().removeIf(first -> first.plus(FORGOTTEN_AFTER).isBefore(now));
    Instant first = since.computeIfAbsent(Uids.of(job), uid -> now);
    if (!now.isBefore(first.plus(TOLD_AFTER))) {
      events.normal(
          job, "AwaitsPods", "AwaitsPods", "It can't be " + waitsFor + " yet: " + why.get());
    }
  }

  /** When to look again at a Job whose pods aren't known; empty if that is told already. */
  Optional<Instant> nextLook(KubernetesObject job) {
    return Optional.ofNullable(since.get(Uids.of(job)))
        .map(first -> first.plus(TOLD_AFTER))
        .filter(clock.instant()::isBefore);
  }
}
