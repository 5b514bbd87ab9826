// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** One event of a watch, of which only the type has been read. */
final class WatchEvent {

  private final byte[] line;
  private final String type;
  private final byte @Nullable [] object;

  private WatchEvent(byte[] line, String type, byte @Nullable [] object) {
    this.line = line;
    this.type = type;
    this.object = object;
  }

  /** The event in this line, whatever the line contains. */
  static WatchEvent read(byte[] line) {
    var parts =
        new Object() {
          String type = "";
          byte @Nullable [] object;
        };
    var splitter = new JsonSplitter(new ByteArrayInputStream(line));
    try {
      splitter.members(
          name -> {
            byte[] value = splitter.value();
            switch (name) {
              case "type" -> parts.type = JsonSplitter.string(value);
              case "object" -> parts.object = value;
              default -> {
                // An event has no other members today.
              }
            }
          });
      splitter.end();
    } catch (IOException noEvent) {
      // Without its end, the object isn't one; identity() finds what there is of it.
      return new WatchEvent(line, parts.type, null);
    }
    return new WatchEvent(line, parts.type, parts.object);
  }

  /**
   * {@code ADDED}, {@code MODIFIED}, {@code DELETED}, {@code BOOKMARK}, {@code ERROR}, or other.
   */
  String type() {
    return type;
  }

  /** The object's JSON; null if the event isn't complete. */
  byte @Nullable [] object() {
    return object;
  }

  /** What can be found out about the object without reading it. */
  ObjectIdentity identity() {
    return ObjectIdentity.ofEvent(line);
  }
}
