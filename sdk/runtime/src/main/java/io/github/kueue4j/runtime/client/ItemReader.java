// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import com.google.gson.JsonParseException;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;

/**
 * Reads objects of one type, each by itself, so that one that can't be read stops no other.
 *
 * @param <T> the class of the objects
 */
final class ItemReader<T extends KubernetesObject> {

  private final ResourceType<T> type;

  /** Kind and version, which items of a list lack and references need. */
  private final byte[] kind;

  ItemReader(ResourceType<T> type) {
    this.type = type;
    this.kind =
        "{\"apiVersion\":\"%s\",\"kind\":\"%s\","
            .formatted(type.apiVersion(), type.kind())
            .getBytes(StandardCharsets.UTF_8);
  }

  /**
   * The result of reading one object.
   *
   * @param <T> the class of the object
   */
  sealed interface Reading<T> {}

  /** An object that was read. */
  record Read<T>(T object) implements Reading<T> {}

  /** An object that can't be read. */
  record Unreadable<T>(UnreadableObject object) implements Reading<T> {}

  /** Reads an object of a list or a watch. */
  Reading<T> item(byte[] json) {
    try {
      T object = object(json);
      if (ObjectKey.of(object).name().isEmpty()) {
        throw new JsonParseException("it has no metadata.name");
      }
      return new Read<>(object);
    } catch (RuntimeException | StackOverflowError e) {
      return new Unreadable<>(new UnreadableObject(ObjectIdentity.of(json), e));
    }
  }

  /**
   * Reads an object.
   *
   * @throws JsonParseException if a field has another type, or the text is no JSON
   */
  T object(byte[] json) {
    T object = KueueJson.fromServer(withKind(json), type);
    V1ObjectMeta metadata = object.getMetadata();
    if (metadata != null) {
      metadata.setManagedFields(null); // In place of an empty list for each object.
    }
    return object;
  }

  /** The object with kind and version in front, where those that it has itself prevail. */
  private Reader withKind(byte[] json) {
    int start = 0;
    while (start < json.length && json[start] <= ' ' && json[start] >= 0) {
      start++;
    }
    if (start == json.length || json[start] != '{') {
      return JsonSplitter.text(json);
    }
    InputStream rest = new ByteArrayInputStream(json, start + 1, json.length - start - 1);
    return new InputStreamReader(
        new SequenceInputStream(new ByteArrayInputStream(kind), rest), StandardCharsets.UTF_8);
  }
}
