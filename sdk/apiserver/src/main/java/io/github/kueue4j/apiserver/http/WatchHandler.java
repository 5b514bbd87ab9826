// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.kinds.ServedResource;
import io.github.kueue4j.apiserver.objects.ObjectOperations;
import io.github.kueue4j.apiserver.selectors.Selector;
import io.github.kueue4j.apiserver.status.ApiErrors;
import io.github.kueue4j.apiserver.status.StatusObject;
import io.github.kueue4j.apiserver.store.Change;
import io.github.kueue4j.apiserver.store.ChangeCursor;
import io.github.kueue4j.apiserver.store.HistoryExpiredException;
import io.github.kueue4j.apiserver.store.KindStore;
import io.github.kueue4j.apiserver.store.StoredObject;
import io.github.kueue4j.apiserver.traffic.Faults;
import io.github.kueue4j.apiserver.tree.Trees;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers watch requests: a stream of events until the timeout, a fault or the client ends it. */
final class WatchHandler {
  private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(40);
  private static final Duration SILENCE_CHECK = Duration.ofMillis(20);

  /**
   * The least time between two sends on one watch. A change after a quiet time goes out at once; in
   * a burst, changes go out together, which saves most of the cost of many watchers.
   */
  private static final Duration BREATH = Duration.ofMillis(3);

  private final ReadHandler reads;
  private final ObjectOperations objects;
  private final Faults faults;
  private final OpenWatches watches;
  private final Duration bookmarkInterval;

  WatchHandler(
      ReadHandler reads,
      ObjectOperations objects,
      Faults faults,
      OpenWatches watches,
      Duration bookmarkInterval) {
    this.reads = reads;
    this.objects = objects;
    this.faults = faults;
    this.watches = watches;
    this.bookmarkInterval = bookmarkInterval;
  }

  /**
   * Serves a watch.
   *
   * @return false if the connection must be cut off instead of ended in an orderly way
   */
  boolean watch(Exchange exchange, ServedResource resource)
      throws IOException, InterruptedException {
    Query query = exchange.query();
    Selector selector = ReadHandler.selector(exchange, resource);
    Rendering rendering = reads.rendering(exchange, resource, exchange.form());
    KindStore kind = objects.storeOf(resource);
    String revision = query.text("resourceVersion");
    boolean initialEvents = query.flag("sendInitialEvents");
    checkInitialEvents(query, initialEvents);
    reads.checkNotAhead(revision);
    Duration timeout = timeout(query);
    boolean fromNow = revision.isEmpty() || revision.equals("0");
    boolean snapshotFirst = query.has("sendInitialEvents") ? initialEvents : fromNow;
    KindStore.@Nullable Snapshot snapshot =
        snapshotFirst || fromNow ? kind.snapshot(exchange.api().namespace()) : null;
    long from = snapshot == null ? ReadHandler.revision(revision) : snapshot.revision();
    try (ChangeCursor cursor = kind.follow(from)) {
      OpenWatches.OpenWatch openWatch = watches.opened(exchange.api(), cursor);
      try {
        Stream stream =
            new Stream(exchange, rendering, selector, query.flag("allowWatchBookmarks"));
        stream.begin();
        if (snapshot != null && snapshotFirst) {
          stream.initial(snapshot, initialEvents);
        }
        return follow(exchange, cursor, stream, timeout);
      } finally {
        watches.closed(openWatch);
      }
    } catch (HistoryExpiredException e) {
      if (exchange.committed()) {
        throw e;
      }
      throw ApiErrors.expired(e.text());
    }
  }

  private static void checkInitialEvents(Query query, boolean initialEvents) {
    if (initialEvents && !query.text("resourceVersionMatch").equals("NotOlderThan")) {
      throw ApiErrors.invalidListOptions(
          "resourceVersionMatch: Forbidden: sendInitialEvents requires setting"
              + " resourceVersionMatch to NotOlderThan");
    }
    if (!query.has("sendInitialEvents") && query.has("resourceVersionMatch")) {
      throw ApiErrors.invalidListOptions(
          "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless"
              + " sendInitialEvents is provided");
    }
  }

  private boolean follow(Exchange exchange, ChangeCursor cursor, Stream stream, Duration timeout)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + timeout.toNanos();
    long nextBookmark = System.nanoTime() + bookmarkInterval.toNanos();
    while (!cursor.cancelled()) {
      long now = System.nanoTime();
      if (now >= end) {
        if (!stream.holds()) {
          stream.bookmark(cursor.position());
        }
        exchange.end();
        return true;
      }
      if (faults.silenced(exchange.api())) {
        // The connection stays open and nothing is read from the history meanwhile.
        Thread.sleep(SILENCE_CHECK);
        nextBookmark = System.nanoTime() + bookmarkInterval.toNanos();
        continue;
      }
      List<Change> changes;
      try {
        Duration untilNext = Duration.ofNanos(Math.min(end, nextBookmark) - now);
        changes = cursor.next(stream.holds() ? SILENCE_CHECK : untilNext);
      } catch (HistoryExpiredException e) {
        stream.error(StatusObject.failure(ApiErrors.expired(e.text())));
        exchange.end();
        return true;
      }
      boolean silent = !changes.isEmpty() && faults.silenced(exchange.api());
      Duration lateness = faults.lateness(exchange.api(), changes.size());
      if (silent || lateness.isPositive() || stream.holds()) {
        stream.hold(changes);
      }
      if (silent) {
        continue;
      }
      changes = stream.holds() ? stream.release(lateness) : changes;
      stream.changes(changes);
      if (!changes.isEmpty()) {
        if (faults.repeated(exchange.api(), changes.size())) {
          stream.changes(changes);
        }
        Thread.sleep(BREATH);
      }
      // A bookmark must not overtake what is held: the client would never ask for it again.
      if (System.nanoTime() >= nextBookmark && !stream.holds()) {
        stream.bookmark(cursor.position());
        nextBookmark = System.nanoTime() + bookmarkInterval.toNanos();
      }
    }
    return false;
  }

  private static Duration timeout(Query query) {
    long seconds = query.number("timeoutSeconds", 0);
    return seconds == 0 ? DEFAULT_TIMEOUT : Duration.ofSeconds(seconds);
  }

  /** The events of one watch, several of them sent together when they come fast. */
  private static final class Stream {
    private final Exchange exchange;
    private final Rendering rendering;
    private final Selector selector;
    private final boolean bookmarks;
    private final Pieces buffer = new Pieces();
    private final Deque<Held> held = new ArrayDeque<>();
    private boolean first = true;

    Stream(Exchange exchange, Rendering rendering, Selector selector, boolean bookmarks) {
      this.exchange = exchange;
      this.rendering = rendering;
      this.selector = selector;
      this.bookmarks = bookmarks;
    }

    /** Sends the headers, so that the client knows that the watch is open. */
    void begin() throws IOException {
      exchange.stream(200, "application/json");
      flush();
    }

    void initial(KindStore.Snapshot snapshot, boolean markEnd) throws IOException {
      rendering.prepare(snapshot.objects());
      for (StoredObject object : snapshot.objects()) {
        if (selects(object)) {
          event("ADDED", rendering.event(object, first));
        }
        if (buffer.size() > 256 * 1024) {
          flush();
        }
      }
      if (markEnd && bookmarks) {
        ObjectNode mark = bookmarkObject(snapshot.revision());
        ((ObjectNode) mark.get("metadata"))
            .putObject("annotations")
            .put("k8s.io/initial-events-end", "true");
        event("BOOKMARK", StoredObject.write(mark));
      }
      if (buffer.size() > 0) {
        flush();
      }
    }

    /** A change that a fault keeps from being sent, since this moment of {@code nanoTime}. */
    private record Held(Change change, long since) {}

    /** Keeps changes that have just been read. */
    void hold(List<Change> changes) {
      long now = System.nanoTime();
      changes.forEach(change -> held.add(new Held(change, now)));
    }

    boolean holds() {
      return !held.isEmpty();
    }

    /** Takes out the changes that have been held so long. */
    List<Change> release(Duration lateness) {
      long latest = System.nanoTime() - lateness.toNanos();
      List<Change> due = new ArrayList<>();
      while (holds() && held.getFirst().since() - latest <= 0) {
        due.add(held.removeFirst().change());
      }
      return due;
    }

    void changes(List<Change> changes) throws IOException {
      String namespace = exchange.api().namespace();
      for (Change change : changes) {
        if (namespace.isEmpty() || namespace.equals(change.object().key().namespace())) {
          change(change);
        }
      }
      if (buffer.size() > 0) {
        flush();
      }
    }

    private void change(Change change) {
      StoredObject object = change.object();
      StoredObject previous = change.previous();
      boolean before = previous != null && selects(previous);
      boolean after = change.changeType() != Change.ChangeType.DELETED && selects(object);
      if (after) {
        event(before ? "MODIFIED" : "ADDED", rendering.event(object, first));
      } else if (before) {
        event("DELETED", rendering.event(object, first));
      }
    }

    private boolean selects(StoredObject object) {
      return selector == Selector.ALL || selector.selects(rendering.served(object));
    }

    void bookmark(long revision) throws IOException {
      if (bookmarks) {
        event("BOOKMARK", StoredObject.write(bookmarkObject(revision)));
        flush();
      }
    }

    private ObjectNode bookmarkObject(long revision) {
      ObjectNode object = Trees.empty();
      object.put("kind", rendering.kind()).put("apiVersion", rendering.apiVersion());
      ObjectNode metadata = object.putObject("metadata");
      metadata.put("resourceVersion", Long.toString(revision));
      metadata.putNull("creationTimestamp");
      return object;
    }

    void error(ObjectNode status) throws IOException {
      event("ERROR", StoredObject.write(status));
      flush();
    }

    private void event(String type, byte[] object) {
      buffer.append("{\"type\":\"");
      buffer.append(type);
      buffer.append("\",\"object\":");
      buffer.write(object, 0, object.length);
      buffer.append("}\n");
      first = false;
    }

    private void flush() throws IOException {
      exchange.send(buffer.bytes(), buffer.size());
      buffer.reset();
    }
  }

  /** A byte buffer whose content is sent without a copy. */
  private static final class Pieces extends ByteArrayOutputStream {
    void append(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      write(bytes, 0, bytes.length);
    }

    byte[] bytes() {
      return buf;
    }
  }
}
