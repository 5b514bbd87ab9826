// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.kueue4j.api.KueueJson;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/**
 * A 128-bit hash of a whole pod template: the first bits of the SHA-256 of its {@link NormalJson},
 * with the members of each object in order. It is cryptographic, so that two different templates
 * with the same fingerprint can't be constructed.
 */
record Fingerprint(long high, long low) {

  /** The fingerprint of a whole template. */
  static Fingerprint of(V1PodTemplateSpec whole) {
    return of(KueueJson.toTree(whole));
  }

  /** The fingerprint of JSON, in whatever order its objects have their members. */
  static Fingerprint of(JsonElement tree) {
    StringBuilder text = new StringBuilder(1024);
    write(NormalJson.of(tree), text);
    ByteBuffer digest = ByteBuffer.wrap(sha256(text.toString()));
    return new Fingerprint(digest.getLong(), digest.getLong());
  }

  /** Its first 32 bits as 8 hexadecimal digits. */
  String text() {
    return "%08x".formatted(high >>> 32);
  }

  /** JSON whose text is the same for equal trees. */
  private static void write(JsonElement element, StringBuilder text) {
    switch (element) {
      case JsonObject object -> {
        List<String> names = object.keySet().stream().sorted().toList();
        text.append('{');
        for (String name : names) {
          // Quoted, so that a name can't imitate the end of a value.
          text.append(KueueJson.toJson(name)).append(':');
          write(object.get(name), text);
          text.append(',');
        }
        text.append('}');
      }
      case JsonArray array -> {
        text.append('[');
        for (JsonElement item : array) {
          write(item, text);
          text.append(',');
        }
        text.append(']');
      }
      default -> text.append(KueueJson.toJson(element));
    }
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
