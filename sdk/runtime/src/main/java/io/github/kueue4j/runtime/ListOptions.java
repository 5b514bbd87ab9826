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
package io.github.kueue4j.runtime;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Which objects to list.
 *
 * @param namespace only this namespace; null or empty for all (and for cluster-scoped types)
 * @param labelSelector for example {@code app=web,tier!=db}, or null
 * @param fieldSelector for example {@code metadata.name=a}, or null
 * @param pageSize objects per request, at least 1; all pages are read whatever it is
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ListOptions(
    @Nullable String namespace,
    @Nullable String labelSelector,
    @Nullable String fieldSelector,
    int pageSize) {

  /** Objects per request unless asked otherwise. */
  public static final int DEFAULT_PAGE_SIZE = 500;

  public ListOptions {
    if (pageSize < 1) {
      throw new IllegalArgumentException("pageSize must be at least 1 but is " + pageSize);
    }
  }

  /** Everything. */
  public static ListOptions all() {
    return new ListOptions(null, null, null, DEFAULT_PAGE_SIZE);
  }

  /** Everything in one namespace. */
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
