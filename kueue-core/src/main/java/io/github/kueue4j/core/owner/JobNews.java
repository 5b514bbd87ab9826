// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.runtime.client.EventRecorder;
import io.kubernetes.client.common.KubernetesObject;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The news of Jobs: tells by events what keeps them from being stopped, started or queued until it
 * is mended, says how long a start has to wait and when to look at a Job again, and records what
 * was done for Jobs.
 */
record JobNews(
    EventRecorder events,
    UnheededStops stops,
    DroppedFields dropped,
    RefusedStarts refused,
    UnknownPods unknownPods) {
  static JobNews of(EventRecorder events, JobListener listener, InstantSource clock) {
    return new JobNews(
        events,
        new UnheededStops(events, listener, clock),
        new DroppedFields(events, clock),
        new RefusedStarts(events, clock),
        new UnknownPods(events, clock));
  }

  /** Records on a Job what was done for it. */
  void tell(KubernetesObject job, String reason, String note) {
    events.normal(job, reason, reason, note);
  }

  /** Whether a Job isn't to be started yet, after an earlier start was undone or refused. */
  boolean holdsBack(KubernetesObject job) {
    return dropped.has(job) || refused.nextTry(job).isPresent();
  }

  /** When to look again at a Job to stop, to start or to queue if it doesn't change before. */
  Optional<Instant> nextLook(KubernetesObject job) {
    return Stream.of(stops.nextLook(job), refused.nextTry(job), unknownPods.nextLook(job))
        .flatMap(Optional::stream)
        .min(Comparator.naturalOrder());
  }
}
