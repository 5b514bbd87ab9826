// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.http;

import io.github.kueue4j.apiserver.store.ChangeCursor;
import io.github.kueue4j.apiserver.traffic.ApiRequest;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** The watches that are open at the moment, so that they can be cut off. */
final class OpenWatches {
  record OpenWatch(ApiRequest request, ChangeCursor cursor) {}

  private final Set<OpenWatch> open = ConcurrentHashMap.newKeySet();
  private final Predicate<ApiRequest> forbidden;

  /**
   * @param forbidden whether a watch must not be open any more; true before those that are open are
   *     dropped for that reason
   */
  OpenWatches(Predicate<ApiRequest> forbidden) {
    this.forbidden = forbidden;
  }

  OpenWatch opened(ApiRequest request, ChangeCursor cursor) {
    OpenWatch openWatch = new OpenWatch(request, cursor);
    open.add(openWatch);
    // Asked only now: a drop from here on finds this watch.
    if (forbidden.test(request)) {
      cursor.cancel();
    }
    return openWatch;
  }

  void closed(OpenWatch openWatch) {
    open.remove(openWatch);
  }

  int count() {
    return open.size();
  }

  int drop(RequestMatcher matcher) {
    int dropped = 0;
    for (OpenWatch openWatch : open) {
      if (matcher.matches(openWatch.request())) {
        openWatch.cursor().cancel();
        dropped++;
      }
    }
    return dropped;
  }
}
