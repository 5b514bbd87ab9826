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
package io.github.kueue4j.runtime;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1ObjectReference;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What makes two events equal, so that the second one only counts the first one up.
 *
 * <p>The note belongs to it: "attempt 4" and "attempt 5" are two things to tell a person.
 */
record EventKey(
    String apiVersion,
    String kind,
    String namespace,
    String name,
    String uid,
    String type,
    String reason,
    String action,
    String note) {

  /**
   * Limits of events.k8s.io/v1 in bytes of UTF-8: a longer value makes the server refuse the event.
   */
  private static final int MAX_REASON = 128;

  private static final int MAX_NOTE = 1024;
  private static final String ELLIPSIS = "...";

  static EventKey of(
      KubernetesObject regarding, String type, String reason, String action, String note) {
    @Nullable V1ObjectMeta metadata = regarding.getMetadata();
    V1ObjectMeta meta = metadata == null ? new V1ObjectMeta() : metadata;
    return new EventKey(
        text(regarding.getApiVersion()),
        text(regarding.getKind()),
        text(meta.getNamespace()),
        text(meta.getName()),
        text(meta.getUid()),
        type,
        cut(reason, MAX_REASON),
        cut(action, MAX_REASON),
        cut(note, MAX_NOTE));
  }

  V1ObjectReference regarding() {
    return new V1ObjectReference()
        .apiVersion(apiVersion)
        .kind(kind)
        .namespace(namespace.isEmpty() ? null : namespace)
        .name(name)
        .uid(uid.isEmpty() ? null : uid);
  }

  /** Events about objects without a namespace live in {@code default}. */
  String eventNamespace() {
    return namespace.isEmpty() ? "default" : namespace;
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }

  /** Cut at {@code max} bytes, which is how the server measures, between two characters. */
  private static String cut(String text, int max) {
    if (text.getBytes(StandardCharsets.UTF_8).length <= max) {
      return text;
    }
    ByteBuffer room = ByteBuffer.allocate(max - ELLIPSIS.length());
    StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text), room, true);
    return new String(room.array(), 0, room.position(), StandardCharsets.UTF_8) + ELLIPSIS;
  }
}
