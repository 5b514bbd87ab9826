// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.sdk.BackendUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Tells which failures of a check's evaluations say something about its backend, and so may open
 * its circuit breaker, from those that may be one workload's or one tenant's own.
 *
 * <p>The author knows, and says so by a {@link BackendUnavailableException}. Any other failure, a
 * timeout included, counts once per workload among as many results as the breaker looks at, and not
 * at all while only this namespace has trouble and others get answers.
 */
final class BackendEvidence {

  /** For how long what a namespace met is held against, or for, the backend. */
  private static final Duration RECENT = Duration.ofMinutes(1);

  private final int window;
  private final InstantSource time;
  private final Deque<Result> results = new ArrayDeque<>();

  /** When each namespace last got an answer, the longest ago first. */
  private final Map<String, Instant> answered = new LinkedHashMap<>();

  /** When each namespace last met a failure, the longest ago first. */
  private final Map<String, Instant> failed = new LinkedHashMap<>();

  /** Whether the author has said since the last answer that the backend can't answer. */
  private boolean unavailable;

  /** One result that the breaker has counted, and whether it was a failure. */
  private record Result(ObjectKey workload, boolean failure) {}

  /**
   * Knows nothing yet.
   *
   * @param window how many results the breaker looks at
   */
  BackendEvidence(int window, InstantSource time) {
    this.window = window;
    this.time = time;
  }

  /** The check answered. */
  synchronized void answered(ObjectKey workload) {
    note(answered, workload.namespace(), time.instant());
    unavailable = false;
    remember(new Result(workload, false));
  }

  /**
   * The evaluation failed.
   *
   * @return whether that counts against the backend
   */
  synchronized boolean failed(ObjectKey workload, Exception cause) {
    Instant now = time.instant();
    note(failed, workload.namespace(), now);
    boolean said = cause instanceof BackendUnavailableException;
    unavailable |= said;
    boolean counts = said || !(hasFailed(workload) || onlyThis(workload.namespace(), now));
    if (counts) {
      remember(new Result(workload, true));
    }
    return counts;
  }

  /**
   * Whether this namespace may show, while the breaker is open, that the backend answers: nothing
   * but failures of other namespaces speaks against it.
   */
  synchronized boolean maySpeakFor(String namespace) {
    Instant last = failed.getOrDefault(namespace, Instant.MIN);
    return !unavailable
        && last.isBefore(time.instant().minus(RECENT))
        && failed.keySet().stream().anyMatch(other -> !other.equals(namespace));
  }

  /** The breaker begins to count anew. */
  synchronized void forget() {
    results.clear();
  }

  /** Whether others got answers of late, and none of them met a failure. */
  private boolean onlyThis(String namespace, Instant now) {
    forgetOld(answered, now);
    return answered.keySet().stream().anyMatch(other -> !other.equals(namespace))
        && failed.keySet().stream().allMatch(namespace::equals);
  }

  private static void note(Map<String, Instant> byNamespace, String namespace, Instant now) {
    byNamespace.remove(namespace);
    byNamespace.put(namespace, now);
    forgetOld(byNamespace, now);
  }

  private static void forgetOld(Map<String, Instant> byNamespace, Instant now) {
    Iterator<Instant> oldest = byNamespace.values().iterator();
    while (oldest.hasNext() && oldest.next().isBefore(now.minus(RECENT))) {
      oldest.remove();
    }
  }

  private boolean hasFailed(ObjectKey workload) {
    return results.contains(new Result(workload, true));
  }

  private void remember(Result result) {
    results.addLast(result);
    if (results.size() > window) {
      results.removeFirst();
    }
  }
}
