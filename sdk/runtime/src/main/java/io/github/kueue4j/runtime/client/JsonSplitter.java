// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import com.google.gson.stream.JsonReader;
import com.google.gson.stream.MalformedJsonException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;

/**
 * Cuts a JSON document into the values of its members and elements without reading these: it only
 * counts brackets outside of strings. So the end of a value is found however deep it is and
 * whatever it contains, in constant stack and with no more memory than the value itself.
 */
final class JsonSplitter {

  private static final int END = -1;

  private final InputStream in;
  private final byte[] buffer = new byte[16 * 1024];
  private int position;
  private int limit;
  private long before; // Bytes before the buffer.

  JsonSplitter(InputStream in) {
    this.in = in;
  }

  /** Takes the value of one member of an object, by {@link #value} or {@link #elements}. */
  @FunctionalInterface
  interface Member {
    void take(String name) throws IOException;
  }

  /** Takes one element of an array. */
  @FunctionalInterface
  interface Element {
    void take(byte[] value) throws IOException;
  }

  /** The text of a document or of a part of it. */
  static Reader text(byte[] json) {
    return new InputStreamReader(new ByteArrayInputStream(json), StandardCharsets.UTF_8);
  }

  /** How many bytes were read so far. */
  long bytes() {
    return before + position;
  }

  /** The next byte that isn't white space, which stays; -1 at the end. */
  int peek() throws IOException {
    while (position < limit || fill()) {
      byte next = buffer[position];
      if (next != ' ' && next != '\n' && next != '\t' && next != '\r') {
        return next & 0xff;
      }
      position++;
    }
    return END;
  }

  /**
   * Reads an object.
   *
   * @throws MalformedJsonException if it isn't one, or ends early
   */
  void members(Member member) throws IOException {
    expect('{');
    boolean more = peek() != '}';
    while (more) {
      String name = name();
      expect(':');
      member.take(name);
      more = peek() == ',';
      if (more) {
        expect(',');
      }
    }
    expect('}');
  }

  /**
   * Reads an array.
   *
   * @throws MalformedJsonException if it isn't one, or ends early
   */
  void elements(Element element) throws IOException {
    expect('[');
    boolean more = peek() != ']';
    while (more) {
      element.take(value());
      more = peek() == ',';
      if (more) {
        expect(',');
      }
    }
    expect(']');
  }

  /**
   * Reads to the end of the input, so that a connection can be used again.
   *
   * @throws MalformedJsonException if there is more than white space
   */
  void end() throws IOException {
    if (peek() != END) {
      throw malformed("the end");
    }
  }

  private String name() throws IOException {
    if (peek() != '"') {
      throw malformed("a name");
    }
    return string(value());
  }

  /** The string in these bytes; any other value as it is written. */
  static String string(byte[] json) throws IOException {
    if (json.length == 0 || json[0] != '"') {
      return new String(json, StandardCharsets.UTF_8);
    }
    try (var reader = new JsonReader(text(json))) {
      return reader.nextString();
    }
  }

  private void expect(char wanted) throws IOException {
    if (peek() != wanted) {
      throw malformed("'" + wanted + "'");
    }
    position++;
  }

  private MalformedJsonException malformed(String wanted) throws IOException {
    int found = peek();
    return new MalformedJsonException(
        "expected "
            + wanted
            + " but found "
            + (found == END ? "the end" : "'" + (char) found + "'")
            + " at byte "
            + bytes());
  }

  /**
   * Reads one value and returns its bytes.
   *
   * @throws MalformedJsonException if the document ends within it
   */
  byte[] value() throws IOException {
    int first = peek();
    if (first == END || first == ',' || first == ']' || first == '}' || first == ':') {
      throw malformed("a value");
    }
    var value = new Value();
    boolean complete = false;
    while (!complete) {
      if (position == limit && !fill()) {
        if (value.isScalar()) {
          return value.bytes();
        }
        throw malformed("the rest of a value");
      }
      int start = position;
      while (position < limit && !complete) {
        complete = value.endsBefore(buffer[position]);
        if (!complete) {
          complete = value.endsWith(buffer[position++]);
        }
      }
      value.append(buffer, start, position - start);
    }
    return value.bytes();
  }

  private boolean fill() throws IOException {
    before += limit;
    position = 0;
    limit = Math.max(0, in.read(buffer));
    return limit > 0;
  }

  /** A value of which some bytes are known. */
  private static final class Value {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
    private int depth;
    private boolean inString;
    private boolean escaped;

    boolean isScalar() {
      return depth == 0 && !inString;
    }

    /** Whether this byte comes after a number or a word, which have no end of their own. */
    boolean endsBefore(byte next) {
      return isScalar()
          && switch (next) {
            case ',', ']', '}', ':', ' ', '\n', '\t', '\r' -> true;
            default -> false;
          };
    }

    /** Takes one byte; true if it is the last one of a string, array or object. */
    boolean endsWith(byte next) {
      if (inString) {
        if (escaped) {
          escaped = false;
        } else if (next == '\\') {
          escaped = true;
        } else if (next == '"') {
          inString = false;
          return depth == 0;
        }
        return false;
      }
      switch (next) {
        case '"' -> inString = true;
        case '{', '[' -> depth++;
        case '}', ']' -> {
          depth--;
          return depth == 0;
        }
        default -> {
          // Part of a number or a word, or between the parts of an object.
        }
      }
      return false;
    }

    void append(byte[] source, int offset, int length) {
      bytes.write(source, offset, length);
    }

    byte[] bytes() {
      return bytes.toByteArray();
    }
  }
}
