// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.prometheuscheck;

import io.github.kueue4j.http.HttpEndpoint;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * One answer of the server for all evaluations that ask the same within a short time: the first of
 * them asks, the others wait for it. A failure is shared for {@link #FAILURE_SHARED_FOR} only: a
 * server that hangs isn't asked by each waiting Workload in turn, and one that works again is used
 * at once. An interruption concerns the evaluation that met it alone; another one asks then.
 */
final class SharedReadings {
  /** At most, after the failure. */
  static final Duration FAILURE_SHARED_FOR = Duration.ofSeconds(2);

  private static final int MOST = 256;

  private final InstantSource clock;

  // Guarded by this object's monitor; queries run outside of it.
  private final Map<Question, Asked> asked = new LinkedHashMap<>();

  /**
   * Knows no answers.
   *
   * @param clock tells when a query failed
   */
  SharedReadings(InstantSource clock) {
    this.clock = clock;
  }

  /** The question that is asked. */
  record Question(HttpEndpoint endpoint, String promql, Threshold threshold) {}

  /** One query, from before it is sent. */
  private final class Asked {
    private final Instant at;
    private final FutureTask<Reading> answer;

    /** Written before the answer is there; absent: it didn't fail, or it was interrupted. */
    private volatile @Nullable Instant failedAt;

    Asked(Instant at, Callable<Reading> query) {
      this.at = at;
      this.answer = new FutureTask<>(() -> sent(query));
    }

    private Reading sent(Callable<Reading> query) throws Exception {
      try {
        return query.call();
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        failedAt = clock.instant();
        throw e;
      }
    }

    boolean isUsable(Instant now, Duration sharedFor, boolean failuresToo) {
      if (answer.state() != Future.State.FAILED) {
        return isWithin(sharedFor, at, now);
      }
      @Nullable Instant failure = failedAt;
      return failuresToo
          && failure != null
          && isWithin(sharedFor, failure, now)
          && isWithin(FAILURE_SHARED_FOR, failure, now);
    }

    private static boolean isWithin(Duration limit, Instant since, Instant now) {
      return Duration.between(since, now).abs().compareTo(limit) < 0;
    }
  }

  /**
   * The answer to a question; a failure of a moment ago, too.
   *
   * @param now on the controller's clock
   * @param sharedFor how old an answer may be; zero: none is shared
   * @param query asks the server
   * @throws Exception whatever the query throws
   */
  Reading get(Question question, Instant now, Duration sharedFor, Callable<Reading> query)
      throws Exception {
    return get(question, now, sharedFor, query, true);
  }

  /** As {@link #get}, but a question whose answer was a failure is asked again. */
  Reading probe(Question question, Instant now, Duration sharedFor, Callable<Reading> query)
      throws Exception {
    return get(question, now, sharedFor, query, false);
  }

  private Reading get(
      Question question,
      Instant now,
      Duration sharedFor,
      Callable<Reading> query,
      boolean failuresToo)
      throws Exception {
    while (true) {
      Asked own = new Asked(now, query);
      Asked shared = share(question, sharedFor, own, failuresToo);
      if (shared == own) {
        own.answer.run();
      }
      try {
        return shared.answer.get();
      } catch (ExecutionException e) {
        if (shared == own || !(e.getCause() instanceof InterruptedException)) {
          throw failure(e);
        }
      }
    }
  }

  private Asked share(Question question, Duration sharedFor, Asked own, boolean failuresToo) {
    synchronized (asked) {
      Asked known = asked.get(question);
      if (known != null && known.isUsable(own.at, sharedFor, failuresToo)) {
        return known;
      }
      asked.remove(question);
      asked.put(question, own);
      Iterator<Asked> oldest = asked.values().iterator();
      while (asked.size() > MOST) {
        oldest.next();
        oldest.remove();
      }
      return own;
    }
  }

  private static Exception failure(ExecutionException e) {
    if (e.getCause() instanceof Error error) {
      throw error;
    }
    return e.getCause() instanceof Exception cause ? cause : e;
  }
}
