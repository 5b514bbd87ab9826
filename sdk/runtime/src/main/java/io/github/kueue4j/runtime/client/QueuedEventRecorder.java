// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import com.google.gson.JsonObject;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.Cancellable;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.TimedWait;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes events on a thread of its own; see {@link EventRecorder}.
 *
 * <p>Repetitions of an event are counted here and written as one patch of its series every few
 * seconds, not one request each.
 */
final class QueuedEventRecorder implements EventRecorder {

  private static final Logger log = LoggerFactory.getLogger(QueuedEventRecorder.class);

  static final int CAPACITY = 1000;

  /** The number of events that are remembered for aggregation. */
  private static final int REMEMBERED = 4096;

  /** The longest pause after which a repetition still counts towards the same event. */
  static final Duration WINDOW = Duration.ofMinutes(6);

  /** The interval of writes of counts, in wire time. */
  static final Duration FLUSH = Duration.ofSeconds(5);

  /** The longest Retry-After that is honoured, because it delays all other events, in wire time. */
  private static final Duration LONGEST_PATIENCE = Duration.ofSeconds(30);

  /** How long closing waits for the queued events, in real time. */
  static final Duration LAST_WORDS = Duration.ofSeconds(3);

  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private sealed interface Item {}

  private record Occurrence(EventKey key, Instant at) implements Item {}

  private enum Signal implements Item {
    FLUSH,
    END
  }

  private static final class Series {
    @Nullable ObjectKey written;
    Instant lastSeen;
    int count = 1;
    boolean dirty;

    Series(Instant seen) {
      lastSeen = seen;
    }
  }

  private final String component;
  private final TimeSource time;
  private final TimeSource wireTime;
  private final ApiTransport transport;
  private final KubernetesApi api;
  private final RandomGenerator random;
  private final Counter written;
  private final Counter dropped;
  private final Duration lastWords;
  private final BlockingQueue<Item> queue = new ArrayBlockingQueue<>(CAPACITY);
  private final Thread thread;

  // Only used by the recorder's own thread.
  private final Map<EventKey, Series> series = new LinkedHashMap<>(16, 0.75f, true);
  private boolean flushPending;

  // Guarded by this object's monitor.
  private Cancellable flushTimer = () -> {};
  private boolean closed;

  QueuedEventRecorder(
      ClusterConnection connection, TimeSource time, MeterRegistry meters, Duration lastWords) {
    this.lastWords = lastWords;
    this.component = connection.component();
    this.time = time;
    this.wireTime = connection.wireTime();
    this.transport = connection.callsOf(this, Duration.ofSeconds(10));
    this.api = transport.api();
    this.random = connection.random();
    this.written = meters.counter("kueue4j.events.written");
    this.dropped = meters.counter("kueue4j.events.dropped");
    this.thread =
        connection
            .threads()
            .daemons()
            .name("kueue4j-events")
            .uncaughtExceptionHandler(connection.fatalErrors())
            .start(this::run);
  }

  @Override
  public void normal(KubernetesObject regarding, String reason, String action, String note) {
    offer(EventKey.of(regarding, "Normal", reason, action, note));
  }

  @Override
  public void warning(KubernetesObject regarding, String reason, String action, String note) {
    offer(EventKey.of(regarding, "Warning", reason, action, note));
  }

  private void offer(EventKey key) {
    if (isClosed() || !queue.offer(new Occurrence(key, time.instant()))) {
      drop(key, "the queue is full");
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private void drop(EventKey key, String cause) {
    dropped.increment();
    log.atDebug()
        .addKeyValue("regarding", key.namespace() + '/' + key.name())
        .addKeyValue("reason", key.reason())
        .addKeyValue("cause", cause)
        .log("Dropped an event");
  }

  private void run() {
    try {
      while (true) {
        switch (queue.take()) {
          case Occurrence occurrence -> guarded(occurrence.key(), () -> record(occurrence));
          case Signal signal -> {
            flushPending = false;
            for (var counted : series.entrySet()) {
              guarded(counted.getKey(), () -> writeCount(counted.getKey(), counted.getValue()));
            }
            if (signal == Signal.END) {
              return;
            }
          }
        }
      }
    } catch (InterruptedException ended) {
      // Only close() interrupts this thread, if the last writes take too long.
      Thread.currentThread().interrupt();
    }
  }

  /** A request to the server. */
  private interface EventRequest {
    void run() throws InterruptedException;
  }

  /** Runs a request; an exception drops the event and doesn't end the thread. */
  private void guarded(EventKey key, EventRequest errand) throws InterruptedException {
    try {
      errand.run();
    } catch (RuntimeException e) {
      drop(key, FailedRequest.describe(e));
    }
  }

  /** Sends a request, and once more after a Retry-After. */
  private <R> R sendHonouringRetryAfter(Supplier<R> request) throws InterruptedException {
    try {
      return request.get();
    } catch (KubernetesApiException e) {
      Duration patience = FailedRequest.patience(e);
      boolean waited =
          patience.isPositive() && TimedWait.pause(wireTime, shorter(patience, LONGEST_PATIENCE));
      if (!waited) {
        throw e;
      }
      return request.get();
    }
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private void record(Occurrence occurrence) throws InterruptedException {
    @Nullable Series known = series.get(occurrence.key());
    if (known != null
        && known.written != null
        && Duration.between(known.lastSeen, occurrence.at()).compareTo(WINDOW) <= 0) {
      known.count++;
      known.lastSeen = occurrence.at();
      known.dirty = true;
      flushLater();
      return;
    }
    var fresh = new Series(occurrence.at());
    series.put(occurrence.key(), fresh);
    writeNew(occurrence, fresh);
    if (series.size() > REMEMBERED) {
      EventKey eldest = series.keySet().iterator().next();
      writeCount(eldest, series.getOrDefault(eldest, fresh));
      series.remove(eldest);
    }
  }

  private void flushLater() {
    if (flushPending) {
      return;
    }
    flushPending = true;
    synchronized (this) {
      if (!closed) {
        flushTimer = wireTime.after(FLUSH, this::askForFlush);
      }
    }
  }

  /** Runs on the time source's thread, so it must not block on a full queue. */
  private void askForFlush() {
    if (!queue.offer(Signal.FLUSH)) {
      synchronized (this) {
        if (!closed) {
          flushTimer = wireTime.after(FLUSH, this::askForFlush);
        }
      }
    }
  }

  private void writeNew(Occurrence occurrence, Series fresh) throws InterruptedException {
    EventKey key = occurrence.key();
    var at = occurrence.at().truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
    String subject = key.name().length() > 200 ? key.name().substring(0, 200) : key.name();
    // Random, so that two processes never choose the same name.
    String suffix = Long.toHexString(random.nextLong());
    var event =
        new EventsV1Event()
            .metadata(
                new V1ObjectMeta().namespace(key.eventNamespace()).name(subject + '.' + suffix))
            .eventTime(at)
            .type(key.type())
            .reason(key.reason())
            .action(key.action())
            .note(key.note())
            .regarding(key.regarding())
            .reportingController(component)
            .reportingInstance(component);
    try {
      fresh.written =
          ObjectKey.of(sendHonouringRetryAfter(() -> api.create(CoreTypes.EVENT, event)));
      written.increment();
    } catch (KubernetesApiException e) {
      drop(key, FailedRequest.describe(e));
    }
  }

  private void writeCount(EventKey key, Series counted) throws InterruptedException {
    if (!counted.dirty || counted.written == null) {
      return;
    }
    counted.dirty = false;
    ObjectKey event = counted.written;
    var body = new JsonObject();
    var values = new JsonObject();
    values.addProperty("count", counted.count);
    values.addProperty("lastObservedTime", MICROS.format(counted.lastSeen));
    body.add("series", values);
    try {
      sendHonouringRetryAfter(() -> api.patch(CoreTypes.EVENT, event, new MergePatch(body)));
      written.increment();
    } catch (KubernetesApiException.NotFound expired) {
      // The server has deleted the event meanwhile: the next occurrence creates a new one.
      counted.written = null;
    } catch (KubernetesApiException e) {
      drop(key, FailedRequest.describe(e));
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      flushTimer.cancel();
    }
    try {
      boolean room = queue.offer(Signal.END);
      if (!room || !thread.join(lastWords)) {
        thread.interrupt();
        transport.cancelAll();
        thread.join(lastWords);
      }
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }
}
