// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.traffic;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One request as Kubernetes describes it: verb and resource coordinates instead of method and path.
 *
 * @param verb {@code get}, {@code list}, {@code watch}, {@code create}, {@code update}, {@code
 *     patch}, {@code delete} or {@code deletecollection}; for other paths the HTTP method in lower
 *     case
 * @param path the URL's path without the query
 * @param attributes what the path names ({@code /api/v1/pods}); null for discovery, health and
 *     metrics
 * @param userAgent the User-Agent header, empty if absent
 */
@API(status = API.Status.EXPERIMENTAL)
public record ApiRequest(
    String verb, String path, @Nullable ResourceAttributes attributes, String userAgent) {

  /**
   * The coordinates of what a request is on.
   *
   * @param group API group, empty for the core group
   * @param version of the group; empty where it doesn't matter
   * @param resource plural resource name
   * @param subresource such as {@code status}, empty if none
   * @param namespace empty for cluster-scoped or all-namespace requests
   * @param name object name, empty for requests on a collection
   */
  public record ResourceAttributes(
      String group,
      String version,
      String resource,
      String subresource,
      String namespace,
      String name) {
    private static final ResourceAttributes NONE = new ResourceAttributes("", "", "", "", "", "");
  }

  /** Whether the path names a resource, rather than discovery, health or metrics. */
  public boolean resourceRequest() {
    return attributes != null;
  }

  /** API group, empty for the core group and without a resource. */
  public String group() {
    return named().group();
  }

  /** API version, empty without a resource. */
  public String version() {
    return named().version();
  }

  /** Plural resource name, empty for non-resource requests. */
  public String resource() {
    return named().resource();
  }

  /** Such as {@code status}, empty if none. */
  public String subresource() {
    return named().subresource();
  }

  /** Empty for cluster-scoped or all-namespace requests. */
  public String namespace() {
    return named().namespace();
  }

  /** Object name, empty for requests on a collection. */
  public String name() {
    return named().name();
  }

  private ResourceAttributes named() {
    return attributes == null ? ResourceAttributes.NONE : attributes;
  }

  /** The same request, without its path, wherever its objects are and whatever they are called. */
  ApiRequest anywhere() {
    return new ApiRequest(
        verb,
        "",
        attributes == null
            ? null
            : new ResourceAttributes(group(), version(), resource(), subresource(), "", ""),
        userAgent);
  }

  /** Whether the request changes objects. */
  public boolean writes() {
    return switch (verb) {
      case "create", "update", "patch", "delete", "deletecollection" -> resourceRequest();
      default -> false;
    };
  }
}
