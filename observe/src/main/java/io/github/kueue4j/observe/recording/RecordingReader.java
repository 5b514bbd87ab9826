// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.recording;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.ObjectKey;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Reads a recording line by line. A file that was cut off, or is being written, is read as far as
 * it is whole.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class RecordingReader {
  /** The version of the format that is written and read. */
  static final int VERSION = 1;

  static final String VERSION_KEY = "kueue4jRecording";

  /**
   * The statements of a file about itself.
   *
   * @param from when the recording began
   * @param to its end, or its last change
   * @param changes how many changes were read
   * @param configuration of the core; empty if it wasn't known
   * @param end why it ended; empty if the file is cut off
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public record Extent(
      Instant from,
      Instant to,
      long changes,
      Optional<String> configuration,
      Optional<String> end) {}

  private long number;
  private @Nullable Instant from;
  private Instant to = Instant.MIN;
  private @Nullable String configuration;
  private @Nullable String end;
  private long changes;

  private RecordingReader() {}

  /**
   * Reads a recording to its end.
   *
   * @param each takes the changes, in their order
   * @throws IllegalArgumentException if this is no recording, or one of another version; the
   *     message is the end of a sentence about the file
   * @throws IOException if it can't be read
   */
  public static Extent read(InputStream file, Consumer<RecordedChange> each) throws IOException {
    return new RecordingReader().extent(file, each);
  }

  private Extent extent(InputStream file, Consumer<RecordedChange> each) throws IOException {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(new UpToCut(unzipped(file)), StandardCharsets.UTF_8))) {
      String line = lines.readLine();
      while (line != null && end == null) {
        number++;
        String next = lines.readLine();
        Optional<JsonObject> json = json(line, next == null);
        if (json.isPresent()) {
          take(json.get(), each);
        }
        line = next;
      }
    }
    if (from == null) {
      throw new IllegalArgumentException("is cut off before its first line");
    }
    return new Extent(
        from, to, changes, Optional.ofNullable(configuration), Optional.ofNullable(end));
  }

  private static InputStream unzipped(InputStream file) throws IOException {
    try {
      return new GZIPInputStream(file);
    } catch (EOFException e) {
      throw new IllegalArgumentException("is empty, or cut off before its first line", e);
    } catch (ZipException e) {
      throw new IllegalArgumentException(
          "is no recording: it isn't compressed by gzip; give a file that record has written", e);
    }
  }

  /** The line; empty if it is the last one, of which only the beginning is there. */
  private Optional<JsonObject> json(String line, boolean last) {
    try {
      if (JsonParser.parseString(line) instanceof JsonObject object) {
        return Optional.of(object);
      }
    } catch (JsonParseException e) {
      if (last && (from != null || line.startsWith("{"))) {
        return Optional.empty();
      }
    }
    throw new IllegalArgumentException(
        from == null
            ? "is no recording: its first line is no JSON object"
            : "is damaged: line %d is no JSON object".formatted(number));
  }

  private void take(JsonObject line, Consumer<RecordedChange> each) {
    if (from == null) {
      header(line);
      return;
    }
    Instant at = time(line, "at");
    if (!line.has("present")) {
      // No two at the same instant, so that their order holds wherever their times are used.
      at = at.isAfter(to) ? at : to.plusNanos(1);
      to = at;
    }
    if (line.has("end")) {
      end = text(line, "end");
      return;
    }
    String kind = text(line, "kind");
    if (!RecordedChange.KINDS.containsKey(kind)) {
      throw damaged("kind", kind);
    }
    changes++;
    RecordedChange change =
        new RecordedChange(
            at,
            line.has("present"),
            kind,
            new ObjectKey(line.has("namespace") ? text(line, "namespace") : "", text(line, "name")),
            line.get("object") instanceof JsonObject object ? object : null);
    try {
      each.accept(change);
    } catch (JsonParseException e) {
      throw new IllegalArgumentException(
          "is damaged: the object in line %d is no %s: %s".formatted(number, kind, e.getMessage()),
          e);
    }
  }

  private void header(JsonObject line) {
    JsonElement version = line.get(VERSION_KEY);
    if (version == null) {
      throw new IllegalArgumentException(
          "is no recording: its first line has no "
              + VERSION_KEY
              + "; give a file that record has"
              + " written");
    }
    if (!version.toString().equals(String.valueOf(VERSION))) {
      throw new IllegalArgumentException(
          "is a recording of version %s, and this program reads version %d; use the program that has recorded it"
              .formatted(version, VERSION));
    }
    from = time(line, "from");
    to = from;
    configuration = line.has("configuration") ? text(line, "configuration") : null;
  }

  private Instant time(JsonObject line, String member) {
    String text = text(line, member);
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw damaged(member, text);
    }
  }

  private String text(JsonObject line, String member) {
    if (line.get(member) instanceof JsonPrimitive text && text.isString()) {
      return text.getAsString();
    }
    throw damaged(member, String.valueOf(line.get(member)));
  }

  private IllegalArgumentException damaged(String member, String value) {
    return new IllegalArgumentException(
        "is damaged: in line %d %s is %s".formatted(number, member, value));
  }

  /** Ends where the compressed data ends, wherever that is. */
  private static final class UpToCut extends FilterInputStream {
    UpToCut(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      try {
        return in.read(to, offset, length);
      } catch (EOFException e) {
        return -1;
      }
    }
  }
}
