// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.runtime.client.EventRecorder;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.kubernetes.client.common.KubernetesObject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jobs whose start was refused by admission, or for lack of a right. That may be mended without a
 * change of the Job, so it is tried again; but not at once, since a start of several writes changes
 * the Job before one of them is refused.
 */
final class RefusedStarts {
  private static final Logger log = LoggerFactory.getLogger(RefusedStarts.class);

  /** A webhook whose cache is behind refuses for less. */
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(5);

  private static final Duration PAUSE = Duration.ofMinutes(1);

  /** Refusals with longer between them are of different starts. */
  private static final Duration IN_A_ROW = Duration.ofMinutes(5);

  private final EventRecorder events;
  private final InstantSource clock;

  /** By the uid of a Job, when its start is tried again. */
  private final Map<String, Instant> again = new ConcurrentHashMap<>();

  RefusedStarts(EventRecorder events, InstantSource clock) {
    this.events = events;
    this.clock = clock;
  }

  /** The API server refuses the start of a Job, which is told from the second time in a row on. */
  void refused(
      JobKind<?> kind, KubernetesObject job, Workload workload, KubernetesApiException why) {
    Instant now = clock.instant();
    again.values().removeIf(when -> now.isAfter(when.plus(IN_A_ROW)));
    boolean first = !again.containsKey(Uids.of(job));
    again.put(Uids.of(job), now.plus(first ? FIRST_PAUSE : PAUSE));
    if (first) {
      return;
    }
    String note =
        "The API server refuses the start of %s %s, whose quota stays reserved: %s; it is tried again every minute"
            .formatted(kind.type().kind(), ObjectKey.of(job).name(), Refusal.withRemedy(why));
    log.atWarn()
        .addKeyValue("kind", kind.type().kind())
        .addKeyValue("job", ObjectKey.of(job))
        .addKeyValue("cause", why.getMessage())
        .log("The API server refuses the start of a Job");
    events.warning(job, "StartRefused", "Starting", note);
    events.warning(workload, "StartRefused", "Starting", note);
  }

  /** When to start the Job again; empty if that needn't wait. */
  Optional<Instant> nextTry(KubernetesObject job) {
    return Optional.ofNullable(again.get(Uids.of(job))).filter(clock.instant()::isBefore);
  }
}
