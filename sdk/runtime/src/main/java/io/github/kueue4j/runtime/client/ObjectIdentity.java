// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * The identity of an object that can't be read; each part is empty if even that isn't readable.
 *
 * @param key its namespace and name
 * @param uid its uid
 * @param resourceVersion its version
 */
record ObjectIdentity(ObjectKey key, String uid, String resourceVersion) {

  /** The identity of the object in these bytes. */
  static ObjectIdentity of(byte[] object) {
    return scan(object, false);
  }

  /** The identity of the object in the event of a watch that stands in these bytes. */
  static ObjectIdentity ofEvent(byte[] event) {
    return scan(event, true);
  }

  private static ObjectIdentity scan(byte[] json, boolean event) {
    Map<String, String> found = new HashMap<>();
    try (JsonReader tokens = KueueJson.tokens(JsonSplitter.text(json))) {
      if (event) {
        eachMember(tokens, "object", () -> object(tokens, found));
      } else {
        object(tokens, found);
      }
    } catch (IOException | IllegalStateException cutOrNoJson) {
      // This scan is for objects that are no proper JSON: what was found up to here is the result.
    }
    return new ObjectIdentity(
        new ObjectKey(found.getOrDefault("namespace", ""), found.getOrDefault("name", "")),
        found.getOrDefault("uid", ""),
        found.getOrDefault("resourceVersion", ""));
  }

  private static void object(JsonReader tokens, Map<String, String> found) throws IOException {
    eachMember(tokens, "metadata", () -> metadata(tokens, found));
  }

  private static void metadata(JsonReader tokens, Map<String, String> found) throws IOException {
    for (tokens.beginObject(); tokens.hasNext(); ) {
      String name = tokens.nextName();
      if (tokens.peek() == JsonToken.STRING) {
        found.put(name, tokens.nextString());
      } else {
        tokens.skipValue();
      }
    }
    tokens.endObject();
  }

  private interface Scan {
    void run() throws IOException;
  }

  /** Scans the members of this name, skipping all others. */
  private static void eachMember(JsonReader tokens, String wanted, Scan scan) throws IOException {
    for (tokens.beginObject(); tokens.hasNext(); ) {
      if (tokens.nextName().equals(wanted) && tokens.peek() == JsonToken.BEGIN_OBJECT) {
        scan.run();
      } else {
        tokens.skipValue();
      }
    }
    tokens.endObject();
  }

  /** Whether the object's name is known. */
  boolean isKnown() {
    return !key.name().isEmpty();
  }
}
