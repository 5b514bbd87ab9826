// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import io.kubernetes.client.common.KubernetesObject;
import org.apiguardian.api.API;

/**
 * A kind as the API server serves it, with the class of its objects.
 *
 * @param <T> the class of the objects
 * @param group the API group; empty for the core group
 * @param version the version in use, for example {@code v1beta2}
 * @param kind the kind, for example {@code Workload}
 * @param plural the name in paths, for example {@code workloads}
 * @param namespaced whether objects live in namespaces
 * @param type the class of the objects
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ResourceType<T extends KubernetesObject>(
    String group, String version, String kind, String plural, boolean namespaced, Class<T> type) {

  /** The same kind in another version of its group. */
  public ResourceType<T> inVersion(String other) {
    return new ResourceType<>(group, other, kind, plural, namespaced, type);
  }

  /** {@code group/version}, or the version alone for the core group. */
  public String apiVersion() {
    return group.isEmpty() ? version : group + '/' + version;
  }

  /** The name of the CRD or resource: {@code plural.group}, or the plural alone. */
  public String qualifiedName() {
    return group.isEmpty() ? plural : plural + '.' + group;
  }

  /** The path of the collection across all namespaces, for example {@code /apis/batch/v1/jobs}. */
  public String path() {
    return root() + '/' + plural;
  }

  /**
   * The path of the collection in one namespace; for a cluster-scoped kind or an empty namespace
   * the same as {@link #path()}.
   *
   * @throws PathSegmentException if no namespace can have this name
   */
  public String path(String namespace) {
    return namespaced && !namespace.isEmpty()
        ? root()
            + "/namespaces/"
            + PathSegmentException.check("an object's namespace", namespace)
            + '/'
            + plural
        : path();
  }

  /**
   * The path of one object.
   *
   * @throws PathSegmentException if no object can have this name: a key may come from a field that
   *     the server doesn't check, such as the name in an owner reference
   */
  public String path(ObjectKey key) {
    return path(key.namespace()) + '/' + PathSegmentException.check("an object's name", key.name());
  }

  private String root() {
    return group.isEmpty() ? "/api/" + version : "/apis/" + group + '/' + version;
  }

  @Override
  public String toString() {
    return kind + '.' + apiVersion();
  }
}
