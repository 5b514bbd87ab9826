// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.simulation;

import io.github.kueue4j.apiserver.http.DirectRequest;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import okhttp3.Headers;
import okhttp3.MediaType;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.Buffer;
import okio.Okio;
import okio.Source;
import okio.Timeout;
import org.jspecify.annotations.Nullable;

/** An answer on its way from the server's thread to the client's. */
final class ArrivingAnswer implements DirectRequest.Answer {

  /** The steps of a message. */
  interface Journey {
    void travel() throws InterruptedIOException;
  }

  private final Journey journey;
  private final Duration timeout;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition news = lock.newCondition();

  // All guarded by the lock.
  private final Buffer arrived = new Buffer();
  private int status;
  private Map<String, List<String>> headers = Map.of();
  private boolean ended;
  private @Nullable IOException broken;

  /**
   * An answer of which nothing has arrived.
   *
   * @param timeout how long its reader waits for the next piece; zero for ever
   */
  ArrivingAnswer(Journey journey, Duration timeout) {
    this.journey = journey;
    this.timeout = timeout;
  }

  @Override
  public void begin(int code, Map<String, List<String>> sent) {
    lock.lock();
    try {
      status = code;
      headers = sent;
      news.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void piece(byte[] bytes) throws IOException {
    journey.travel();
    lock.lock();
    try {
      if (broken != null) {
        throw new IOException("the client is gone", broken);
      }
      arrived.write(bytes);
      news.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void end(@Nullable Throwable why) {
    finish(why == null ? null : new IOException("unexpected end of the answer", why));
  }

  /** The client gives it up. */
  void cancel() {
    finish(new IOException("Canceled"));
  }

  private void finish(@Nullable IOException why) {
    lock.lock();
    try {
      if (!ended) {
        ended = true;
        broken = why;
        news.signalAll();
      } else if (why != null && broken == null) {
        broken = why;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the beginning. */
  Response begun(Request request) throws IOException {
    lock.lock();
    try {
      while (status == 0 && !ended) {
        await();
      }
      if (status == 0) {
        throw broken == null ? new IOException("no answer") : broken;
      }
      Headers.Builder built = new Headers.Builder();
      headers.forEach((name, values) -> values.forEach(value -> built.add(name, value)));
      MediaType type =
          MediaType.parse(headers.getOrDefault("Content-Type", List.of("")).getFirst());
      return new Response.Builder()
          .request(request)
          .protocol(Protocol.HTTP_1_1)
          .code(status)
          .message("")
          .headers(built.build())
          .body(ResponseBody.create(Okio.buffer(new Body()), type, -1))
          .build();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for news; requires the lock. */
  @SuppressWarnings("WaitNotInLoop") // Its callers call it in loops.
  private void await() throws IOException {
    try {
      if (timeout.isZero()) {
        news.await();
      } else if (!news.await(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new SocketTimeoutException("timeout");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  /** The body that the client reads. */
  private final class Body implements Source {
    @Override
    public long read(Buffer sink, long count) throws IOException {
      lock.lock();
      try {
        while (arrived.exhausted() && !ended) {
          await();
        }
        if (!arrived.exhausted()) {
          return arrived.read(sink, count);
        }
        if (broken != null) {
          throw broken;
        }
        return -1;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public Timeout timeout() {
      return Timeout.NONE;
    }

    @Override
    public void close() {
      cancel();
    }
  }
}
