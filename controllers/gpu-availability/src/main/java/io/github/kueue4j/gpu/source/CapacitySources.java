// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu.source;

import io.github.kueue4j.gpu.fit.NodeFacts;
import io.github.kueue4j.http.EndpointUnavailableException;
import io.github.kueue4j.http.HttpAnswer;
import io.github.kueue4j.http.HttpBackends;
import io.github.kueue4j.http.HttpCall;
import io.github.kueue4j.sdk.BackendUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Asks capacity sources, each of them at most once in its interval: evaluations in between share
 * the answer, or the failure. One that needs an answer waits for it while another one asks.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CapacitySources {

  private static final int MOST = 64;
  private static final int LONGEST_ANSWER = 1 << 20;
  private static final Duration LONGEST_PAUSE = Duration.ofHours(1);

  private final HttpBackends backends;
  private final LongSupplier moment;

  // Guarded by its own monitor; requests are sent outside of it.
  private final Map<CapacitySource, Asked> asked = new LinkedHashMap<>();

  /**
   * The offer of a source.
   *
   * @param moment the number of the moment before the request was sent
   */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public record Offered(List<NodeFacts> nodes, long moment) {
    /** Keeps a copy. */
    public Offered {
      nodes = List.copyOf(nodes);
    }
  }

  private record Failure(String message, RuntimeException cause) {}

  /** The last request. */
  private static final class Asked {
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.
    private @Nullable Instant at;
    private Duration pause = Duration.ZERO;
    private @Nullable Offered offered;
    private @Nullable Failure failure;

    /**
     * Whether it is time for the next request. The clock may be set back: what is of the future by
     * more than the interval is from before. By less, the times of two evaluations may differ.
     */
    private boolean isOver(Duration interval, Instant now) {
      if (at == null) {
        return true;
      }
      Duration since = Duration.between(at, now);
      return since.compareTo(pause) >= 0 || since.negated().compareTo(interval) >= 0;
    }
  }

  /**
   * Asks through these backends.
   *
   * @param moment numbers the moments, so that it can be told what happened after a request
   */
  public CapacitySources(HttpBackends backends, LongSupplier moment) {
    this.backends = backends;
    this.moment = moment;
  }

  /**
   * The offer of the source, as it said within its interval.
   *
   * @throws BackendUnavailableException if it can't be asked, or its answer can't be used
   * @throws InterruptedException if the thread is interrupted
   */
  public Offered offered(CapacitySource source, Instant now) throws InterruptedException {
    Asked last = lastOf(source);
    last.lock.lockInterruptibly();
    try {
      if (last.isOver(source.shortestInterval(), now)) {
        ask(source, last, now);
      }
      @Nullable Failure failure = last.failure;
      if (failure != null) {
        throw new BackendUnavailableException(failure.message, failure.cause);
      }
      return Objects.requireNonNull(last.offered);
    } finally {
      last.lock.unlock();
    }
  }

  private Asked lastOf(CapacitySource source) {
    synchronized (asked) {
      @Nullable Asked known = asked.get(source);
      if (known != null) {
        return known;
      }
      if (asked.size() >= MOST) {
        asked.remove(asked.keySet().iterator().next());
      }
      Asked first = new Asked();
      asked.put(source, first);
      return first;
    }
  }

  private void ask(CapacitySource source, Asked last, Instant now) throws InterruptedException {
    Duration pause = source.shortestInterval();
    try {
      long before = moment.getAsLong();
      HttpAnswer answer =
          backends.at(source.endpoint()).send(HttpCall.get().withLongestAnswer(LONGEST_ANSWER));
      last.offered = new Offered(read(answer, source).facts(source), before);
      last.failure = null;
    } catch (EndpointUnavailableException e) {
      last.failure = failure(source, e.summary(), e);
      pause = longer(pause, e.retryAfter().orElse(Duration.ZERO));
    } catch (IllegalArgumentException e) {
      last.failure = failure(source, String.valueOf(e.getMessage()), e);
    }
    last.at = now;
    last.pause = pause;
  }

  private static CapacityAnswer read(HttpAnswer answer, CapacitySource source) {
    if (!answer.isSuccess()) {
      throw new IllegalArgumentException(source.url() + " answered " + answer.statusText());
    }
    return CapacityAnswer.read(answer.body());
  }

  private static Failure failure(CapacitySource source, String why, RuntimeException cause) {
    return new Failure(
        "What the capacity source " + source.url() + " offers is not known: " + why, cause);
  }

  private static Duration longer(Duration pause, Duration asked) {
    Duration bounded = asked.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : asked;
    return bounded.compareTo(pause) > 0 ? bounded : pause;
  }
}
