// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.store;

import java.util.Comparator;
import org.apiguardian.api.API;

/**
 * Names one object of a kind.
 *
 * @param namespace empty for cluster scope
 */
@API(status = API.Status.INTERNAL)
public record Key(String namespace, String name) implements Comparable<Key> {
  private static final Comparator<Key> ORDER =
      Comparator.comparing(Key::namespace).thenComparing(Key::name);

  @Override
  public int compareTo(Key other) {
    return ORDER.compare(this, other);
  }

  /** {@code namespace/name}, or {@code name} for cluster scope. */
  @Override
  public String toString() {
    return namespace.isEmpty() ? name : namespace + '/' + name;
  }
}
