// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.prometheuscheck;

import io.github.kueue4j.http.HttpEndpoint;
import io.github.kueue4j.sdk.BackendUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * One answer of the server for all evaluations that ask the same within a short time: the first of
 * them asks, the others wait for it. Failures are shared, too, so that a server that hangs isn't
 * asked by each Workload in turn.
 */
final class SharedReadings {
  private static final int MOST = 256;

  // Guarded by this object's monitor; queries run outside of it.
  private final Map<Question, Asked> asked = new LinkedHashMap<>();

  /** What is asked. */
  record Question(HttpEndpoint endpoint, String promql, Threshold threshold) {}

  private record Asked(Instant at, FutureTask<Reading> answer) {
    boolean isFresh(Instant now, Duration sharedFor) {
      return Duration.between(at, now).abs().compareTo(sharedFor) < 0;
    }
  }

  /**
   * The answer to a question.
   *
   * @param now on the controller's clock
   * @param sharedFor how old an answer may be; zero: none is shared
   * @param query asks the server
   * @throws Exception whatever the query throws
   */
  Reading get(Question question, Instant now, Duration sharedFor, Callable<Reading> query)
      throws Exception {
    FutureTask<Reading> own = new FutureTask<>(query);
    FutureTask<Reading> shared = share(question, now, sharedFor, own);
    if (shared == own) {
      own.run();
    }
    try {
      return shared.get();
    } catch (ExecutionException e) {
      throw failure(e, shared == own);
    }
  }

  private FutureTask<Reading> share(
      Question question, Instant now, Duration sharedFor, FutureTask<Reading> own) {
    synchronized (asked) {
      Asked known = asked.get(question);
      if (known != null && known.isFresh(now, sharedFor)) {
        return known.answer();
      }
      asked.remove(question);
      asked.put(question, new Asked(now, own));
      Iterator<Asked> oldest = asked.values().iterator();
      while (asked.size() > MOST) {
        oldest.next();
        oldest.remove();
      }
      return own;
    }
  }

  private static Exception failure(ExecutionException e, boolean own) {
    if (e.getCause() instanceof InterruptedException) {
      return own
          ? (InterruptedException) e.getCause()
          : new BackendUnavailableException(
              "the evaluation that asked Prometheus for this Workload, too, was interrupted", e);
    }
    if (e.getCause() instanceof Error error) {
      throw error;
    }
    return e.getCause() instanceof Exception cause ? cause : e;
  }
}
