// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.recording;

import com.google.gson.JsonObject;
import io.github.kueue4j.api.ObjectKey;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Writes a recording: gzip of one JSON object per line, a header first. It keeps nothing in memory.
 * A file that isn't closed can be read up to the last {@link #flush}. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class RecordingWriter implements AutoCloseable {
  /** What the compression may hold back, and the end. */
  private static final long MARGIN = 64 * 1024;

  /** The smallest bound of a recording: room for the objects of a small cluster. */
  public static final long SMALLEST_BOUND = 4 * MARGIN;

  private final Counted counted;
  private final OutputStream lines;
  private final long bound;
  private long changes;
  private @Nullable String end;

  /**
   * Begins a recording.
   *
   * @param to is closed with this
   * @param bound in bytes of the file; at least {@link #SMALLEST_BOUND}
   * @param configuration of the core, if it is known
   * @throws UncheckedIOException if it can't be written
   */
  public RecordingWriter(
      OutputStream to, long bound, Instant from, Optional<String> configuration) {
    if (bound < SMALLEST_BOUND) {
      throw new IllegalArgumentException(
          "a recording needs room for at least %d bytes, not %d".formatted(SMALLEST_BOUND, bound));
    }
    this.counted = new Counted(to);
    this.bound = bound;
    try {
      this.lines = new GZIPOutputStream(counted, 8192, true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    JsonObject header = new JsonObject();
    header.addProperty(RecordingReader.VERSION_KEY, RecordingReader.VERSION);
    header.addProperty("from", time(from));
    configuration.ifPresent(text -> header.addProperty("configuration", text));
    line(header);
    flush();
  }

  /**
   * Writes a change, unless the recording has ended.
   *
   * @return false if this was the last one that fits
   * @throws UncheckedIOException if it can't be written
   */
  public synchronized boolean write(RecordedChange change) {
    if (end != null) {
      return false;
    }
    ObjectKey key = change.key();
    JsonObject line = new JsonObject();
    line.addProperty("at", time(change.at()));
    if (change.present()) {
      line.addProperty("present", true);
    }
    line.addProperty("kind", change.kind());
    if (!key.namespace().isEmpty()) {
      line.addProperty("namespace", key.namespace());
    }
    line.addProperty("name", key.name());
    if (change.object() == null) {
      line.addProperty("deleted", true);
    } else {
      line.add("object", change.object());
    }
    line(line);
    changes++;
    if (counted.bytes <= bound - MARGIN) {
      return true;
    }
    end(change.at(), "the file has reached its largest size");
    return false;
  }

  /**
   * Ends the recording; a second end is ignored.
   *
   * @param why as the end of a sentence
   */
  public synchronized void end(Instant at, String why) {
    if (end == null) {
      JsonObject line = new JsonObject();
      line.addProperty("at", time(at));
      line.addProperty("end", why);
      line(line);
      end = why;
    }
  }

  /** Passes on everything that was written so far. */
  public synchronized void flush() {
    try {
      lines.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The number of changes that were written. */
  public synchronized long changes() {
    return changes;
  }

  /** The size of the file so far, in bytes. */
  public synchronized long bytes() {
    return counted.bytes;
  }

  /** Why the recording has ended; empty while it goes on. */
  public synchronized Optional<String> ended() {
    return Optional.ofNullable(end);
  }

  @Override
  public synchronized void close() {
    try {
      lines.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void line(JsonObject line) {
    try {
      lines.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String time(Instant at) {
    return at.truncatedTo(ChronoUnit.MILLIS).toString();
  }

  private static final class Counted extends FilterOutputStream {
    private long bytes;

    Counted(OutputStream to) {
      super(to);
    }

    @Override
    public void write(int value) throws IOException {
      out.write(value);
      bytes++;
    }

    @Override
    public void write(byte[] values, int offset, int length) throws IOException {
      out.write(values, offset, length);
      bytes += length;
    }
  }
}
