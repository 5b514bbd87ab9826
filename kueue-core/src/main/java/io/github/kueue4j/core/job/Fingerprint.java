/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.job;

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
 * What tells whole pod templates apart that mean something else, in 128 bits: the first ones of the
 * SHA-256 of the template in {@link NormalJson}, with the members of each object in order. Nobody
 * finds two templates with the same one, not even on purpose.
 */
record Fingerprint(long high, long low) {

  /** The fingerprint of a whole template. */
  static Fingerprint of(V1PodTemplateSpec whole) {
    StringBuilder text = new StringBuilder(1024);
    write(NormalJson.of(KueueJson.toTree(whole)), text);
    ByteBuffer digest = ByteBuffer.wrap(sha256(text.toString()));
    return new Fingerprint(digest.getLong(), digest.getLong());
  }

  /** JSON whose text is the same for equal trees. */
  private static void write(JsonElement element, StringBuilder text) {
    switch (element) {
      case JsonObject object -> {
        List<String> names = object.keySet().stream().sorted().toList();
        text.append('{');
        for (String name : names) {
          // Quoted, or a name could be made to look like the end of a value.
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
