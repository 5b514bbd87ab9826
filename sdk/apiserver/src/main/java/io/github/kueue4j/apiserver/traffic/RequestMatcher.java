// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.traffic;

import java.util.Set;
import org.apiguardian.api.API;

/**
 * Picks requests, for faults and counts. Matchers combine: {@code
 * verbs("patch").and(resource("jobs"))}.
 */
@API(status = API.Status.EXPERIMENTAL)
@FunctionalInterface
public interface RequestMatcher {

  boolean matches(ApiRequest request);

  /** Every request on a resource; discovery, health and metrics are left out. */
  static RequestMatcher anyResource() {
    return ApiRequest::resourceRequest;
  }

  /** Every request, discovery and health included. */
  static RequestMatcher everything() {
    return request -> true;
  }

  /** Requests with one of the Kubernetes verbs, such as {@code patch} or {@code watch}. */
  static RequestMatcher verbs(String... verbs) {
    Set<String> wanted = Set.of(verbs);
    return request -> request.resourceRequest() && wanted.contains(request.verb());
  }

  /** Requests on the resource with this plural name, in any group, subresources included. */
  static RequestMatcher resource(String plural) {
    return request -> request.resource().equals(plural);
  }

  /** Requests on this subresource, such as {@code status}. */
  static RequestMatcher subresource(String subresource) {
    return request -> request.subresource().equals(subresource);
  }

  /** Requests on the object or in the namespace with this name. */
  static RequestMatcher object(String namespace, String name) {
    return request -> request.namespace().equals(namespace) && request.name().equals(name);
  }

  /** Requests whose User-Agent starts with this text. */
  static RequestMatcher userAgent(String prefix) {
    return request -> request.userAgent().startsWith(prefix);
  }

  /** Requests that change objects. */
  static RequestMatcher writes() {
    return ApiRequest::writes;
  }

  default RequestMatcher and(RequestMatcher other) {
    return request -> matches(request) && other.matches(request);
  }

  default RequestMatcher or(RequestMatcher other) {
    return request -> matches(request) || other.matches(request);
  }

  default RequestMatcher negate() {
    return request -> !matches(request);
  }
}
