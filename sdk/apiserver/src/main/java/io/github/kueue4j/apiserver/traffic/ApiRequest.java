// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.traffic;

import org.apiguardian.api.API;

/**
 * One request as Kubernetes describes it: verb and resource coordinates instead of method and path.
 *
 * @param verb {@code get}, {@code list}, {@code watch}, {@code create}, {@code update}, {@code
 *     patch}, {@code delete} or {@code deletecollection}; for other paths the HTTP method in lower
 *     case
 * @param path the URL's path without the query
 * @param resourceRequest whether the path names a resource ({@code /api/v1/pods}), rather than
 *     discovery, health or metrics
 * @param group API group, empty for the core group
 * @param version API version, empty if the path has none
 * @param resource plural resource name, empty for non-resource requests
 * @param subresource such as {@code status}, empty if none
 * @param namespace empty for cluster-scoped or all-namespace requests
 * @param name object name, empty for requests on a collection
 * @param userAgent the User-Agent header, empty if absent
 */
@API(status = API.Status.EXPERIMENTAL)
public record ApiRequest(
    String verb,
    String path,
    boolean resourceRequest,
    String group,
    String version,
    String resource,
    String subresource,
    String namespace,
    String name,
    String userAgent) {

  /** Whether the request changes objects. */
  public boolean writes() {
    return switch (verb) {
      case "create", "update", "patch", "delete", "deletecollection" -> resourceRequest;
      default -> false;
    };
  }
}
