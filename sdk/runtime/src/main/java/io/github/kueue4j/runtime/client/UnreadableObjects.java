// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The objects that can't be read now. Each version of one is logged once. Thread-safe.
 *
 * <p>So many are remembered; beyond, the oldest is forgotten and may be logged again.
 */
final class UnreadableObjects {

  private static final Logger log = LoggerFactory.getLogger(UnreadableObjects.class);

  private static final int MOST = 1_000;
  private static final int LONGEST_CAUSE = 300;

  /** An object of a type; the name is empty for one that can't even be identified. */
  private record Id(String resource, ObjectKey key) {}

  // Versions by object. Guarded by this object's monitor.
  private final Map<Id, String> versions = new LinkedHashMap<>();

  /** An object can't be read. */
  void found(ResourceType<?> type, UnreadableObject unreadable) {
    ObjectIdentity identity = unreadable.identity();
    if (isNew(new Id(type.qualifiedName(), identity.key()), identity.resourceVersion())) {
      log.atError()
          .addKeyValue("resource", type.qualifiedName())
          .addKeyValue("object", identity.isKnown() ? identity.key() : "unknown")
          .addKeyValue("resourceVersion", identity.resourceVersion())
          .addKeyValue("cause", brief(unreadable.cause()))
          .log(
              "Can't read an object; its last readable state stays in use. Correct the field that"
                  + " the cause names, delete the object, or update this program");
    }
  }

  private synchronized boolean isNew(Id id, String version) {
    boolean known = version.equals(versions.remove(id));
    versions.put(id, version); // At the end: it is the newest.
    if (versions.size() > MOST) {
      versions.remove(versions.keySet().iterator().next());
    }
    return !known;
  }

  /** A message in one line, without the thousands of names in the path of a deep field. */
  static String brief(Throwable cause) {
    String text = FailedRequest.describe(cause).lines().findFirst().orElse("");
    return text.length() <= LONGEST_CAUSE ? text : text.substring(0, LONGEST_CAUSE) + "...";
  }

  /** An object was read, or deleted. */
  synchronized void settled(ResourceType<?> type, ObjectKey key) {
    if (!versions.isEmpty()) {
      versions.remove(new Id(type.qualifiedName(), key));
    }
  }

  /** A complete list contained these objects that can't be read, and no others. */
  synchronized void only(ResourceType<?> type, Collection<ObjectKey> keys) {
    versions
        .keySet()
        .removeIf(id -> id.resource().equals(type.qualifiedName()) && !keys.contains(id.key()));
  }

  /** How many objects can't be read now. */
  synchronized int count() {
    return versions.size();
  }
}
