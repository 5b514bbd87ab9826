// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.tree.Trees;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One version of an object. Its tree must not be changed; its JSON text is made once and shared by
 * everyone who reads or watches it.
 */
@API(status = API.Status.INTERNAL)
public final class StoredObject {
  private static final ObjectWriter JSON = new ObjectMapper().writer();

  private final Key key;
  private final ObjectNode tree;
  private final long revision;
  private volatile byte @Nullable [] json;
  private volatile @Nullable VersionedForm versionedForm;

  /** The object in another version, made once for those who ask for it together. */
  private record VersionedForm(Object version, StoredObject object) {}

  StoredObject(Key key, ObjectNode tree, long revision) {
    this.key = key;
    this.tree = tree;
    this.revision = revision;
  }

  /** A version that isn't stored: the answer to a dry run, or an object in another form. */
  public static StoredObject unstored(Key key, ObjectNode tree, long revision) {
    return new StoredObject(key, tree, revision);
  }

  public Key key() {
    return key;
  }

  /** The object in its storage version, resourceVersion included. */
  public ObjectNode tree() {
    return tree;
  }

  /** The revision that its resourceVersion shows. */
  public long revision() {
    return revision;
  }

  public String uid() {
    return Trees.uid(tree);
  }

  /** The cached form of the object in another version; null if there is none. */
  public @Nullable StoredObject form(Object version) {
    VersionedForm known = versionedForm;
    return known != null && known.version().equals(version) ? known.object() : null;
  }

  /**
   * Leaves the object in the form of another version here for others. There is one place: the
   * newest form stays.
   *
   * @return the form as an object
   */
  public StoredObject keepForm(Object version, ObjectNode inVersion) {
    StoredObject object = new StoredObject(key, inVersion, revision);
    versionedForm = new VersionedForm(version, object);
    return object;
  }

  /** The tree as UTF-8 JSON; callers must not change the array. */
  public byte[] json() {
    byte[] text = json;
    if (text == null) {
      // Two threads may both get here; the texts are equal and either may stay.
      text = write(tree);
      json = text;
    }
    return text;
  }

  /** Writes a tree as UTF-8 JSON. */
  public static byte[] write(ObjectNode tree) {
    try {
      return JSON.writeValueAsBytes(tree);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a JSON tree that can't be written as JSON", e);
    }
  }
}
