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
package io.github.kueue4j.testkit.http;

import io.github.kueue4j.testkit.store.ChangeCursor;
import io.github.kueue4j.testkit.traffic.ApiRequest;
import io.github.kueue4j.testkit.traffic.RequestMatcher;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The watches that are open at the moment, so that they can be cut off. */
final class OpenWatches {
  record Entry(ApiRequest request, ChangeCursor cursor) {}

  private final Set<Entry> open = ConcurrentHashMap.newKeySet();

  Entry opened(ApiRequest request, ChangeCursor cursor) {
    Entry entry = new Entry(request, cursor);
    open.add(entry);
    return entry;
  }

  void closed(Entry entry) {
    open.remove(entry);
  }

  int count() {
    return open.size();
  }

  int drop(RequestMatcher matcher) {
    int dropped = 0;
    for (Entry entry : open) {
      if (matcher.matches(entry.request())) {
        entry.cursor().cancel();
        dropped++;
      }
    }
    return dropped;
  }
}
