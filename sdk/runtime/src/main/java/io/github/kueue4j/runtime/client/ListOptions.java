// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The options of a list.
 *
 * @param namespace only this namespace; null or empty for all (and for cluster-scoped types)
 * @param labelSelector for example {@code app=web,tier!=db}, or null
 * @param fieldSelector for example {@code metadata.name=a}, or null
 * @param pageSize objects per request, at least 1; all pages are read in any case
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ListOptions(
    @Nullable String namespace,
    @Nullable String labelSelector,
    @Nullable String fieldSelector,
    int pageSize) {

  /** The default number of objects per request. */
  public static final int DEFAULT_PAGE_SIZE = 500;

  public ListOptions {
    if (pageSize < 1) {
      throw new IllegalArgumentException("pageSize must be at least 1 but is " + pageSize);
    }
  }

  /** All objects. */
  public static ListOptions all() {
    return new ListOptions(null, null, null, DEFAULT_PAGE_SIZE);
  }

  /** All objects of one namespace. */
  public static ListOptions inNamespace(String namespace) {
    return new ListOptions(namespace, null, null, DEFAULT_PAGE_SIZE);
  }

  /** A copy with a label selector. */
  public ListOptions withLabelSelector(@Nullable String selector) {
    return new ListOptions(namespace, selector, fieldSelector, pageSize);
  }

  /** A copy with a field selector. */
  public ListOptions withFieldSelector(@Nullable String selector) {
    return new ListOptions(namespace, labelSelector, selector, pageSize);
  }

  /** A copy with another page size. */
  public ListOptions withPageSize(int size) {
    return new ListOptions(namespace, labelSelector, fieldSelector, size);
  }
}
