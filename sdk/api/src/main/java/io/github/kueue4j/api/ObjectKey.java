// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
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
