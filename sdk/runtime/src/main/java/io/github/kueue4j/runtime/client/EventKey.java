// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1ObjectReference;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The identity of an event for aggregation: a second event with the same key increments the count
 * of the first.
 *
 * <p>It contains the note, because "attempt 4" and "attempt 5" are different information.
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

  /** Limits of events.k8s.io/v1 in bytes of UTF-8; the server refuses longer values. */
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

  /** The event's namespace: {@code default} for cluster-scoped objects. */
  String eventNamespace() {
    return namespace.isEmpty() ? "default" : namespace;
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }

  /** Cuts a text to {@code max} bytes of UTF-8, between two characters. */
  private static String cut(String text, int max) {
    if (text.getBytes(StandardCharsets.UTF_8).length <= max) {
      return text;
    }
    ByteBuffer room = ByteBuffer.allocate(max - ELLIPSIS.length());
    StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text), room, true);
    return new String(room.array(), 0, room.position(), StandardCharsets.UTF_8) + ELLIPSIS;
  }
}
