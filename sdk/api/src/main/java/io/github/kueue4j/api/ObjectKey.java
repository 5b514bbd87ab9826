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
package io.github.kueue4j.api;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.Comparator;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The identity of an object among those of its kind.
 *
 * @param namespace empty for cluster-scoped objects
 * @param name the object
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ObjectKey(String namespace, String name) implements Comparable<ObjectKey> {

  private static final Comparator<ObjectKey> ORDER =
      Comparator.comparing(ObjectKey::namespace).thenComparing(ObjectKey::name);

  public ObjectKey {
    namespace = Lenient.text(namespace);
    name = Lenient.text(name);
  }

  /** The key of a cluster-scoped object. */
  public static ObjectKey cluster(String name) {
    return new ObjectKey("", name);
  }

  /** The key of an object; a missing name or namespace is empty. */
  public static ObjectKey of(KubernetesObject object) {
    @Nullable V1ObjectMeta metadata = object.getMetadata();
    return metadata == null
        ? new ObjectKey("", "")
        : new ObjectKey(Lenient.text(metadata.getNamespace()), Lenient.text(metadata.getName()));
  }

  /**
   * Reads what {@link #toString()} writes.
   *
   * @throws IllegalArgumentException if the text has no name or more than one slash
   */
  public static ObjectKey parse(String text) {
    int slash = text.indexOf('/');
    String name = text.substring(slash + 1);
    if (name.isEmpty() || name.indexOf('/') >= 0 || slash == 0) {
      throw new IllegalArgumentException(
          "object key \"" + text + "\" is not \"name\" or \"namespace/name\"");
    }
    return new ObjectKey(slash < 0 ? "" : text.substring(0, slash), name);
  }

  @Override
  public int compareTo(ObjectKey other) {
    return ORDER.compare(this, other);
  }

  /** {@code namespace/name}, or {@code name} for a cluster-scoped object. */
  @Override
  public String toString() {
    return namespace.isEmpty() ? name : namespace + '/' + name;
  }
}
