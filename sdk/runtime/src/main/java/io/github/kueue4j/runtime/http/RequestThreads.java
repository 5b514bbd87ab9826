// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.http;

import io.github.kueue4j.api.time.Cancellable;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.FatalErrors;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of one of the JDK's HTTP servers: a limited number, and a deadline for each request.
 *
 * <p>Here a request is all that the server does from the first byte to the end of the answer, the
 * TLS handshake included. One that takes longer is interrupted, which closes its connection: a
 * client that sends nothing, one byte per minute or a body without end gets no further. If all
 * threads are busy, the oldest request has to go, because it is most likely such a one; a new
 * request, such as the kubelet's, is answered.
 *
 * <p>Rejected: the server's own limits {@code sun.net.httpserver.maxReqTime} and {@code
 * maxRspTime}. They are properties of the whole JVM, which a library must not set; they go by the
 * wall clock, and one limit is too short for a flight recording and too long for a probe.
 *
 * <p>Rejected: virtual threads. Before JDK 24 a virtual thread that waits in a {@code synchronized}
 * method doesn't leave its carrier, and the server reads requests in such methods: as many stalled
 * clients as the machine has processors would stop all virtual threads of the process.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class RequestThreads implements Executor, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(RequestThreads.class);

  /** How long a thread without a request is kept. */
  private static final Duration KEEP = Duration.ofSeconds(10);

  private final String name;
  private final Duration deadline;
  private final TimeSource time;
  private final FatalErrors fatalErrors;
  private final ThreadPoolExecutor pool;
  private final int most;

  /** The requests that are being answered, the oldest first. */
  private final Deque<Request> running = new ArrayDeque<>(); // Guarded by itself.

  /**
   * Threads for one server.
   *
   * @param name of the server, for the threads' names and for the log
   * @param most the number of requests that are answered at once, and of those that wait for it; at
   *     least 1
   * @param deadline of one request
   * @param time real time that isn't set back or forward; stays open
   */
  public RequestThreads(
      String name, int most, Duration deadline, TimeSource time, FatalErrors fatalErrors) {
    this.name = name;
    this.most = most;
    this.deadline = deadline;
    this.time = time;
    this.fatalErrors = fatalErrors;
    this.pool =
        new ThreadPoolExecutor(
            most,
            most,
            KEEP.toMillis(),
            TimeUnit.MILLISECONDS,
            new ArrayBlockingQueue<>(most),
            Thread.ofPlatform()
                .daemon()
                .name("kueue4j-" + name + "-", 1)
                .uncaughtExceptionHandler(fatalErrors)
                .factory());
    pool.allowCoreThreadTimeOut(true);
  }

  /**
   * Answers a request on a thread of its own.
   *
   * @throws RejectedExecutionException if too many requests wait; the server then closes the
   *     connection
   */
  @Override
  public void execute(Runnable exchange) {
    @Nullable Request oldest;
    synchronized (running) {
      oldest =
          running.size() < most
              ? null
              : running.stream().filter(request -> !request.isCut()).findFirst().orElse(null);
    }
    if (oldest != null) {
      oldest.cut("more requests than the server answers at once");
    }
    pool.execute(new Request(exchange));
  }

  /** One request, on the thread that answers it. */
  private final class Request implements Runnable {
    private final Runnable exchange;

    // Guarded by this object's monitor.
    private @Nullable Thread thread; // Null if it doesn't run.
    private boolean cut;

    Request(Runnable exchange) {
      this.exchange = exchange;
    }

    @Override
    public void run() {
      synchronized (this) {
        thread = Thread.currentThread();
      }
      synchronized (running) {
        running.addLast(this);
      }
      Cancellable timer = timer();
      try {
        exchange.run();
      } catch (Error error) {
        fatalErrors.report(error);
      } finally {
        timer.cancel();
        synchronized (running) {
          running.remove(this);
        }
        synchronized (this) {
          thread = null;
          // The next request on this thread must not suffer for this one.
          Thread.interrupted();
        }
      }
    }

    private Cancellable timer() {
      try {
        return time.after(
            deadline, () -> cut("it took longer than " + deadline.toSeconds() + " s"));
      } catch (IllegalStateException closed) {
        // The process ends, and its servers with it.
        return () -> {};
      }
    }

    synchronized boolean isCut() {
      return cut;
    }

    /** Interrupts the request: its connection is closed by the next or the current access to it. */
    synchronized void cut(String why) {
      if (thread != null) {
        log.atInfo()
            .addKeyValue("server", name)
            .addKeyValue("cause", why)
            .log("Closing the connection of a request that was not answered in time");
        cut = true;
        thread.interrupt();
      }
    }
  }

  /**
   * Ends the threads.
   *
   * @param grace for the requests that are being answered; the others are interrupted then
   */
  public void close(Duration grace) {
    pool.shutdown();
    try {
      if (!grace.isPositive() || !pool.awaitTermination(grace.toMillis(), TimeUnit.MILLISECONDS)) {
        pool.shutdownNow();
      }
    } catch (InterruptedException e) {
      pool.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the threads at once. */
  @Override
  public void close() {
    close(Duration.ZERO);
  }
}
