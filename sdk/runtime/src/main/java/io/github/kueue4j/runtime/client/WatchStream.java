// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import com.google.gson.JsonParseException;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.time.TimeSource;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.exception.WatchExpiredException;
import io.kubernetes.client.openapi.models.V1Status;
import io.kubernetes.client.util.Watch;
import io.kubernetes.client.util.Watchable;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import okhttp3.Call;
import okhttp3.Response;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;

/**
 * One watch connection, parsed leniently.
 *
 * <p>The client library's own reader fails on unknown fields, and its reflector lists again
 * whenever a connection breaks. This one treats a broken connection like an ended one, so that the
 * watch resumes at its version; only silence and an expired version cause a new list. A line that
 * is complete but can't be read is an event like any other: to resume before it would bring it
 * again, for ever.
 */
final class WatchStream<T extends KubernetesObject> implements Watchable<T> {

  /** A watch that ends earlier than this without an event counts as a failure. */
  private static final Duration SHORT = Duration.ofSeconds(1);

  private final Call call;
  private final Response response;
  private final BufferedSource lines;

  /**
   * Held while the body is read or closed. The reflector closes a watch from another thread than
   * the one that reads it; closing frees the memory that is being read into, and the HTTP library
   * then gives the same memory to two other requests of the process.
   */
  private final Lock body = new ReentrantLock();

  private final Function<WatchEvent, List<Watch.Response<T>>> read;
  private final WatchPulse pulse;
  private final TimeSource time;
  private final Instant openedAt;
  private boolean sawEvent;
  private final Deque<Watch.Response<T>> next = new ArrayDeque<>();

  /**
   * A stream of the events in a response.
   *
   * @param read what an event means; may be nothing, or more than one event
   */
  WatchStream(
      Call call,
      Response response,
      Function<WatchEvent, List<Watch.Response<T>>> read,
      WatchPulse pulse,
      TimeSource time) {
    this.call = call;
    this.response = response;
    this.lines = response.body().source();
    this.read = read;
    this.pulse = pulse;
    this.time = time;
    this.openedAt = time.instant();
  }

  /**
   * Waits for the next event.
   *
   * @return false when the connection ended or broke
   * @throws WatchExpiredException if the server reports that the watch's version is too old
   * @throws SilentWatchException if the watchdog closed the connection
   */
  @Override
  public boolean hasNext() {
    try {
      while (next.isEmpty()) {
        byte @Nullable [] line = readLine();
        if (line == null) {
          boolean lasted = Duration.between(openedAt, time.instant()).compareTo(SHORT) >= 0;
          pulse.ended(sawEvent || lasted);
          return false;
        }
        take(line);
      }
      return true;
    } catch (IOException e) {
      if (pulse.wasCutForSilence()) {
        throw new SilentWatchException();
      }
      pulse.failed("the watch broke: " + FailedRequest.describe(e));
      return false;
    }
  }

  /**
   * Reads the next line, or what the connection's end left of one.
   *
   * @return null at the end
   * @throws IOException if the connection broke, within an event perhaps: the watch then resumes
   *     before it
   */
  private byte @Nullable [] readLine() throws IOException {
    body.lock();
    try {
      long end = lines.indexOf((byte) '\n');
      if (end >= 0) {
        byte[] line = lines.readByteArray(end);
        lines.skip(1);
        return line;
      }
      byte[] rest = lines.readByteArray();
      if (isBlank(rest)) {
        return null;
      }
      if (WatchEvent.read(rest).object() == null) {
        // Not complete, while a line that is ended is complete even if it can't be read.
        throw new EOFException("the connection ended within an event");
      }
      return rest;
    } finally {
      body.unlock();
    }
  }

  private static boolean isBlank(byte[] line) {
    for (byte b : line) {
      if (b < 0 || b > ' ') {
        return false;
      }
    }
    return true;
  }

  private void take(byte[] line) {
    if (isBlank(line)) {
      return;
    }
    WatchEvent event = WatchEvent.read(line);
    if (event.type().equals("ERROR")) {
      throw refused(event.object());
    }
    pulse.event();
    sawEvent = true;
    next.addAll(read.apply(event));
  }

  private RuntimeException refused(byte @Nullable [] status) {
    V1Status words = status == null ? new V1Status() : status(status);
    String message = words.getMessage() == null ? "" : words.getMessage();
    int code = words.getCode() == null ? 0 : words.getCode();
    if (code == 410) {
      pulse.failed("410 " + message);
      return new WatchExpiredException();
    }
    return new WatchRefusedException(code + " " + message);
  }

  private static V1Status status(byte[] json) {
    try {
      return KueueJson.fromServer(JsonSplitter.text(json), V1Status.class);
    } catch (JsonParseException e) {
      return new V1Status().message("an error that can't be read: " + FailedRequest.describe(e));
    }
  }

  @Override
  public Watch.Response<T> next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the watch has ended");
    }
    return next.removeFirst();
  }

  @Override
  public Iterator<Watch.Response<T>> iterator() {
    return this;
  }

  @Override
  public void close() {
    // Ends a read that is under way, so that the lock is free at once.
    call.cancel();
    body.lock();
    try {
      response.close();
    } finally {
      body.unlock();
    }
  }

  /** Thrown if the watchdog closed a silent connection. */
  static final class SilentWatchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SilentWatchException() {
      super("the watch was silent for too long");
    }
  }

  /** Thrown if the server ended the watch with an error event. */
  static final class WatchRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WatchRefusedException(String message) {
      super(message);
    }
  }
}
